// Which words of MLIR files does the grammar leave without a scope of their own?
//   node scripts/unscoped.mjs FILE_OR_FOLDER...
// Prints each such piece of text with how often it occurs, and how many characters of how many they are.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Registry, INITIAL, parseRawGrammar } = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');
const GRAMMAR = path.join(import.meta.dirname, '../syntaxes/mlir.tmLanguage.json');

async function loadGrammar() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(GRAMMAR, 'utf8'), GRAMMAR),
  });
  return registry.loadGrammar('source.mlir');
}

function* programs(place) {
  if (fs.statSync(place).isFile()) yield place;
  else
    for (const entry of fs.readdirSync(place, { recursive: true }))
      if (entry.endsWith('.mlir')) yield path.join(place, entry);
}

function* unscoped(grammar, text) {
  let state = INITIAL;
  for (const line of text.split(/\r?\n/)) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens)
      if (scopes.every((scope) => scope === 'source.mlir' || scope.startsWith('meta.')))
        yield line.slice(startIndex, endIndex).trim();
  }
}

const grammar = await loadGrammar();
const counts = new Map();
let files = 0;
let characters = 0;
for (const file of process.argv.slice(2).flatMap((place) => [...programs(place)])) {
  const text = fs.readFileSync(file, 'utf8');
  files += 1;
  characters += text.replace(/\s/g, '').length;
  for (const piece of unscoped(grammar, text))
    if (piece !== '') counts.set(piece, (counts.get(piece) ?? 0) + 1);
}
let left = 0;
for (const [piece, count] of [...counts].sort((a, b) => b[1] - a[1])) {
  left += piece.length * count;
  console.log(`${String(count).padStart(6)}  ${piece}`);
}
console.log(`${left} of ${characters} characters without a scope, in ${files} files`);
