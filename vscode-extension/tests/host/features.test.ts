// The installed extension with its server, seen through VS Code's own API.

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';
import { ask, eventually, findings, markdown, names, opened } from './editor';

const FUNCTION = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %twice = stablehlo.add %x, %x : tensor<4xf32>
  %again = stablehlo.add %tw¦ice, %x : tensor<4xf32>
  return %again : tensor<4xf32>
}
`;
const BROKEN = `func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = stablehlo.add %x, %x tensor<4xf32>
  %b = stablehlo.multiply %¦x, %x : tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @second() {
  return
}
`;
const RUNNABLE = `func.func @answer() -> tensor<2xi32> {
  %c = stablehlo.constant dense<[42, 7]> : tensor<2xi32>
  return %c : tensor<2xi32>
}
`;

async function api(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>('shlo.shlo');
  assert.ok(extension, 'the extension is installed');
  return extension.activate();
}

/** Waits for the server; only then is asking providers of any use. */
async function running(): Promise<void> {
  const { server } = await api();
  const state = await eventually(() => server.state, ({ kind }) => kind === 'running');
  assert.equal(state.kind, 'running', JSON.stringify(state));
}

describe('an editor with a program', () => {
  before(async () => {
    await opened('');
    await running();
  });

  it('has the language mlir for .mlir files', async () => {
    assert.ok((await vscode.languages.getLanguages()).includes('mlir'));
    const [file] = await vscode.workspace.findFiles('*.mlir');
    assert.equal(file && (await vscode.workspace.openTextDocument(file)).languageId, 'mlir');
  });

  it('finds a syntax error where it is', async () => {
    const { document } = await opened(BROKEN);
    const [finding] = await findings(document);
    assert.ok(finding);
    assert.equal(finding.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(document.getText(finding.range), 'tensor');
    assert.match(finding.message, /expected ':'/);
  });

  it('shows the shape of a value', async () => {
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', await opened(FUNCTION));
    assert.match(markdown(hovers), /tensor<4xf32>/);
    assert.match(markdown(hovers), /16 B\b/);
  });

  it('shows it in a broken text, too', async () => {
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', await opened(BROKEN));
    assert.match(markdown(hovers), /tensor<4xf32>/);
  });

  it('goes to where a value is defined', async () => {
    const [place] = await ask<vscode.Location[]>('vscode.executeDefinitionProvider', await opened(FUNCTION));
    assert.equal(place?.range.start.line, 1);
  });

  it('renames a value everywhere', async () => {
    const place = await opened(FUNCTION);
    const edit = await ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', place, '%double');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const text = place.document.getText();
    assert.equal(text.split('%double').length, 3, text);
    assert.ok(!text.includes('%twice'), text);
  });

  it('formats and keeps comments', async () => {
    const { document } = await opened('func.func @main() {   // why\n      return\n}\n');
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await vscode.commands.executeCommand<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', document.uri, options);
    const change = new vscode.WorkspaceEdit();
    change.set(document.uri, edits);
    await vscode.workspace.applyEdit(change);
    assert.match(document.getText(), /^func\.func @main\(\) \{ +\/\/ why\n  return\n\}\n$/);
  });

  it('completes an operation with a snippet for its parts', async () => {
    const place = await opened(FUNCTION.replace('¦', '').replace('  return', '  %y = stablehlo.dot_gen¦\n  return'));
    const { items } = await ask<vscode.CompletionList>('vscode.executeCompletionItemProvider', place);
    const item = items.find(({ label }) => (typeof label === 'string' ? label : label.label).includes('dot_general'));
    assert.ok(item?.insertText instanceof vscode.SnippetString, JSON.stringify(items.slice(0, 3)));
    assert.match(item.insertText.value, /\$\{?1/);
    assert.match(item.insertText.value, /contracting_dims/);
  });

  it('offers values in scope', async () => {
    const place = await opened(FUNCTION.replace('%tw¦ice, %x', '%¦'));
    const { items } = await ask<vscode.CompletionList>('vscode.executeCompletionItemProvider', place);
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('%twice') && labels.includes('%x'), labels.slice(0, 10).join());
  });

  it('lists the functions of a broken text', async () => {
    const { document } = await opened(BROKEN);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    const found = names(symbols);
    assert.ok(found.includes('@first') && found.includes('@second'), found.join());
  });

  it('runs a function and shows what it gives', async () => {
    const { document } = await opened(RUNNABLE);
    const lenses = await eventually(
      () => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10),
      (found) => found.length > 0,
    );
    assert.ok(lenses.some(({ command }) => command?.command === 'shlo.run'), JSON.stringify(lenses));
    await vscode.commands.executeCommand('shlo.runFunction');
    const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'shlo-result');
    assert.ok(shown, 'the results are in a document');
    assert.match(shown.getText(), /@answer: done[^]*tensor<2xi32>[^]*\[42, +7\]/);
  });

  it('starts the server again', async () => {
    const { server } = await api();
    await vscode.commands.executeCommand('shlo.restartServer');
    assert.equal(server.state.kind, 'running');
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', await opened(FUNCTION));
    assert.match(markdown(hovers), /tensor<4xf32>/);
  });

  it('starts it once for requests that come together', async () => {
    const { server } = await api();
    const states: string[] = [];
    const listener = server.onState(({ kind }) => states.push(kind));
    await Promise.all([server.restart(), server.restart(), server.restart()]);
    listener.dispose();
    assert.deepEqual(states.filter((kind) => kind === 'running'), ['running']);
  });

  it('stops the server where it is switched off', async () => {
    const { server } = await api();
    const shlo = vscode.workspace.getConfiguration('shlo');
    await shlo.update('server.enabled', false, vscode.ConfigurationTarget.Global);
    assert.equal((await eventually(() => server.state, ({ kind }) => kind === 'off')).kind, 'off');
    await shlo.update('server.enabled', undefined, vscode.ConfigurationTarget.Global);
    await running();
  });
});
