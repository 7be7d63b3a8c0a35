// Files of bytecode: shown as text, converted, followed when they change.

import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ask, eventually, findings, markdown, names } from './editor';

const SCHEME = 'shlo-bytecode';
const PROGRAM = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %twice = stablehlo.add %x, %x : tensor<4xf32>
  return %twice : tensor<4xf32>
}
`;
const NO_MLIR = Buffer.from([0x42, 0x43, 0xc0, 0xde, 0, 0, 0, 0]);

function file(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.file(path.join(folder.uri.fsPath, name));
}

/** Writes a program as text and converts it. */
async function bytecode(name: string, text = PROGRAM): Promise<vscode.Uri> {
  const source = file(`${name}.mlir`);
  const made = file(`${name}.mlirbc`);
  await fs.rm(made.fsPath, { force: true });
  await fs.writeFile(source.fsPath, text);
  await vscode.commands.executeCommand('shlo.convertToBytecode', source);
  assert.equal((await fs.readFile(made.fsPath)).subarray(0, 4).toString('hex'), '4d4cef52');
  return made;
}

/** Opens a file as a click on it does, and gives the text that comes up. */
async function openedText(uri: vscode.Uri, scheme = SCHEME): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('vscode.open', uri);
  const shown = () => vscode.window.activeTextEditor?.document;
  const document = await eventually(shown, (each) => each?.uri.scheme === scheme && each.uri.fsPath === uri.fsPath);
  assert.equal(document?.uri.scheme, scheme);
  assert.equal(document.uri.fsPath, uri.fsPath);
  return document;
}

describe('a file of bytecode', () => {
  before(async () => {
    await vscode.extensions.getExtension('shlo.shlo')?.activate();
    await vscode.commands.executeCommand('shlo.restartServer');
  });

  it('is a text with the facts of its header, in the language mlir', async () => {
    const document = await openedText(await bytecode('shown'));
    assert.equal(document.languageId, 'mlir');
    assert.match(document.getText(), /^\/\/ MLIR bytecode version 4, \d+ bytes\.\n\/\/ Producer: "shlo"\n\/\/ Dialects: builtin, func, stablehlo\n\nmodule \{/);
  });

  it('is written as bytecode when its text is saved, and not where the text has errors', async () => {
    const made = await bytecode('edited');
    const before = await fs.readFile(made.fsPath);
    const document = await openedText(made);
    const replace = async (old: string, text: string) => {
      const start = document.getText().indexOf(old);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + old.length)), text);
      await vscode.workspace.applyEdit(edit);
      return document.save();
    };
    assert.equal(await replace('// Producer', '// producer'), true);
    assert.deepEqual(await fs.readFile(made.fsPath), before);
    assert.equal(await replace('stablehlo.add', 'stablehlo.multiply'), true);
    const after = await fs.readFile(made.fsPath);
    assert.deepEqual(after.subarray(0, 9), before.subarray(0, 9));
    assert.notDeepEqual(after, before);
    assert.equal(await replace('stablehlo.multiply %arg0', 'stablehlo.multiply %nothing'), false);
    assert.deepEqual(await fs.readFile(made.fsPath), after);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.match(await eventually(() => document.getText(), (each) => !each.includes('%nothing')), /stablehlo\.multiply %arg0/);
  });

  it('has hovers, symbols and no findings', async () => {
    const document = await openedText(await bytecode('known'));
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const position = document.positionAt(document.getText().indexOf('%0'));
    const hovers = await eventually(() => ask<vscode.Hover[]>('vscode.executeHoverProvider', { document, editor, position }), (found) => found.length > 0);
    assert.match(markdown(hovers), /tensor<4xf32>/);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    assert.ok(names(symbols).includes('@main'));
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
  });

  it('is converted to a text that can be written', async () => {
    const made = await bytecode('back');
    const text = file('back.mlir');
    await fs.rm(text.fsPath);
    await openedText(made);
    await vscode.commands.executeCommand('shlo.convertToText');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, text.fsPath);
    assert.match(await fs.readFile(text.fsPath, 'utf8'), /^module \{\n  func\.func @main\(%arg0/);
  });

  it('is followed when it changes, and tells where it is damaged', async () => {
    const made = await bytecode('changing');
    const document = await openedText(made);
    const whole = await fs.readFile(made.fsPath);
    await fs.writeFile(made.fsPath, whole.subarray(0, whole.length - 5));
    const text = await eventually(() => document.getText(), (each) => each.includes('cannot be read'));
    assert.match(text, /This file cannot be read\. Byte \d+: the section of strings is \d+ bytes long/);
    assert.match(text, /`shlo inspect "changing.mlirbc"` shows what is in it up to there/);
    await fs.writeFile(made.fsPath, whole);
    assert.match(await eventually(() => document.getText(), (each) => each.includes('@main')), /stablehlo\.add/);
  });

  it('is left to VS Code where it is none', async () => {
    const other = file('other.bc');
    await fs.writeFile(other.fsPath, NO_MLIR);
    await vscode.commands.executeCommand('vscode.open', other);
    const input = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isText = (each: unknown) => each instanceof vscode.TabInputText && each.uri.fsPath === other.fsPath;
    assert.ok(isText(await eventually(input, isText)));
  });

  it('is no text without a server, and one when it comes', async () => {
    const made = await bytecode('waiting');
    const shlo = vscode.workspace.getConfiguration('shlo');
    await shlo.update('server.enabled', false, vscode.ConfigurationTarget.Global);
    try {
      const document = await openedText(made);
      const text = await eventually(() => document.getText(), (each) => each.includes('none is running'));
      assert.match(text, /^\/\/ waiting\.mlirbc is MLIR bytecode\./);
      await shlo.update('server.enabled', undefined, vscode.ConfigurationTarget.Global);
      assert.match(await eventually(() => document.getText(), (each) => each.includes('@main')), /stablehlo\.add/);
    } finally {
      await shlo.update('server.enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('is not written from a text with mistakes', async () => {
    const source = file('mistaken.mlir');
    await fs.writeFile(source.fsPath, PROGRAM.replace('%x, %x', '%x, %y'));
    await vscode.commands.executeCommand('shlo.convertToBytecode', source);
    await assert.rejects(fs.stat(file('mistaken.mlirbc').fsPath));
    assert.ok((await findings(await vscode.workspace.openTextDocument(source))).length);
  });
});
