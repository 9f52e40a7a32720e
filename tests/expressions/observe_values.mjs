// Records what Vega's own compiler and functions make of the expressions in observed_values.jsonl, over the rows of its first line.
// Usage: VEGA_HOME=DIR node tests/expressions/observe_values.mjs   (DIR is a folder in which the npm package vega is installed)
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const modules = path.join(process.env.VEGA_HOME ?? '.', 'node_modules');
const load = name => import(pathToFileURL(path.join(modules, name, 'index.js')).href);
const {codegenExpression, parseExpression} = await load('vega-expression');
const {codegenParams, functionContext} = await load('vega-functions');
const {defaultLocale} = await load('vega-format');

const file = new URL('observed_values.jsonl', import.meta.url);
const [head, ...lines] = fs.readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
const rows = head.rows.map(row => ({...row, date: new Date(row.date)}));
const locale = defaultLocale();
functionContext.context = {dataflow: {locale: () => locale}};
const generate = codegenExpression(codegenParams);

// A value as the test reads it: texts in {s}, arrays in {a}, objects in {o}, everything else by the name of its kind.
function kind(value) {
  if (value === null) return 'null';
  if (value instanceof Date) return 'date';
  if (Array.isArray(value)) return {a: value.map(kind)};
  if (typeof value === 'string') return {s: value};
  if (typeof value !== 'object') return typeof value;
  return {o: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kind(member)]))};
}

function observed(expr) {
  const run = new Function('datum', '_', `return ${generate(parseExpression(expr)).code}`);
  return rows.map(row => {
    try {
      return kind(run.call(functionContext, row, {$width: 200, $choice: 'n'}));
    } catch (error) {
      return {e: error.message};
    }
  });
}

const answers = lines.map(({expr}) => JSON.stringify({expr, values: observed(expr)}));
fs.writeFileSync(file, [JSON.stringify(head), ...answers].join('\n') + '\n');
