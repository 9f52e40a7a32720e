// Draws specs with Vega, without a browser: one JSON job {"id", "spec"} a line in, one {"id", "svg" | "error", "log"} a line out.
//   node draw.mjs VEGA_HOME DATA_DIR NOW
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [home, dataDir, now] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(home), 'x.js'));
const vega = await import(pathToFileURL(require.resolve('vega')).href);

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) { given.length ? super(...given) : super(+now); }
  static now() { return +now; }
};
// What a chart does after its first picture is nobody's concern here.
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
// Timers of a spec would go on after the first picture.
globalThis.setInterval = () => 0;

const loader = vega.loader();
loader.load = async url => {
  const file = path.join(dataDir, String(url).replace(/^file:\/\//, ''));
  return fs.readFileSync(file, 'utf8');
};

async function draw(spec) {
  const log = [];
  const logger = vega.logger(vega.Warn, 'warn', (method, level, input) => { log.push([level, ...input].join(' ')); });
  vega.setRandom(vega.randomLCG(42));
  vega.resetSVGDefIds?.();
  const view = new vega.View(vega.parse(spec), { renderer: 'none', loader, logger });
  try {
    await view.runAsync();
    return { svg: await view.toSVG(), log };
  } finally {
    view.finalize();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, spec } = JSON.parse(line);
  let answer;
  try {
    answer = await draw(spec);
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(JSON.stringify({ id, ...answer }) + '\n');
}
