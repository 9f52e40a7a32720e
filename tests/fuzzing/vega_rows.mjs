// Runs specs with Vega itself: one JSON spec per line in, one line out with the rows of its last dataset, or what went wrong.
//   node vega_rows.mjs VEGA_HOME < specs.jsonl
// The time zone is that of the environment variable TZ, the random numbers are those of seed 42.
// What JSON cannot hold is written as sheliak.expressions.values.encode writes it; {"$cycle":true} stands for a row inside itself,
// {"$deep":true} for rows inside of rows inside of rows.

import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const home = path.resolve(process.argv[2]);
const vega = await import(pathToFileURL(path.join(home, 'node_modules', 'vega', 'index.js')));

function encoded(value, within) {
  if (value === undefined) return { $undefined: true };
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $num: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (typeof value === 'function') return { $function: true };
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return { $date: Number.isNaN(+value) ? null : +value };
  if (value instanceof RegExp) return { $regexp: String(value) };
  if (within.includes(value)) return { $cycle: true };
  if (within.length > 4) return { $deep: true };
  const inside = [...within, value];
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, element => encoded(element, inside));
  const names = Object.keys(value);
  const members = Object.fromEntries(names.map(name => [name, encoded(value[name], inside)]));
  return names.length === 1 && names[0].startsWith('$') ? { $escape: members } : members;
}

async function answer(spec) {
  const errors = [], warnings = [];
  const logger = {
    level() { return this; },
    error(...words) { errors.push(words.map(word => word?.message ?? String(word)).join(' ')); return this; },
    warn(...words) { warnings.push(words.join(' ')); return this; },
    info() { return this; },
    debug() { return this; }
  };
  vega.setRandom(vega.randomLCG(42));
  let view;
  try {
    view = new vega.View(vega.parse(spec), { renderer: 'none', logger });
    await view.runAsync();
    if (errors.length) return { error: errors[0] };
    const rows = view.data(spec.data.at(-1).name);
    return { rows: rows.map(row => encoded(row, [])), warnings };
  } catch (problem) {
    return { error: problem.message };
  } finally {
    if (view) view.finalize();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + '\n');
}
