// Answers, for each JSON line {kind, text} on standard input, with one JSON line: the form of the tree that Vega's own parser
// builds, or null where it rejects the text. The forms are those of expression_forms.py.
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';

const load = name => import(pathToFileURL(join(process.argv[2], 'node_modules', name, 'build', name + '.js')).href);
const {parseExpression, codegenExpression} = await load('vega-expression');
const {parseSelector} = await load('vega-event-selector');

const forms = {
  Literal: n => n.regex
    ? ['regex', n.regex.pattern, n.regex.flags]
    : ['literal', typeof n.value === 'number' ? String(n.value) : n.value, typeof n.value === 'number'],
  Identifier: n => ['name', n.name],
  MemberExpression: n => ['member', form(n.object), form(n.property), n.computed],
  UnaryExpression: n => ['unary', n.operator, form(n.argument)],
  BinaryExpression: n => ['binary', n.operator, form(n.left), form(n.right)],
  LogicalExpression: n => ['logical', n.operator, form(n.left), form(n.right)],
  ConditionalExpression: n => ['conditional', form(n.test), form(n.consequent), form(n.alternate)],
  CallExpression: n => ['call', form(n.callee), n.arguments.map(form)],
  ArrayExpression: n => ['array', n.elements.map(form)],
  ObjectExpression: n => ['object', n.properties.map(form)],
  Property: n => [form(n.key), form(n.value)],
};
const form = node => node && forms[node.type](node);

// Whether JavaScript accepts what Vega generates from a tree, if every function that it calls existed.
const compiles = tree => {
  const functions = Object.create(null);
  tree.visit(node => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier') functions[node.callee.name] = 'f';
    // The stricter rules for patterns under the flag u are not our subject; a repeated flag is.
    if (node.regex) node.raw = '/x/' + node.regex.flags;
  });
  const generate = codegenExpression({forbidden: ['_'], allowed: ['datum'], globalvar: '$', functions: () => functions});
  new Function('$', 'datum', 'return(' + generate(tree).code + ')');
  return true;
};

const readers = {
  expression: text => form(parseExpression(text)),
  selector: text => parseSelector(text, 'view'),
  code: text => compiles(parseExpression(text)),
  pattern: text => (new RegExp(text), true),
};
const answer = ({kind, text}) => {
  try {
    return readers[kind](text);
  } catch {
    return null;
  }
};

// JSON has no infinity, and writes some numbers differently from String.
const asText = (_, value) => typeof value === 'number' ? String(value) : value;

for await (const line of createInterface({input: process.stdin})) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line)), asText) + '\n');
}
