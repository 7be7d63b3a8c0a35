// Programs compared by structure: two texts in which values that both programs have are called alike. The server makes them.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { compareTexts, fileOf } from './bytecode';
import type { Server } from './client';
import { COMPARED_SCHEME, comparisonTitle, type Compared } from './forms';
import { headOf, onOtherRepositoryState } from './git';
import { BUTTONS, offer } from './messages';

/** Milliseconds in which whoever writes a program should be done with it. */
const SETTLED = 500;
const NAMES = ['before', 'after'] as const;

/** Two programs, by where they are: files, old versions in git, texts of editors. */
export interface Pair {
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
}

export class Comparisons implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly answers = new Map<string, Promise<Compared | undefined>>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(COMPARED_SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === COMPARED_SCHEME && this.forget(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => this.makeAgain((side) => side.toString() === uri.toString())),
      onOtherRepositoryState(() => this.makeAgain(({ scheme }) => scheme === 'git')),
      server.onState(({ kind }) => kind === 'running' && this.makeAgain(() => true)),
    ];
  }

  dispose(): void {
    this.timers.forEach(clearTimeout);
    for (const each of [...this.subscriptions, ...this.watchers.values()]) each.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { pair, side } = read(uri);
    const name = keyOf(pair);
    if (!this.watchers.has(name)) this.watchers.set(name, this.watch(pair));
    const answer = await this.ask(pair).catch((error: unknown) => String(error));
    return typeof answer === 'object' ? answer[side] : `// ${answer ?? 'No server is running that could compare the programs.'}\n`;
  }

  /** Opens two programs side by side; says so where they are the same. What is no program is compared as text. */
  async open(pair: Pair, title = `${baseName(pair.before)} ↔ ${baseName(pair.after)}`): Promise<void> {
    const progress = { location: vscode.ProgressLocation.Window, title: `Comparing ${title}` };
    const answer = await vscode.window.withProgress(progress, () => this.ask(pair)).then(undefined, (error: unknown) => void this.log.warn(String(error)));
    if (answer?.reason) this.log.info(`${title}: compared as texts, since ${answer.reason}`);
    if (!answer || answer.reason !== null) return compareTexts(pair.before, pair.after, title);
    if (answer.differs) return this.show(pair, title, answer);
    const asTexts = () => compareTexts(pair.before, pair.after, title);
    await offer('showInformationMessage', `${title}: the same program, ${answer.lines.at(-1)}.`, { 'Compare Texts': asTexts });
  }

  /** Opens two programs in the place of an editor that cannot show them. */
  async openIn(pair: Pair, title: string, viewColumn: vscode.ViewColumn | undefined): Promise<void> {
    const answer = await this.ask(pair).catch((error: unknown) => void this.log.warn(String(error)));
    if (answer?.reason === null) await this.show(pair, title, answer, viewColumn);
    else await compareTexts(pair.before, pair.after, title, viewColumn);
  }

  private async show(pair: Pair, title: string, answer: Compared, viewColumn?: vscode.ViewColumn): Promise<void> {
    const [before, after] = NAMES.map((side) => viewOf(pair, side));
    const options = { ...(viewColumn && { viewColumn }), preview: true };
    await vscode.commands.executeCommand('vscode.diff', before, after, comparisonTitle(title, answer), options);
  }

  /** Asks the server once for both texts. */
  private ask(pair: Pair): Promise<Compared | undefined> {
    const name = keyOf(pair);
    const known = this.answers.get(name);
    if (known) return known;
    const asked = sent(this.server, pair);
    this.answers.set(name, asked);
    const forget = () => this.answers.get(name) === asked && !this.watchers.has(name) && this.answers.delete(name);
    asked.then((answer) => answer === undefined && this.answers.delete(name), () => this.answers.delete(name));
    setTimeout(forget, 10 * SETTLED); // a comparison that is open is kept up to date, another is made anew
    return asked;
  }

  private forget(uri: vscode.Uri): void {
    const { pair } = read(uri);
    const name = keyOf(pair);
    this.answers.delete(name);
    this.watchers.get(name)?.dispose();
    this.watchers.delete(name);
  }

  /** Follows the files of a comparison. */
  private watch(pair: Pair): vscode.Disposable {
    const watchers = NAMES.map((side) => pair[side]).filter(({ scheme }) => scheme === 'file').map((file) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), '*'));
      const tell = (changed: vscode.Uri) => changed.fsPath === file.fsPath && this.makeAgain((each) => each.fsPath === file.fsPath);
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(tell);
      return watcher;
    });
    return vscode.Disposable.from(...watchers);
  }

  /** Makes the texts anew of open comparisons that have such a side, a moment later. */
  private makeAgain(concerns: (side: vscode.Uri) => boolean): void {
    for (const { uri } of vscode.workspace.textDocuments.filter((each) => each.uri.scheme === COMPARED_SCHEME)) {
      const { pair } = read(uri);
      if (!concerns(pair.before) && !concerns(pair.after)) continue;
      const name = keyOf(pair);
      clearTimeout(this.timers.get(name));
      this.timers.set(name, setTimeout(() => this.tell(name, pair), SETTLED));
    }
  }

  private tell(name: string, pair: Pair): void {
    this.timers.delete(name);
    this.answers.delete(name);
    for (const side of NAMES) this.changed.fire(viewOf(pair, side));
  }
}

/** Compares the program of an editor with another one; of two that are chosen in the explorer, the one clicked is the second. */
export async function compareWith(comparisons: Comparisons, file?: vscode.Uri, files: readonly vscode.Uri[] = []): Promise<void> {
  const first = file ?? vscode.window.activeTextEditor?.document.uri;
  if (!first) return void vscode.window.showInformationMessage('Open a program first, or choose two in the explorer.');
  const chosen = fileOf(first);
  const other = files.map(fileOf).find((each) => each.toString() !== chosen.toString());
  if (other) return comparisons.open({ before: other, after: chosen });
  const after = await askFor(chosen);
  if (after) await comparisons.open({ before: chosen, after });
}

/** Compares a program with the version of it in git's last commit. */
export async function compareWithHead(comparisons: Comparisons, file?: vscode.Uri): Promise<void> {
  const uri = file ?? vscode.window.activeTextEditor?.document.uri;
  const after = uri && fileOf(uri);
  if (after?.scheme !== 'file') return void vscode.window.showInformationMessage('Open a program that is in a git repository first.');
  const before = await headOf(after);
  if (before) await comparisons.open({ before, after }, `${baseName(after)} (HEAD ↔ now)`);
  else void offer('showInformationMessage', `git's last commit has no ${baseName(after)}.`, BUTTONS.log);
}

/** Compares the two sides of the comparison of lines in front by structure. */
export async function compareSides(comparisons: Comparisons): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (!(tab?.input instanceof vscode.TabInputTextDiff)) return void vscode.window.showInformationMessage('Open a comparison of two programs first.');
  await comparisons.open({ before: fileOf(tab.input.original), after: fileOf(tab.input.modified) }, tab.label);
}

async function askFor(before: vscode.Uri): Promise<vscode.Uri | undefined> {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) => (input instanceof vscode.TabInputText ? [fileOf(input.uri)] : []));
  const others = new Map(uris.filter(({ path: name }) => /\.(mlir|mlirbc|bc)$/i.test(name)).map((uri) => [uri.toString(), uri]));
  others.delete(before.toString());
  if (others.size) {
    const open = [...others.values()].map((uri) => ({ label: baseName(uri), description: vscode.workspace.asRelativePath(uri), uri }));
    const file = { label: '$(folder-opened) File…', description: '', uri: undefined };
    const chosen = await vscode.window.showQuickPick([...open, file], { title: `Compare ${baseName(before)} by Structure with` });
    if (!chosen?.uri) return chosen && askForFile(before);
    return chosen.uri;
  }
  return askForFile(before);
}

async function askForFile(before: vscode.Uri): Promise<vscode.Uri | undefined> {
  const filters = { Programs: ['mlir', 'mlirbc', 'bc'] };
  return (await vscode.window.showOpenDialog({ title: `Compare ${baseName(before)} by Structure with`, filters }))?.[0];
}

function sent(server: Server, pair: Pair): Promise<Compared | undefined> {
  return Promise.all([sideFor(pair.before), sideFor(pair.after)]).then(([before, after]) => server.request<Compared>('shlo/compare', { before, after }));
}

/** How the server gets a program: as a file, the text of an editor, or bytes that are in no file of the disk. */
async function sideFor(uri: vscode.Uri): Promise<{ uri: string } | { text: string } | { data: string }> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (uri.scheme === 'file' && !document?.isDirty) return { uri: uri.toString() };
  if (document) return { text: document.getText() };
  return { data: Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64') };
}

function viewOf({ before, after }: Pair, side: (typeof NAMES)[number]): vscode.Uri {
  const file = side === 'before' ? before : after;
  const query = JSON.stringify({ before: before.toString(), after: after.toString(), side });
  return vscode.Uri.from({ scheme: COMPARED_SCHEME, path: /\.mlir$/i.test(file.path) ? file.path : `${file.path}.mlir`, query });
}

function read({ query }: vscode.Uri): { pair: Pair; side: (typeof NAMES)[number] } {
  const { before, after, side } = JSON.parse(query) as { before: string; after: string; side: (typeof NAMES)[number] };
  return { pair: { before: vscode.Uri.parse(before), after: vscode.Uri.parse(after) }, side };
}

function keyOf({ before, after }: Pair): string {
  return `${before.toString()} ${after.toString()}`;
}

function baseName({ path: name }: vscode.Uri): string {
  return path.posix.basename(name);
}
