// Files of bytecode as texts: files of a scheme of their own. The server makes the texts, and of edited ones the files.

import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './client';
import { isBytecode, otherText, textWithoutServer, VIEW_SCHEME } from './forms';
import { onOtherRepositoryState } from './git';

/** The editor that VS Code opens for files that may be bytecode. */
const EDITOR = 'shlo.bytecode';
/** Milliseconds in which whoever writes a file should be done with it. */
const SETTLED = 300;
/** Milliseconds in which the other side of a comparison comes, and tabs are known. */
const PAIRED = 1000;

/** A text, and what it was made of. */
interface Made {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly changed: number;
  /** What the server calls the file that the text is of; nothing where the text cannot be edited. */
  readonly edition: string | undefined;
}

/** A text, and what its file is called. */
type Answer = Pick<Made, 'edition'> & { readonly text: string };

/** The text of a file of bytecode. What is in no file of the disk, as an old version in git, is named in the query. */
export function viewOf(file: vscode.Uri): vscode.Uri {
  const query = file.scheme === 'file' ? '' : file.toString();
  return file.with({ scheme: VIEW_SCHEME, authority: '', query, fragment: '' });
}

/** The text of a file for a comparison: under a name that VS Code does not give to an editor of ours again. */
function sideOf(file: vscode.Uri): vscode.Uri {
  return file.with({ scheme: VIEW_SCHEME, path: `${file.path}.mlir`, authority: '', query: file.toString(), fragment: '' });
}

/** The file that a text is of; other files are themselves. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== VIEW_SCHEME) return uri;
  return uri.query ? vscode.Uri.parse(uri.query) : vscode.Uri.file(uri.fsPath);
}

/** Shows two programs, as text or bytecode, side by side with their differences marked. */
export async function compareTexts(left: vscode.Uri, right: vscode.Uri, title: string, viewColumn?: vscode.ViewColumn): Promise<void> {
  const [before, after] = await Promise.all([left, right].map(async (each) => ((await holdsText(each)) ? each : sideOf(fileOf(each)))));
  await vscode.commands.executeCommand('vscode.diff', before, after, title, { ...(viewColumn && { viewColumn }), preview: true });
}

async function holdsText(file: vscode.Uri): Promise<boolean> {
  return !/\.(mlirbc|bc)$/i.test(file.path) && !isBytecode(await vscode.workspace.fs.readFile(file));
}

/** Opens a comparison of two files in the place of one that VS Code cannot show. */
type Compare = (left: vscode.Uri, right: vscode.Uri, title: string, viewColumn?: vscode.ViewColumn) => Promise<void>;

/** Makes the texts known, and opens them for files that are bytecode. */
export function showBytecode(server: Server, log: vscode.LogOutputChannel, compare: Compare): vscode.Disposable[] {
  const texts = new Texts(server, log);
  return [
    texts,
    vscode.workspace.registerFileSystemProvider(VIEW_SCHEME, texts, { isCaseSensitive: true }),
    vscode.window.registerCustomEditorProvider(EDITOR, new Opener(compare)),
  ];
}

/** Opens the text of a file of bytecode. */
export async function openText(file: vscode.Uri, viewColumn?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(viewOf(file));
  const known = document.languageId === 'mlir' ? document : await vscode.languages.setTextDocumentLanguage(document, 'mlir');
  await vscode.window.showTextDocument(known, { ...(viewColumn && { viewColumn }), preview: true });
}

/** A panel of ours that waits for being known: by itself, or a side of a comparison. */
interface Side {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
}

/**
 * Stands in for an editor: it opens the text in its own place, and files that are no bytecode as VS Code would. Where
 * two files are compared VS Code asks for an editor of each, left one first; both give way to a comparison of texts.
 */
class Opener implements vscode.CustomReadonlyEditorProvider {
  private waiting: Side[] = [];

  constructor(private readonly show: Compare) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const side = { uri, panel };
    this.waiting.push(side);
    const end = Date.now() + PAIRED;
    while (this.waiting.includes(side) && !hasOwnTab(uri) && Date.now() < end) {
      const [left, right] = this.waiting;
      if (left && right && left !== right && comparison()) return this.compare(left, right);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (!this.waiting.includes(side)) return; // the other side has seen to it
    this.waiting = this.waiting.filter((each) => each !== side);
    await openAlone(side);
  }

  private async compare(left: Side, right: Side): Promise<void> {
    this.waiting = this.waiting.filter((each) => each !== left && each !== right);
    const title = comparison()?.label ?? path.basename(right.uri.path);
    await this.show(left.uri, right.uri, title, right.panel.viewColumn);
    for (const { panel } of [left, right]) panel.dispose();
    await closeComparison(title);
  }
}

/** Closes the comparison that has given way to one of texts with the same title. */
async function closeComparison(title: string): Promise<void> {
  const isText = ({ input }: vscode.Tab) => input instanceof vscode.TabInputTextDiff && input.modified.path.endsWith('.mlir');
  const end = Date.now() + PAIRED;
  for (;;) {
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => tab.label === title && !isText(tab));
    if (tabs.length === 0 || Date.now() > end) return;
    await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined); // it may just have gone
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function openAlone({ uri: shown, panel }: Side): Promise<void> {
  const { viewColumn } = panel;
  const uri = fileOf(shown);
  const isShown = uri.scheme === 'file' ? await startsAsBytecode(uri) : true;
  if (isShown) await openText(uri, viewColumn);
  else await vscode.commands.executeCommand('vscode.openWith', uri, 'default', viewColumn);
  panel.dispose();
}

/** Whether a file is in an editor of ours that has a tab of its own. */
function hasOwnTab(uri: vscode.Uri): boolean {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return inputs.some((input) => input instanceof vscode.TabInputCustom && input.viewType === EDITOR && input.uri.toString() === uri.toString());
}

/** The tab in front, if it is a comparison of editors that are not VS Code's own: it has no type for those. */
function comparison(): vscode.Tab | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab && (activeTab.input === undefined || activeTab.input instanceof vscode.TabInputTextDiff) ? activeTab : undefined;
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
  /** The texts that are to be made again, though their files are the same. */
  private readonly stale = new Set<string>();
  /** The editions of the files that editors show the texts of. */
  private readonly shown = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      server.onState(({ kind }) => (kind === 'starting' ? undefined : this.makeAgain(() => true))),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => [this.made, this.shown, this.stale].forEach((each) => each.delete(uri.toString()))),
      onOtherRepositoryState(() => this.makeAgain(({ query }) => query !== '')),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  /** Tells when the file behind a text changes, a moment later. */
  watch(uri: vscode.Uri): vscode.Disposable {
    const file = fileOf(uri);
    if (file.scheme !== 'file') return new vscode.Disposable(() => undefined); // git tells of what changes there
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
    const { bytes, changed, edition } = await this.text(uri);
    const stat = { type: vscode.FileType.File, ctime: 0, mtime: changed, size: bytes.length };
    return edition === undefined ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { bytes, edition } = await this.text(uri);
    this.show(uri, edition);
    return bytes;
  }

  /** Writes the file of an edited text: as what it is, or not at all. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const file = fileOf(uri);
    const edition = this.shown.get(uri.toString()) ?? (await this.text(uri)).edition; // a text of a backup was not read
    if (file.scheme !== 'file' || edition === undefined) throw vscode.FileSystemError.NoPermissions(uri);
    const asked = { uri: file.toString(), text: Buffer.from(content).toString(), edition };
    const answer = await this.server.request<{ edition: string }>('shlo/writeBytecode', asked).catch((error: unknown) => this.fail(error));
    if (!answer) throw vscode.FileSystemError.Unavailable('no server is running that could write it');
    this.show(uri, answer.edition);
  }

  readDirectory = () => [];
  createDirectory = refuse;
  delete = refuse;
  rename = refuse;

  /** The text of a file as it is now: made once for each state of the file and of the server. */
  private async text(uri: vscode.Uri): Promise<Made> {
    const file = fileOf(uri);
    const { mtime, size } = await vscode.workspace.fs.stat(file).then(undefined, () => {
      throw vscode.FileSystemError.FileNotFound(uri);
    });
    const key = `${mtime} ${size}`;
    const name = uri.toString();
    const before = await this.made.get(name)?.catch(() => undefined);
    if (before?.key === key && !this.stale.delete(name)) return before;
    const made = this.make(file, key, before);
    this.made.set(name, made);
    return made;
  }

  private async make(file: vscode.Uri, key: string, before: Made | undefined): Promise<Made> {
    const { text, edition } = file.scheme === 'file' ? await this.textOfFile(file) : await this.textOfBytes(file);
    const bytes = Buffer.from(text);
    return { key, bytes, changed: before && bytes.equals(before.bytes) ? before.changed : Date.now(), edition };
  }

  private async textOfFile(file: vscode.Uri): Promise<Answer> {
    return (await isProgram(this.server, file)) ? this.ask(file) : other(file, await vscode.workspace.fs.readFile(file));
  }

  /** The text of bytecode that is in no file of the disk: the server gets it in one. */
  private async textOfBytes(file: vscode.Uri): Promise<Answer> {
    const bytes = await vscode.workspace.fs.readFile(file);
    if (!isBytecode(bytes)) return other(file, bytes);
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'shlo-'));
    try {
      const copy = vscode.Uri.file(path.join(folder, path.basename(file.path)));
      await fs.writeFile(copy.fsPath, bytes);
      return { ...(await this.ask(copy)), edition: undefined };
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  private async ask(file: vscode.Uri): Promise<Answer> {
    const answer = await read(this.server, file).catch((error: unknown) => this.fail(error));
    if (!answer) return { text: textWithoutServer(file.fsPath, vscode.workspace.isTrusted), edition: undefined };
    return { text: answer.text, edition: answer.edition ?? undefined };
  }

  private fail(error: unknown): never {
    this.log.warn(String(error));
    throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
  }

  private show(uri: vscode.Uri, edition: string | undefined): void {
    if (edition === undefined) this.shown.delete(uri.toString());
    else this.shown.set(uri.toString(), edition);
  }

  /** The server came or went, or git has other versions: what was made, or was not, is made anew. */
  private makeAgain(concerns: (uri: vscode.Uri) => boolean): void {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri).filter((uri) => uri.scheme === VIEW_SCHEME && concerns(uri));
    for (const uri of open) this.stale.add(uri.toString());
    if (open.length) this.tell(open);
  }

  private tell(uris: readonly vscode.Uri[]): void {
    this.changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

/** What the server makes of a file. */
function read(server: Server, file: vscode.Uri): Promise<{ text: string; edition: string | null } | undefined> {
  return server.request('shlo/readBytecode', { uri: file.toString() });
}

/** Whether a file of the disk holds a program: MLIR bytecode, or what the server can read, as a file of jax.export. */
export async function isProgram(server: Server, file: vscode.Uri): Promise<boolean> {
  return (await startsAsBytecode(file)) || read(server, file).then((answer) => answer !== undefined, () => false);
}

function other(file: vscode.Uri, bytes: Uint8Array): Answer {
  return { text: otherText(file.path, bytes), edition: undefined };
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
