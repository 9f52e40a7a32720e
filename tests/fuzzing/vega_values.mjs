// Answers, for each JSON line {text, datum} on standard input, with one JSON line: the value that Vega's expression has for that
// datum, {"$error": message} where Vega cannot compile it or stops, or {"$endless": true} where it would not come to an end, or
// make something huge. Values are written as sheliak.expressions.values writes them.
// Arguments: the folder with vega in its node_modules, the seed of random numbers, the present in milliseconds. The time zone is TZ's.
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {runInThisContext} from 'node:vm';

const [home, seed, now] = process.argv.slice(2);
const load = name => import(pathToFileURL(join(home, 'node_modules', name, 'build', name + '.js')).href);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) { parts.length ? super(...parts) : super(+now); }
  static now() { return +now; }
  get [Symbol.toStringTag]() { return 'Date'; }
};
const {parseExpression} = await load('vega-expression');
const {codeGenerator, functionContext} = await load('vega-functions');
const {defaultLocale} = await load('vega-format');
const {setRandom, randomLCG, sampleNormal} = await load('vega-statistics');

const locale = defaultLocale();
const logger = {warn() {}, info() {}, debug() {}};
const context = {...functionContext, context: {data: {}, scales: {}, dataflow: {locale: () => locale, ...logger}}};

const endless = Symbol('endless');
const most = 10000;
const within = (name, size) => {
  const real = functionContext[name];
  context[name] = function(...parts) {
    if (size(...parts) > most) throw endless;
    return real.apply(this, parts);
  };
};
within('pad', (text, length) => length);
within('sequence', (start, stop, step) => step === undefined ? Math.abs(stop === undefined ? start : stop - start) : (stop - start) / step);
within('extent', array => array && array.length);

const number = v => Number.isFinite(v) ? (Object.is(v, -0) ? {$num: '-0'} : v) : {$num: String(v)};
const write = v => {
  if (v === null || typeof v === 'string' || typeof v === 'boolean') return v;
  if (typeof v === 'number') return number(v);
  if (v === undefined) return {$undefined: true};
  if (typeof v === 'function') return {$function: true};
  if (v instanceof RealDate) return {$date: Number.isNaN(+v) ? null : +v};
  if (v instanceof RegExp) return {$regexp: String(v)};
  if (Array.isArray(v)) return Array.from(v, write);
  const fields = Object.keys(v).map(k => [k, write(v[k])]);
  const object = Object.fromEntries(fields);
  return fields.length === 1 && fields[0][0].startsWith('$') ? {$escape: object} : object;
};
const special = {
  $undefined: () => undefined,
  $num: v => v === '-0' ? -0 : Number(v),
  $date: v => new Date(v === null ? NaN : v),
  $regexp: v => { const end = v.lastIndexOf('/'); return new RegExp(v.slice(1, end), v.slice(end + 1)); },
  $escape: v => record(v),
};
const record = v => Object.fromEntries(Object.keys(v).map(k => [k, read(v[k])]));
const read = v => {
  if (v === null || typeof v !== 'object') return v;
  if (Array.isArray(v)) return v.map(read);
  const keys = Object.keys(v);
  return keys.length === 1 && special[keys[0]] ? special[keys[0]](v[keys[0]]) : record(v);
};

// Normal samples are made in pairs, and the second would wait for the next question.
const dropSpare = () => {
  let drawn = 0;
  setRandom(() => (++drawn, 0.3));
  sampleNormal();
  if (drawn) sampleNormal();
};

const answer = ({text, datum}) => {
  dropSpare();
  setRandom(randomLCG(+seed));
  try {
    const {code} = codeGenerator(parseExpression(text));
    const run = Function('datum', '_', 'return(' + code + ')').bind(context, read(datum), {});
    globalThis.answer = run;
    return write(runInThisContext('answer()', {timeout: 500}));
  } catch (error) {
    if (error === endless || error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return {$endless: true};
    return {$error: String(error && error.message)};
  }
};

for await (const line of createInterface({input: process.stdin})) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n');
}
