// Parses every spec named in a list with Vega's own parser, twice in one process, and prints the CPU seconds of each pass.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [listing, vegaHome] = process.argv.slice(2);
const folder = path.join(vegaHome, 'node_modules', 'vega');
const { exports } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const entry = typeof exports === 'string' ? exports : exports['.']?.default ?? exports.default ?? exports['.'];
const vega = await import(pathToFileURL(path.join(folder, entry)));
console.warn = () => {};

function pass(files) {
  const before = process.cpuUsage();
  let parsed = 0;
  for (const file of files) {
    try {
      vega.parse(JSON.parse(fs.readFileSync(file, 'utf8')), {}, { ast: false });
      parsed += 1;
    } catch {
      // A spec that Vega refuses costs the time up to the refusal.
    }
  }
  const used = process.cpuUsage(before);
  return { seconds: (used.user + used.system) / 1e6, parsed };
}

const files = fs.readFileSync(listing, 'utf8').split('\n').filter(Boolean);
console.log(JSON.stringify({ cold: pass(files), warm: pass(files) }));
