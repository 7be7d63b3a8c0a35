// Tokens as the editor's own engine makes them, with the grammars of all extensions that are installed.

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as oniguruma from 'vscode-oniguruma';
import * as vscode from 'vscode';
import { INITIAL, parseRawGrammar, Registry } from 'vscode-textmate';

interface Contribution {
  readonly scopeName: string;
  readonly path: string;
  readonly injectTo?: readonly string[];
}

/** A piece of a line with its scopes. */
export interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

const grammars = new Map<string, Contribution>();
for (const { extensionPath, packageJSON } of vscode.extensions.all)
  for (const each of (packageJSON.contributes?.grammars ?? []) as Contribution[])
    grammars.set(each.scopeName, { ...each, path: path.join(extensionPath, each.path) });

const engine = (async () => {
  const file = require.resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(new Uint8Array(fs.readFileSync(file)).buffer);
  return {
    createOnigScanner: (sources: string[]) => new oniguruma.OnigScanner(sources),
    createOnigString: (text: string) => new oniguruma.OnigString(text),
  };
})();

const registry = new Registry({
  onigLib: engine,
  loadGrammar: async (scope) => {
    const file = grammars.get(scope)?.path;
    return file ? parseRawGrammar(fs.readFileSync(file, 'utf8'), file) : null;
  },
  getInjections: (scope) => [...grammars.values()].filter(({ injectTo }) => injectTo?.includes(scope)).map(({ scopeName }) => scopeName),
});

/** The tokens of a text in a language, by the scope of its grammar. */
export async function tokens(scope: string, text: string): Promise<Token[]> {
  const grammar = await registry.loadGrammar(scope);
  if (!grammar) throw new Error(`there is no grammar ${scope}`);
  let state = INITIAL;
  return text.split('\n').flatMap((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scopes }));
  });
}
