// What a run gave, for people: a line behind the function, and all of it in a document beside the program.

import * as vscode from 'vscode';
import { summary, type RunArgument, type RunResult } from './summary';

const SCHEME = 'shlo-result';
const LANGUAGE = 'shlo-result';
/** Behind a line of more characters nobody sees anything: then a result is shown behind the function's name. */
const VISIBLE = 48;
/** Runs that take longer than this show that they run, and can be stopped. */
const PATIENCE = 700;

/** A line of a program with what a run of one of its functions gave. */
interface Note {
  readonly good: boolean;
  readonly options: vscode.DecorationOptions;
}

export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  /** Where functions stand: the places of their names. */
  private readonly names = new Map<string, vscode.Range>();
  /** What is shown in programs, by their names and the functions. */
  private readonly notes = new Map<string, Map<string, Note>>();
  private readonly problems = vscode.languages.createDiagnosticCollection('shlo run');
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly good = decoration('editorCodeLens.foreground');
  private readonly bad = decoration('errorForeground');
  private readonly subscriptions: vscode.Disposable[];
  private last: vscode.Uri | undefined;

  constructor() {
    this.subscriptions = [
      this.changed,
      this.good,
      this.bad,
      this.problems,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => (contentChanges.length ? this.clear(document.uri) : undefined)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.decorate(editor))),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Remembers where functions stand, so that a result can be shown there. */
  remember(lenses: readonly vscode.CodeLens[]): void {
    for (const { range, command } of lenses) {
      const argument = command?.command === 'shlo.run' ? (command.arguments?.[0] as RunArgument) : undefined;
      if (argument) this.names.set(key(argument), new vscode.Range(range.start, range.end));
    }
  }

  /** Waits for a run; one that takes long shows that, with a button that stops it: then there is no outcome. */
  async whileRunning<T>(
    argument: RunArgument,
    work: (token: vscode.CancellationToken) => Thenable<T>,
  ): Promise<T | undefined> {
    const source = new vscode.CancellationTokenSource();
    const outcome = Promise.resolve(work(source.token));
    const timer = setTimeout(() => void showProgress(argument, outcome, source), PATIENCE);
    try {
      return await outcome;
    } catch (error) {
      if (source.token.isCancellationRequested) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Shows a result. */
  async show(argument: RunArgument, result: RunResult): Promise<void> {
    const uri = resultUri(argument);
    this.texts.set(uri.toString(), `${result.text}\n`);
    this.last = uri;
    this.changed.fire(uri);
    this.note(argument, result);
    await open(uri);
  }

  /** Shows the last result again. */
  async showLast(): Promise<void> {
    if (this.last) await open(this.last);
    else await vscode.window.showInformationMessage('No function was run yet: choose “Run” above one.');
  }

  /** Shows a result in the program, beside those of its other functions, and a failure in Problems. */
  private note(argument: RunArgument, result: RunResult): void {
    const uri = vscode.Uri.parse(argument.uri);
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    const name = this.names.get(key(argument));
    const line = result.position?.line ?? name?.start.line;
    if (document === undefined || line === undefined || line >= document.lineCount) return;
    const { range } = document.lineAt(line);
    const isShort = range.end.character <= VISIBLE || name?.start.line !== line;
    const at = isShort ? range : new vscode.Range(name.end, name.end);
    const good = result.status === 'done';
    const options = { range: at, hoverMessage: plain(result), renderOptions: { after: { contentText: `  ${summary(result)}  ` } } };
    const notes = this.notes.get(uri.toString()) ?? new Map<string, Note>();
    this.notes.set(uri.toString(), notes.set(key(argument), { good, options }));
    const others = (this.problems.get(uri) ?? []).filter(({ code }) => code !== `@${argument.function}`);
    this.problems.set(uri, good ? others : [...others, problemOf(argument, result, document, line)]);
    vscode.window.visibleTextEditors.forEach((editor) => this.decorate(editor));
  }

  private decorate(editor: vscode.TextEditor): void {
    const notes = [...(this.notes.get(editor.document.uri.toString())?.values() ?? [])];
    const shown = (good: boolean) => notes.filter((note) => note.good === good).map(({ options }) => options);
    editor.setDecorations(this.good, shown(true));
    editor.setDecorations(this.bad, shown(false));
  }

  /** A text that was edited may have other results. */
  private clear(uri: vscode.Uri): void {
    if (!this.notes.delete(uri.toString())) return;
    this.problems.delete(uri);
    vscode.window.visibleTextEditors.forEach((editor) => this.decorate(editor));
  }
}

/** What was given, for a hover: text, as strings of a program are data. */
function plain(result: RunResult): vscode.MarkdownString {
  return new vscode.MarkdownString().appendCodeblock(result.text.slice(0, 2000), 'text');
}

function problemOf(argument: RunArgument, result: RunResult, document: vscode.TextDocument, line: number): vscode.Diagnostic {
  const { range } = document.lineAt(line);
  const start = new vscode.Position(line, Math.min(result.position?.character ?? 0, range.end.character));
  const message = `Running @${argument.function}: ${result.message || result.status}`;
  const problem = new vscode.Diagnostic(new vscode.Range(start, range.end), message, vscode.DiagnosticSeverity.Error);
  return Object.assign(problem, { source: 'shlo run', code: `@${argument.function}` });
}

function decoration(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), fontStyle: 'italic', margin: '0 0 0 1em' },
  });
}

function key({ uri, function: name, program }: RunArgument): string {
  return JSON.stringify([vscode.Uri.parse(uri).toString(), name, program]);
}

function resultUri(argument: RunArgument): vscode.Uri {
  const path = `/@${argument.function.replace(/[\\/\p{C}]/gu, '_')} results`;
  return vscode.Uri.from({ scheme: SCHEME, path, query: key(argument) });
}

async function open(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const known = await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
  await vscode.window.showTextDocument(known, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}

function showProgress(
  argument: RunArgument,
  outcome: Promise<unknown>,
  source: vscode.CancellationTokenSource,
): Thenable<unknown> {
  const options = { location: vscode.ProgressLocation.Notification, title: `Running @${argument.function}`, cancellable: true };
  return vscode.window.withProgress(options, (_, token) => {
    token.onCancellationRequested(() => source.cancel());
    return outcome.catch(() => undefined);
  });
}
