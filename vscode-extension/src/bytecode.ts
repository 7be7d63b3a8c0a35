// Files of bytecode as texts: files of a scheme of their own, which can be read and not written. The server makes them.

import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Server } from './client';
import { isBytecode, textWithoutServer, VIEW_SCHEME } from './forms';

/** The editor that VS Code opens for files that may be bytecode. */
const EDITOR = 'shlo.bytecode';
/** Milliseconds in which whoever writes a file should be done with it. */
const SETTLED = 300;

/** A text, and what it was made of. */
interface Made {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly changed: number;
}

/** The text of a file of bytecode. */
export function viewOf(file: vscode.Uri): vscode.Uri {
  return file.with({ scheme: VIEW_SCHEME, authority: '', query: '', fragment: '' });
}

/** The file that a text is of; other files are themselves. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === VIEW_SCHEME ? vscode.Uri.file(uri.fsPath) : uri;
}

/** Makes the texts known, and opens them for files that are bytecode. */
export function showBytecode(server: Server, log: vscode.LogOutputChannel): vscode.Disposable[] {
  const texts = new Texts(server, log);
  return [
    texts,
    vscode.workspace.registerFileSystemProvider(VIEW_SCHEME, texts, { isReadonly: true, isCaseSensitive: true }),
    vscode.window.registerCustomEditorProvider(EDITOR, new Opener()),
  ];
}

/** Opens the text of a file of bytecode. */
export async function openText(file: vscode.Uri, viewColumn?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(viewOf(file));
  const known = document.languageId === 'mlir' ? document : await vscode.languages.setTextDocumentLanguage(document, 'mlir');
  await vscode.window.showTextDocument(known, { ...(viewColumn && { viewColumn }), preview: true });
}

/** Stands in for an editor: it opens the text in its own place, and files that are no bytecode as VS Code would. */
class Opener implements vscode.CustomReadonlyEditorProvider {
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { viewColumn } = panel;
    if (uri.scheme === 'file' && (await startsAsBytecode(uri))) await openText(uri, viewColumn);
    else await vscode.commands.executeCommand('vscode.openWith', uri, 'default', viewColumn);
    panel.dispose();
  }
}

/** Whether a file of the disk is MLIR bytecode. */
export async function startsAsBytecode(file: vscode.Uri): Promise<boolean> {
  const handle = await fs.open(file.fsPath).catch(() => undefined);
  try {
    const { buffer } = (await handle?.read(new Uint8Array(4), 0, 4, 0)) ?? { buffer: new Uint8Array() };
    return isBytecode(buffer);
  } catch {
    return false; // a folder, or something that cannot be read
  } finally {
    await handle?.close();
  }
}

class Texts implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly made = new Map<string, Promise<Made>>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      server.onState(({ kind }) => (kind === 'starting' ? undefined : this.makeAgain())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.made.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  /** Tells when the file behind a text changes, a moment later. */
  watch(uri: vscode.Uri): vscode.Disposable {
    const file = fileOf(uri);
    const folder = vscode.Uri.joinPath(file, '..');
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    let timer: NodeJS.Timeout | undefined;
    const tell = (changed: vscode.Uri) => {
      if (changed.fsPath !== file.fsPath) return;
      clearTimeout(timer);
      timer = setTimeout(() => this.tell([uri]), SETTLED);
    };
    const subscriptions = [watcher, watcher.onDidChange(tell), watcher.onDidCreate(tell), watcher.onDidDelete(tell)];
    return new vscode.Disposable(() => {
      clearTimeout(timer);
      for (const each of subscriptions) each.dispose();
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changed } = await this.text(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changed, size: bytes.length, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.text(uri)).bytes;
  }

  readDirectory = () => [];
  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;

  /** The text of a file as it is now: made once for each state of the file and of the server. */
  private async text(uri: vscode.Uri): Promise<Made> {
    const { mtimeMs, size } = await fs.stat(uri.fsPath).catch(() => {
      throw vscode.FileSystemError.FileNotFound(uri);
    });
    const key = `${mtimeMs} ${size}`;
    const name = uri.toString();
    const before = await this.made.get(name)?.catch(() => undefined);
    if (before?.key === key) return before;
    const made = this.make(uri, key);
    this.made.set(name, made);
    return made;
  }

  private async make(uri: vscode.Uri, key: string): Promise<Made> {
    const file = fileOf(uri);
    const text = await this.ask(file);
    return { key, bytes: Buffer.from(text), changed: Date.now() };
  }

  private async ask(file: vscode.Uri): Promise<string> {
    try {
      const answer = await this.server.request<{ text: string }>('shlo/readBytecode', { uri: file.toString() });
      return answer?.text ?? textWithoutServer(file.fsPath, vscode.workspace.isTrusted);
    } catch (error) {
      this.log.warn(String(error));
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
  }

  /** The server came or went: what it made, or did not make, is made anew. */
  private makeAgain(): void {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === VIEW_SCHEME);
    this.made.clear();
    this.tell(open);
  }

  private tell(uris: readonly vscode.Uri[]): void {
    this.changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
