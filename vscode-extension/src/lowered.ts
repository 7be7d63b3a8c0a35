// A file of Python beside the program that one of its functions is lowered to. The server lowers, compares and counts.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { split } from './arguments';
import type { Server } from './client';
import { LOWERED_SCHEME } from './forms';
import { noServer } from './messages';

/** A line, from 1, and what is said behind it. */
interface Words {
  readonly line: number;
  readonly text: string;
}

/** What the server says of a lowering: lines count from 1. */
interface Lowered {
  readonly text: string;
  readonly lines: readonly (readonly [number, number])[];
  readonly costs: readonly Words[];
  readonly values: readonly (readonly [number, number])[];
  readonly changed: readonly number[];
  readonly difference: string;
}

const NOTHING: Lowered = { text: '', lines: [], costs: [], values: [], changed: [], difference: '' };
const MEMORY = 'shlo.lowered';

export class Lowerings implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly shown = new Map<string, Lowered>();
  /** What operations gave in the last run of a program that is shown, by its lines. */
  private readonly given = new Map<string, ReadonlyMap<number, string>>();
  private readonly news = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.news.event;
  private readonly same = decoration({ isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.symbolHighlightBackground') });
  private readonly changed = decoration({ isWholeLine: true, backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground') });
  private readonly cost = decoration({ after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground') } });
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly memory: vscode.Memento,
  ) {
    this.subscriptions = [
      this.news,
      this.same,
      this.changed,
      this.cost,
      vscode.workspace.registerTextDocumentContentProvider(LOWERED_SCHEME, this),
      server.onRun(({ argument: { uri }, result }) => this.keep(uri, result.values ?? [])),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.lowerAgain(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === LOWERED_SCHEME && this.decorate()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri.toString())),
      vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.shown.get(uri.toString())?.text ?? '';
  }

  /** Asks for a function of the file in front and its arguments, and shows what it is lowered to beside it. */
  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const file = editor?.document.uri;
    if (editor?.document.languageId !== 'python' || file?.scheme !== 'file')
      return void vscode.window.showInformationMessage('Put the cursor into a function of a Python file first.');
    const call = await this.ask(editor);
    if (!call || (editor.document.isDirty && !(await editor.document.save()))) return;
    const uri = viewOf(file, call);
    if (!(await this.lower(uri, undefined))) return;
    const document = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), 'mlir');
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
    this.decorate();
  }

  private async ask({ document, selection }: vscode.TextEditor): Promise<string | undefined> {
    const key = `${MEMORY} ${document.uri.toString()}`;
    const above = document.getText(new vscode.Range(0, 0, selection.active.line + 1, 0));
    const name = [...above.matchAll(/^def (\w+)/gm)].at(-1)?.[1] ?? '';
    const last = this.memory.get<string>(key);
    const value = last?.split(/\s/)[0] === name ? last : `${name} `;
    const prompt = 'A function, then its arguments: functions of this file that return a tuple of them, .npz or .npy files, numbers';
    const call = await vscode.window.showInputBox({ title: 'Lower Beside', prompt, value, valueSelection: [value.length, value.length] });
    if (call) await this.memory.update(key, call);
    return call?.trim();
  }

  /** Lowers anew what a saved file has beside it; where that fails, the program stays. */
  private async lowerAgain(file: vscode.Uri): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    for (const [name, { text }] of this.shown) {
      const uri = vscode.Uri.parse(name);
      if (read(uri).file !== file.toString() || !(await this.lower(uri, text))) continue;
      vscode.window.setStatusBarMessage(`$(git-compare) ${this.shown.get(name)?.difference ?? ''}`, 10_000);
    }
  }

  private async lower(uri: vscode.Uri, before: string | undefined): Promise<boolean> {
    const { file, call } = read(uri);
    const [name, ...words] = split(call);
    const asked = { uri: file, function: name ?? '', arguments: words, before: before ?? null };
    const title = `Lowering ${path.posix.basename(vscode.Uri.parse(file).path)}:${name ?? ''}`;
    const lowering = () => this.server.request<Lowered>('shlo/lowerPython', asked);
    const answer = await vscode.window
      .withProgress({ location: vscode.ProgressLocation.Window, title }, lowering)
      .then(undefined, (error: unknown) => {
        void vscode.window.showErrorMessage(`${title}: ${error instanceof Error ? error.message : String(error)}`);
        return NOTHING;
      });
    if (!answer) noServer('Lowering');
    if (!answer?.text) return false;
    this.given.delete(uri.toString());
    this.shown.set(uri.toString(), answer);
    this.news.fire(uri);
    this.decorate();
    return true;
  }

  private forget(name: string): void {
    this.given.delete(name);
    if (this.shown.delete(name)) this.decorate();
  }

  /** Keeps what a run of a program gave. */
  private keep(uri: string, values: readonly Words[]): void {
    const name = vscode.Uri.parse(uri).toString();
    if (!this.shown.has(name)) return;
    this.given.set(name, new Map(values.map(({ line, text }) => [line, text])));
    this.decorate();
  }

  /** Marks the lines of the other side that belong to the line at the cursor, and brings them into sight. */
  private follow(at: vscode.TextEditor): void {
    if (at.viewColumn === undefined) return; // the output and what is peeked at, where no cursor is led
    for (const editor of vscode.window.visibleTextEditors) {
      const found = this.sameIn(editor.document, at);
      editor.setDecorations(this.same, found.map(rangeOf));
      if (found[0] !== undefined) editor.revealRange(rangeOf(found[0]), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  private sameIn(shown: vscode.TextDocument, { document, selection }: vscode.TextEditor): number[] {
    const sides = [document.uri.toString(), shown.uri.toString()].join(' ');
    return [...this.shown].flatMap(([name, { lines }]) => {
      const { file } = read(vscode.Uri.parse(name));
      const pairs = sides === `${name} ${file}` ? lines : sides === `${file} ${name}` ? lines.map(([one, other]) => [other, one] as const) : [];
      return pairs.filter(([line]) => line === selection.active.line + 1).map(([, other]) => other);
    });
  }

  private decorate(): void {
    for (const editor of vscode.window.visibleTextEditors.filter(({ document }) => document.languageId === 'python'))
      editor.setDecorations(this.cost, this.costsIn(editor.document));
    for (const [name, { changed }] of this.shown) for (const editor of editorsOf(name)) editor.setDecorations(this.changed, changed.map(rangeOf));
    if (vscode.window.activeTextEditor) this.follow(vscode.window.activeTextEditor);
  }

  private costsIn({ uri, lineCount }: vscode.TextDocument): vscode.DecorationOptions[] {
    const shown = [...this.shown].find(([name]) => read(vscode.Uri.parse(name)).file === uri.toString());
    if (!shown) return [];
    const [name, { costs, values }] = shown;
    const given = this.given.get(name);
    const ends = new Map(values.map(([line, end]) => [line, given?.get(end)]));
    return costs
      .filter(({ line }) => line <= lineCount)
      .map(({ line, text }) => {
        const contentText = ends.get(line) === undefined ? text : `${text}; gave ${ends.get(line)}`;
        return { range: new vscode.Range(line - 1, 1e6, line - 1, 1e6), renderOptions: { after: { contentText } } };
      });
  }
}

const decoration = (options: vscode.DecorationRenderOptions) => vscode.window.createTextEditorDecorationType(options);

const rangeOf = (line: number) => new vscode.Range(line - 1, 0, line - 1, 0);

const editorsOf = (uri: string) => vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);

/** The program of a call: the file and the words are in the query. */
function viewOf(file: vscode.Uri, call: string): vscode.Uri {
  const name = `${path.posix.basename(file.path, '.py')}:${call.split(/\s/)[0]}`;
  return vscode.Uri.from({ scheme: LOWERED_SCHEME, path: path.posix.join(path.posix.dirname(file.path), `${name}.mlir`), query: JSON.stringify({ file: file.toString(), call }) });
}

function read({ query }: vscode.Uri): { file: string; call: string } {
  return JSON.parse(query) as { file: string; call: string };
}
