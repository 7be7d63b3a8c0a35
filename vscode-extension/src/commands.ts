// The commands, as a table.

import * as vscode from 'vscode';
import { fileOf } from './bytecode';
import type { Server } from './client';
import { convert, openBytecode } from './convert';
import type { Environment } from './environment';
import { selectedPython } from './python';
import type { Results } from './results';
import type { Candidate } from './servers';
import { isRunArgument, type RunArgument } from './summary';
import * as terminal from './terminal';

/** How many lenses are asked for. */
const MANY = 10_000;

export interface Parts {
  readonly log: vscode.LogOutputChannel;
  readonly environment: Environment;
  readonly results: Results;
  readonly server: Server;
}

interface Command {
  readonly id: string;
  /** Whether it starts a program of the folder: refused where there is no trust. */
  readonly runs?: true;
  /** Lenses say which function they stand above, menus which file was chosen; the palette says nothing. */
  execute(parts: Parts, argument?: RunArgument, file?: vscode.Uri): Promise<void> | void;
}

export const COMMANDS: readonly Command[] = [
  { id: 'shlo.runFunction', runs: true, execute: runFunction },
  { id: 'shlo.testFile', runs: true, execute: (parts, argument) => withFile(parts, argument, terminal.test) },
  { id: 'shlo.debugFile', runs: true, execute: debugFunction },
  { id: 'shlo.openBytecode', execute: (_, __, file) => openBytecode(file) },
  { id: 'shlo.convertToText', execute: ({ server }, _, file) => convert(server, 'text', file) },
  { id: 'shlo.convertToBytecode', execute: ({ server }, _, file) => convert(server, 'bytecode', file) },
  { id: 'shlo.convertToArtifact', execute: ({ server }, _, file) => convert(server, 'artifact', file) },
  { id: 'shlo.showResult', execute: ({ results }) => results.showLast() },
  { id: 'shlo.restartServer', execute: ({ server }) => server.restart() },
  { id: 'shlo.showLog', execute: ({ log }) => log.show() },
  { id: 'shlo.createEnvironment', execute: createEnvironment },
];

/** Makes the commands known. */
export function register(parts: Parts): vscode.Disposable[] {
  return COMMANDS.map(({ id, runs, execute }) =>
    vscode.commands.registerCommand(id, (argument?: unknown) => {
      const file = argument instanceof vscode.Uri ? argument : undefined;
      if (!runs || vscode.workspace.isTrusted) return execute(parts, isRunArgument(argument) ? argument : undefined, file);
      return void vscode.window.showWarningMessage('This folder is not trusted: its programs are not run.');
    }),
  );
}

/** Runs the function that the cursor is in, as its lens would. */
async function runFunction(): Promise<void> {
  const command = await lensCommand('shlo.run');
  if (command) await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

async function debugFunction(parts: Parts, argument?: RunArgument): Promise<void> {
  const chosen = argument ?? ((await lensCommand('shlo.debugFile'))?.arguments?.[0] as RunArgument | undefined);
  await withFile(parts, chosen, terminal.debug);
}

/** The command of the lens above the cursor; asks for one where there is none above. */
async function lensCommand(id: string): Promise<vscode.Command | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const uri = editor.document.uri;
  const lenses = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, MANY)) ?? [];
  const matching = lenses.filter(({ command }) => command?.command === id);
  const above = matching.filter(({ range }) => range.start.line <= editor.selection.active.line);
  return (above.at(-1) ?? (await choice(matching)))?.command;
}

async function choice(lenses: readonly vscode.CodeLens[]): Promise<vscode.CodeLens | undefined> {
  if (lenses.length === 0) {
    void vscode.window.showInformationMessage('There is no function here for which this could be done.');
    return undefined;
  }
  const items = lenses.map((lens) => ({ label: `@${(lens.command?.arguments?.[0] as RunArgument).function}`, lens }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which function?' }))?.lens;
}

type Action = (server: Candidate, file: string, name: string | undefined) => unknown;

/** Saves the program of the editor and hands it to a command in the terminal. */
async function withFile({ server }: Parts, argument: RunArgument | undefined, action: Action): Promise<void> {
  const document = argument
    ? await vscode.workspace.openTextDocument(vscode.Uri.parse(argument.uri))
    : vscode.window.activeTextEditor?.document;
  const file = document && fileOf(document.uri);
  if (document?.languageId !== 'mlir' || file?.scheme !== 'file' || (document.isDirty && !(await document.save()))) {
    void vscode.window.showInformationMessage('Open a .mlir file that is saved on a disk first.');
    return;
  }
  const found = await server.command();
  if (found) await action(found, file.fsPath, argument?.function);
  else void vscode.window.showWarningMessage('shlo was not found: restart its language server to see what is missing.');
}

/** Makes the extension's own environment, says how it goes, and starts its server. */
async function createEnvironment({ environment, log, server }: Parts): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: 'Creating an environment for shlo', cancellable: true };
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const say = (text: string) => {
        log.append(text);
        progress.report({ message: text.trim().split('\n').at(-1)?.slice(0, 80) ?? '' });
      };
      await environment.create(vscode.workspace.isTrusted ? await selectedPython() : undefined, say, abort.signal);
    });
  } catch (error) {
    const message = `The environment could not be created: ${error instanceof Error ? error.message : String(error)}.`;
    log.error(message);
    const chosen = await vscode.window.showErrorMessage(message, 'Show Log');
    if (chosen) log.show();
    return;
  }
  await server.restart();
}
