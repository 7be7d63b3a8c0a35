// Other texts of a program, in an editor beside it: MLIR's own, generic, tidied, folded, refined, transformed, inspected.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { split } from './arguments';
import { fileOf } from './bytecode';
import type { Server } from './client';
import { SHOWN_SCHEME } from './forms';
import { BUTTONS, noServer, offer } from './messages';
import { run, type Ended } from './processes';
import { subcommand } from './servers';

const PATIENCE = 120_000;

/** A text to show: the subcommand of `shlo` that makes it, and what is asked for first. */
interface Text {
  readonly label: string;
  readonly detail: string;
  /** Whether operations of the program are computed: not in a folder without trust. */
  readonly computes?: true;
  /** The words of the command; the program's file is put in the place of `FILE`. Nothing: it was called off. */
  words(server: Ask): Promise<readonly string[] | undefined> | readonly string[];
}

/** Runs a command of `shlo` that concerns no file. */
type Ask = (...words: string[]) => Promise<Ended>;

export const TEXTS = {
  canonical: { label: 'Canonical', detail: "MLIR's own text, without comments", words: () => ['fmt', '--canonical', 'FILE'] },
  generic: { label: 'Generic', detail: 'every operation as "name"(operands) <{attributes}> : types', words: () => ['fmt', '--generic', 'FILE'] },
  pretty: { label: 'Tidied', detail: 'names, aliases and comments stay', words: () => ['fmt', 'FILE'] },
  folded: { label: 'Folded', detail: 'what constants decide is computed', computes: true, words: () => ['fold', 'FILE'] },
  refined: { label: 'Refined…', detail: 'for arguments of given types', computes: true, words: askTypes },
  transformed: { label: 'Transformed…', detail: 'by passes of your choice', computes: true, words: askPasses },
  inspected: { label: 'Inspected', detail: 'what is in a file of bytecode', words: () => ['inspect', 'FILE'] },
} as const satisfies Record<string, Text>;

export type TextName = keyof typeof TEXTS;

export class Shown implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SHOWN_SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Shows a text of a program, the chosen one or that of the editor; asks which where that is not said. */
  async show(name: TextName | undefined, chosen: vscode.Uri | undefined): Promise<void> {
    const uri = chosen ?? vscode.window.activeTextEditor?.document.uri;
    if (!uri) return void vscode.window.showInformationMessage('Open a program first.');
    const wanted = name ?? (await askText(isBytecodeName(uri)));
    if (wanted === undefined) return;
    const text: Text = TEXTS[wanted];
    if (text.computes && !vscode.workspace.isTrusted)
      return void offer('showWarningMessage', 'This folder is not trusted: nothing of its programs is computed.', BUTTONS.trust);
    const server = await this.server.command();
    if (!server) return noServer(text.label);
    const ask: Ask = (...words) => run(subcommand(server.base, ...words), { cwd: this.server.folder, milliseconds: PATIENCE });
    const words = await text.words(ask);
    if (words === undefined) return;
    const program = await programAt(uri);
    const ended = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `${text.label.replace('…', '')}: ${path.basename(uri.path)}`, cancellable: true },
      (_, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        const invocation = subcommand(server.base, ...words.map((word) => (word === 'FILE' ? program.file : word)));
        const input = program.text === undefined ? {} : { input: program.text };
        return run(invocation, { cwd: program.folder, milliseconds: PATIENCE, signal: abort.signal, ...input });
      },
    );
    if (ended.cut === 'abort') return;
    if (ended.code !== 0) return failed(text.label, ended);
    await this.open(uri, wanted, ended.output);
  }

  private async open(program: vscode.Uri, name: TextName, text: string): Promise<void> {
    const { dir, name: stem } = path.posix.parse(program.path);
    const uri = vscode.Uri.from({ scheme: SHOWN_SCHEME, path: path.posix.join(dir, `${stem} (${name}).mlir`), query: program.toString() });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const known = await vscode.languages.setTextDocumentLanguage(document, name === 'inspected' ? 'plaintext' : 'mlir');
    await vscode.window.showTextDocument(known, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}

/** How `shlo` gets a program: as the file that is saved, or the text as it is in the editor, unsaved. */
async function programAt(uri: vscode.Uri): Promise<{ file: string; folder: string; text?: string }> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const file = fileOf(uri);
  const folder = file.scheme === 'file' ? path.dirname(file.fsPath) : '.';
  if (file.scheme === 'file' && !document?.isDirty) return { file: file.fsPath, folder };
  const text = (document ?? (await vscode.workspace.openTextDocument(uri))).getText();
  return { file: '-', folder: file.scheme === 'file' ? folder : process.cwd(), text };
}

function isBytecodeName(uri: vscode.Uri): boolean {
  return /\.(mlirbc|bc)$/i.test(fileOf(uri).path);
}

async function askText(isBytecode: boolean): Promise<TextName | undefined> {
  const names = (Object.keys(TEXTS) as TextName[]).filter((name) => isBytecode || name !== 'inspected');
  const items = names.map((name) => ({ label: TEXTS[name].label, description: TEXTS[name].detail, name }));
  return (await vscode.window.showQuickPick(items, { title: 'Show the Program as…', matchOnDescription: true }))?.name;
}

async function askTypes(): Promise<readonly string[] | undefined> {
  const answer = await vscode.window.showInputBox({
    title: 'Refine Shapes',
    prompt: 'For each argument a type, _ for the declared one, or an integer',
    placeHolder: '3x4xf32 _ 5',
  });
  return answer === undefined ? undefined : ['refine', '--', 'FILE', ...split(answer)];
}

async function askPasses(ask: Ask): Promise<readonly string[] | undefined> {
  const { output, code, errors } = await ask('opt', '--list', '--format=json');
  if (code !== 0) throw new Error(errors.trim() || 'the passes could not be listed');
  const { passes } = JSON.parse(output) as { passes: readonly { name: string; summary: string }[] };
  const items = passes.map(({ name, summary }) => ({ label: name, detail: summary }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Passes, in the order in which they are listed', canPickMany: true, matchOnDetail: true });
  return chosen?.length ? ['opt', `--pass=${chosen.map(({ label }) => label).join(',')}`, 'FILE'] : undefined;
}

function failed(label: string, { errors, code, cut }: Ended): void {
  const lines = errors.trim().split('\n');
  const why = cut === 'time' ? 'it took too long' : lines.find((line) => line.includes('error')) || lines[0] || `exit code ${code}`;
  void offer('showErrorMessage', `${label.replace('…', '')}: ${why}`, { ...BUTTONS.log });
}
