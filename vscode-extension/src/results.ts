// What a run gave, for people: a line behind the function, and all of it in a document beside the program.

import * as vscode from 'vscode';
import { summary, type RunArgument, type RunResult } from './summary';

const SCHEME = 'shlo-result';
/** Runs that take longer than this show that they run, and can be stopped. */
const PATIENCE = 700;
export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly lines = new Map<string, number>();
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
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.clear(document.uri)),
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
      if (argument) this.lines.set(key(argument), range.start.line);
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
    this.decorate(argument, result);
    await open(uri);
  }

  /** Shows the last result again. */
  async showLast(): Promise<void> {
    if (this.last) await open(this.last);
    else await vscode.window.showInformationMessage('No function was run yet: choose “Run” above one.');
  }

  private decorate(argument: RunArgument, result: RunResult): void {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === argument.uri);
    const line = result.position?.line ?? this.lines.get(key(argument));
    if (editor === undefined || line === undefined || line >= editor.document.lineCount) return;
    const range = editor.document.lineAt(line).range;
    const shown = [{ range, renderOptions: { after: { contentText: `  ${summary(result)}` } } }];
    const good = result.status === 'done';
    editor.setDecorations(this.good, good ? shown : []);
    editor.setDecorations(this.bad, good ? [] : shown);
  }

  /** A text that was edited may have other results. */
  private clear(uri: vscode.Uri): void {
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document.uri.toString() === uri.toString())
        for (const kind of [this.good, this.bad]) editor.setDecorations(kind, []);
  }
}

function decoration(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
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
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
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
