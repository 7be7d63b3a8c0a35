// The commands, as a table.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { MADE_UP, type Arguments } from './arguments';
import { fileOf } from './bytecode';
import type { ChosenArguments } from './choosing';
import type { Runner, Server } from './client';
import { compareSides, compareWith, compareWithHead, type Comparisons } from './compare';
import { convert, openBytecode } from './convert';
import type { DebugViews } from './debug_views';
import { startDebugging, type Launcher } from './debugging';
import type { Environment } from './environment';
import { commandSettingTarget } from './finder';
import { showOperations } from './lines';
import type { Lowerings } from './lowered';
import { BUTTONS, noServer, offer } from './messages';
import { selectedPython } from './python';
import type { TensorPanel } from './panel';
import type { Results } from './results';
import type { Candidate } from './servers';
import type { Shown } from './show';
import { showMenu } from './status';
import { isRunArgument, type RunArgument } from './summary';
import * as terminal from './terminal';
import type { Testing } from './testing';

/** How many lenses are asked for. */
const MANY = 10_000;
const WALKTHROUGH = 'shlo.shlo#shlo.start';

export interface Parts {
  readonly log: vscode.LogOutputChannel;
  readonly environment: Environment;
  readonly results: Results;
  readonly server: Server;
  readonly choices: ChosenArguments;
  readonly comparisons: Comparisons;
  readonly shown: Shown;
  readonly lowerings: Lowerings;
  readonly tensors: TensorPanel;
  readonly testing: Testing;
  readonly views: DebugViews;
}

interface Command {
  readonly id: string;
  /** Whether it starts a program of the folder: refused where there is no trust. */
  readonly runs?: true;
  /** Lenses say which function they stand above, menus which file was chosen; the palette says nothing. */
  execute(parts: Parts, argument?: RunArgument, file?: vscode.Uri, files?: readonly vscode.Uri[], given?: unknown): Promise<void> | void;
}

export const COMMANDS: readonly Command[] = [
  { id: 'shlo.runFunction', runs: true, execute: runFunction },
  { id: 'shlo.chooseArguments', runs: true, execute: chooseArguments },
  { id: 'shlo.runWithArguments', runs: true, execute: runWithArguments },
  { id: 'shlo.testFile', runs: true, execute: testFile },
  { id: 'shlo.debugFunction', runs: true, execute: debugFunction },
  { id: 'shlo.debugFile', runs: true, execute: debugInTerminal },
  { id: 'shlo.checkFile', execute: (parts, _, file) => withFile(parts, file, (server, name) => terminal.check(server, name)) },
  { id: 'shlo.showCost', execute: (parts, chosen, file) => withFile(parts, file, (server, name) => terminal.cost(server, name, chosen?.function)) },
  { id: 'shlo.formatFile', execute: formatFile },
  { id: 'shlo.showAs', execute: ({ shown }, _, file) => shown.show(undefined, file) },
  { id: 'shlo.showCanonical', execute: ({ shown }, _, file) => shown.show('canonical', file) },
  { id: 'shlo.showGeneric', execute: ({ shown }, _, file) => shown.show('generic', file) },
  { id: 'shlo.showPretty', execute: ({ shown }, _, file) => shown.show('pretty', file) },
  { id: 'shlo.fold', runs: true, execute: ({ shown }, _, file) => shown.show('folded', file) },
  { id: 'shlo.refine', runs: true, execute: ({ shown }, _, file) => shown.show('refined', file) },
  { id: 'shlo.transform', runs: true, execute: ({ shown }, _, file) => shown.show('transformed', file) },
  { id: 'shlo.inspect', execute: ({ shown }, _, file) => shown.show('inspected', file) },
  { id: 'shlo.compareFiles', execute: ({ comparisons }, _, file, files) => compareWith(comparisons, file, files) },
  { id: 'shlo.compareWithHead', execute: ({ comparisons }, _, file) => compareWithHead(comparisons, file) },
  { id: 'shlo.compareSides', execute: ({ comparisons }) => compareSides(comparisons) },
  { id: 'shlo.showOperations', execute: ({ server }) => showOperations(server) },
  { id: 'shlo.lowerBeside', runs: true, execute: ({ lowerings }) => lowerings.open() },
  { id: 'shlo.openBytecode', execute: (services, __, file) => openBytecode(services.server, file) },
  { id: 'shlo.convertToText', execute: ({ server }, _, file) => convert(server, 'text', file) },
  { id: 'shlo.convertToBytecode', execute: ({ server }, _, file) => convert(server, 'bytecode', file) },
  { id: 'shlo.convertToArtifact', execute: ({ server }, _, file) => convert(server, 'artifact', file) },
  { id: 'shlo.showResult', execute: ({ results }) => results.showLast() },
  { id: 'shlo.showTensors', runs: true, execute: ({ tensors }) => tensors.showLast() },
  { id: 'shlo.openArrays', runs: true, execute: ({ tensors }, _, file) => tensors.openFile(file) },
  { id: 'shlo.showTensorView', execute: ({ views }, _, __, ___, given) => views.showTensor(given) },
  { id: 'shlo.showTimeline', execute: ({ views }) => views.open('timeline') },
  { id: 'shlo.showGrid', execute: ({ views }) => views.open('grid') },
  { id: 'shlo.showGraph', execute: ({ views }) => views.open('graph') },
  { id: 'shlo.showMenu', execute: ({ server }) => showMenu(server) },
  { id: 'shlo.getStarted', execute: () => void vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false) },
  { id: 'shlo.openSettings', execute: openSettings },
  { id: 'shlo.restartServer', execute: ({ server }) => server.restart() },
  { id: 'shlo.showLog', execute: ({ log }) => log.show() },
  { id: 'shlo.createEnvironment', execute: createEnvironment },
];

/** Makes the commands known. */
export function register(parts: Parts): vscode.Disposable[] {
  return COMMANDS.map(({ id, runs, execute }) =>
    vscode.commands.registerCommand(id, (argument?: unknown, all?: unknown) => {
      const file = argument instanceof vscode.Uri ? argument : undefined;
      const files = Array.isArray(all) ? all.filter((each): each is vscode.Uri => each instanceof vscode.Uri) : [];
      if (!runs || vscode.workspace.isTrusted) return execute(parts, isRunArgument(argument) ? argument : undefined, file, files, argument);
      return void offer('showWarningMessage', 'This folder is not trusted: its programs are not run.', BUTTONS.trust);
    }),
  );
}

/** What lenses carry out that say how often a function is used: it is of no use elsewhere, and in no palette. */
export function lensOfUses(): vscode.Disposable {
  return vscode.commands.registerCommand('shlo.showReferences', (uri: string, at: Place, uses: readonly { uri: string; range: { start: Place; end: Place } }[]) => {
    const position = ({ line, character }: Place) => new vscode.Position(line, character);
    const locations = uses.map(({ uri: file, range }) => new vscode.Location(vscode.Uri.parse(file), new vscode.Range(position(range.start), position(range.end))));
    return vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), position(at), locations);
  });
}

interface Place {
  readonly line: number;
  readonly character: number;
}

/** Runs the function that the cursor is in, as its lens would. */
async function runFunction({ server }: Parts): Promise<void> {
  const command = await lensCommand(server, 'shlo.run');
  if (command) await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

/** Asks for the arguments of a function, which are remembered. */
async function chooseArguments({ choices, server }: Parts, argument?: RunArgument): Promise<void> {
  const chosen = argument ?? (await functionAtCursor(server));
  if (chosen) await choices.ask(vscode.Uri.parse(chosen.uri), chosen.function);
}

async function runWithArguments({ choices, server }: Parts, argument?: RunArgument): Promise<void> {
  const chosen = argument ?? (await functionAtCursor(server));
  if (!chosen || !(await choices.ask(vscode.Uri.parse(chosen.uri), chosen.function))) return;
  await vscode.commands.executeCommand('shlo.run', { ...chosen, random: true });
}

async function functionAtCursor(server: Server): Promise<RunArgument | undefined> {
  return (await lensCommand(server, 'shlo.debugFunction'))?.arguments?.[0] as RunArgument | undefined;
}

/** Debugs the function of a lens, or that of the cursor, as F5 does. */
async function debugFunction({ server }: Parts, argument?: RunArgument, file?: vscode.Uri): Promise<void> {
  const chosen = argument ?? (file ? undefined : await functionAtCursor(server));
  const uri = chosen ? vscode.Uri.parse(chosen.uri) : file;
  if (uri) await startDebugging(uri, chosen?.function);
}

/** Opens the debugger of the terminal on the function of the cursor, or on a file; on what was chosen for the function. */
async function debugInTerminal(parts: Parts, argument?: RunArgument, file?: vscode.Uri): Promise<void> {
  const chosen = argument ?? (file ? undefined : await functionAtCursor(parts.server));
  const uri = chosen ? vscode.Uri.parse(chosen.uri) : file;
  const name = chosen?.function;
  if (uri) await withFile(parts, uri, (server, program) => terminal.debug(server, program, name, parts.choices.of(uri, name ?? 'main') ?? MADE_UP));
}

/** What sessions of the debugger are begun with. */
export function launcher(parts: Parts): Launcher {
  const { choices, server } = parts;
  return {
    entry: async () => (await functionAtCursor(server))?.function,
    chosen: async (file, entry = 'main') => choices.of(file, entry) ?? ((await takesArguments(server, file, entry)) ? choices.ask(file, entry) : MADE_UP),
    server: async (file) => {
      const found = await server.command();
      if (!found) noServer(path.basename(file));
      return found;
    },
  };
}

/** Whether a function of a file that is open takes arguments: it has a lens to choose them. */
async function takesArguments(server: Server, file: vscode.Uri, name: string): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (!document) return false;
  return (await lensesOf(server, file)).some(({ command }) => command?.command === 'shlo.chooseArguments' && (command.arguments?.[0] as RunArgument | undefined)?.function === name);
}

/** Runs a file in the terminal. */
export function runFile(parts: Parts, uri: vscode.Uri, name?: string, given?: Arguments): Promise<void> {
  return withFile(parts, uri, (server, file) => terminal.run(server, file, name, given ?? parts.choices.of(uri, name ?? 'main') ?? MADE_UP));
}

/** How runs above functions get their arguments. */
export function runner(parts: Parts): Runner {
  const { choices } = parts;
  return {
    chosen: ({ uri, function: name, random }) => (random ? choices.of(vscode.Uri.parse(uri), name) : undefined),
    runInTerminal: ({ uri, function: name }, chosen) => runFile(parts, vscode.Uri.parse(uri), name, chosen),
    offerGrid: async ({ uri, function: name }, grid) => {
      const file = vscode.Uri.parse(uri);
      const before = choices.of(file, name) ?? MADE_UP;
      await offer('showInformationMessage', `@${name} is for a grid of ${grid} processes; one process ran.`, {
        [`Run on ${grid}`]: async () => {
          await choices.remember(file, name, { ...before, grid });
          await runFile(parts, file, name, { ...before, grid });
        },
      });
    },
  };
}

/** Runs the tests of a file, or the one of a lens, as the Testing view does; in the terminal where it knows none. */
async function testFile(parts: Parts, argument?: RunArgument, file?: vscode.Uri): Promise<void> {
  const uri = argument ? vscode.Uri.parse(argument.uri) : (file ?? vscode.window.activeTextEditor?.document.uri);
  await withFile(parts, uri, async (server, name) => {
    if (/\.mlir$/i.test(name) && (await parts.testing.runFile(vscode.Uri.file(name), argument?.function))) return;
    await terminal.test(server, name, argument?.function);
  });
}

async function formatFile(): Promise<void> {
  await vscode.commands.executeCommand('editor.action.formatDocument');
}

/** The lenses of a file, of a server that starts when it runs. */
async function lensesOf(server: Server, file: vscode.Uri): Promise<vscode.CodeLens[]> {
  await server.settled();
  return (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file, MANY)) ?? [];
}

/** The command of the lens above the cursor, else that of the only function or of `main`; else it is asked for. */
async function lensCommand(server: Server, id: string): Promise<vscode.Command | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const matching = (await lensesOf(server, editor.document.uri)).filter(({ command }) => command?.command === id);
  const above = matching.filter(({ range }) => range.start.line <= editor.selection.active.line);
  const [only, ...others] = matching;
  const main = matching.find(({ command }) => (command?.arguments?.[0] as RunArgument | undefined)?.function === 'main');
  return (above.at(-1) ?? (others.length ? main : only) ?? (await choice(matching)))?.command;
}

async function choice(lenses: readonly vscode.CodeLens[]): Promise<vscode.CodeLens | undefined> {
  if (lenses.length === 0) {
    void vscode.window.showInformationMessage('There is no function here for which this could be done.');
    return undefined;
  }
  const items = lenses.map((lens) => ({ label: `@${(lens.command?.arguments?.[0] as RunArgument).function}`, lens }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which function?' }))?.lens;
}

/** Hands the file of a program to a command in the terminal. */
async function withFile({ server }: Parts, uri: vscode.Uri | undefined, action: (server: Candidate, file: string) => unknown): Promise<void> {
  const file = await savedFile(uri ?? vscode.window.activeTextEditor?.document.uri);
  if (!file) return;
  const found = await server.command();
  if (found) await action(found, file);
  else noServer(path.basename(file));
}

/** The file of a program. Where the editor has changes that are not saved, it is asked what is meant. */
async function savedFile(uri: vscode.Uri | undefined): Promise<string | undefined> {
  const file = uri && fileOf(uri);
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri?.toString());
  if (file?.scheme === 'file' && document?.isDirty) {
    const question = `${path.basename(file.path)} has changes that are not saved.`;
    const detail = 'This command works on the file as it is on the disk.';
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, 'Save', 'Use the Saved File');
    return answer === undefined || (answer === 'Save' && !(await document.save())) ? undefined : file.fsPath;
  }
  if (file?.scheme === 'file') return file.fsPath;
  void offer('showInformationMessage', 'Open a program that is saved on a disk first.', document ? { Save: () => document.save() } : {});
  return undefined;
}

/** Makes the extension's own environment, says how it goes, and starts its server. */
async function createEnvironment({ environment, log, server }: Parts): Promise<void> {
  if (!(await mayUseEnvironment())) return;
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
    return void offer('showErrorMessage', message, BUTTONS.log);
  }
  await server.restart();
}

/** Opens the settings where the command of the server is set: of a remote machine they are on a page of their own. */
async function openSettings(): Promise<void> {
  const target = commandSettingTarget();
  const query = 'shlo.';
  const isOfFolder = target === vscode.ConfigurationTarget.Workspace || target === vscode.ConfigurationTarget.WorkspaceFolder;
  if (isOfFolder) await vscode.commands.executeCommand('workbench.action.openWorkspaceSettings', { query });
  else if (target !== undefined && vscode.env.remoteName) await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
  else await vscode.commands.executeCommand('workbench.action.openSettings', query);
}

/** An environment is of no use where a setting names another command: asks whether that is to go. */
async function mayUseEnvironment(): Promise<boolean> {
  const target = commandSettingTarget();
  if (target === undefined) return true;
  const question = 'The setting shlo.server.command names another server: an environment would not be used.';
  const answer = await vscode.window.showWarningMessage(question, 'Clear the Setting', 'Open Settings');
  if (answer === 'Open Settings') await openSettings();
  if (answer !== 'Clear the Setting') return false;
  await vscode.workspace.getConfiguration('shlo').update('server.command', undefined, target);
  return commandSettingTarget() === undefined;
}
