// The extension in VS Code for the Web: colours and snippets work; what needs a process says where it can be had.

import * as vscode from 'vscode';
import { bytecodeInWords } from './weblook';

const EDITOR = 'shlo.bytecode';
const SCHEME = 'shlo-bytecode';
const WHERE = 'VS Code on a desktop, Remote, Codespaces or code-server';

export function activate(context: vscode.ExtensionContext): void {
  const manifest = context.extension.packageJSON as { contributes: { commands: { command: string; title: string }[] } };
  const refusals = manifest.contributes.commands.map(({ command, title }) =>
    vscode.commands.registerCommand(command, () => refuse(command === 'shlo.getStarted' ? 'The walkthrough' : title.replace('…', ''))),
  );
  const item = vscode.languages.createLanguageStatusItem('shlo.server', { language: 'mlir' });
  Object.assign(item, { name: 'StableHLO', text: 'shlo: colours only', detail: `its server needs ${WHERE}` });
  const options = { isReadonly: true, isCaseSensitive: true };
  context.subscriptions.push(
    ...refusals,
    item,
    vscode.workspace.registerFileSystemProvider(SCHEME, new Texts(), options),
    vscode.window.registerCustomEditorProvider(EDITOR, new Opener()),
  );
}

function refuse(what: string): void {
  void vscode.window.showInformationMessage(`${what}: shlo is a Python program, which needs ${WHERE}.`);
}

/** Opens a text in the place of a file of bytecode, as the extension does elsewhere. */
class Opener implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const view = vscode.Uri.from({ scheme: SCHEME, path: uri.path, query: uri.toString() });
    const document = await vscode.workspace.openTextDocument(view);
    await vscode.window.showTextDocument(document, { ...(panel.viewColumn && { viewColumn: panel.viewColumn }), preview: true });
    panel.dispose();
  }
}

class Texts implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: length, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri.query));
    return new TextEncoder().encode(bytecodeInWords(uri.path.split('/').at(-1) ?? '', bytes, WHERE));
  }

  readDirectory = () => [];
  createDirectory = forbid;
  writeFile = forbid;
  delete = forbid;
  rename = forbid;
}

function forbid(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
