// F5 on a program: `shlo dap` inside VS Code's debugger, on the arguments chosen in the editor.

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Arguments } from './arguments';
import { fileOf } from './bytecode';
import { subcommand, type Candidate } from './servers';

export const DEBUG_TYPE = 'shlo';
/** The names of values, with the number of one of several results. */
export const VALUE = /%[\w$.-]+(?:#\d+)?/;

/** What a launch configuration says. */
interface Launch extends vscode.DebugConfiguration {
  readonly program?: string;
  readonly entry?: string;
  readonly args?: readonly string[];
  readonly random?: number;
  readonly zeros?: boolean;
  readonly grid?: string;
  readonly stopOnEntry?: boolean;
}

/** What a session is begun with. */
export interface Launcher {
  /** The function that the cursor of the editor is in. */
  entry(): Promise<string | undefined>;
  /** The arguments that were chosen for a function; asked for where it has some and none were, nothing if that is refused. */
  chosen(file: vscode.Uri, entry: string | undefined): Promise<Arguments | undefined>;
  /** The program that serves; nothing, and a message, where there is none. */
  server(file: string): Promise<Candidate | undefined>;
}

/** Makes the debug type known, and the names of values that are asked for where the mouse rests. */
export function provideDebugger(launcher: Launcher): vscode.Disposable[] {
  const provider: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: () => [{ type: DEBUG_TYPE, request: 'launch', name: 'Debug StableHLO program', program: '${file}' }],
    resolveDebugConfiguration: (_, configuration) => fromEditor(configuration, launcher),
    resolveDebugConfigurationWithSubstitutedVariables: (_, configuration: Launch) => complete(configuration, launcher),
  };
  const dynamic: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: () => [{ type: DEBUG_TYPE, request: 'launch', name: 'StableHLO: program that is open', program: '${file}' }],
  };
  const factory: vscode.DebugAdapterDescriptorFactory = {
    createDebugAdapterDescriptor: ({ configuration, workspaceFolder }) => adapter(configuration as Launch, launcher, workspaceFolder),
  };
  return [
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, provider),
    vscode.debug.registerDebugConfigurationProvider(DEBUG_TYPE, dynamic, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
    vscode.debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, factory),
    vscode.languages.registerEvaluatableExpressionProvider('mlir', { provideEvaluatableExpression: valueAt }),
  ];
}

/** Begins a session with a function of a file, as F5 would. */
export async function startDebugging(file: vscode.Uri, entry: string | undefined, more: Pick<Launch, 'stopOnEntry'> = {}): Promise<void> {
  const { fsPath } = fileOf(file);
  const folder = vscode.workspace.getWorkspaceFolder(file);
  await vscode.debug.startDebugging(folder, { ...configurationOf(fsPath, entry), ...more });
}

/** Debugs a test: goes to the check that fails, or to a breakpoint. */
export function debugTest(file: vscode.Uri, entry: string): Promise<void> {
  return startDebugging(file, entry, { stopOnEntry: false });
}

function configurationOf(program: string, entry: string | undefined): vscode.DebugConfiguration {
  return { type: DEBUG_TYPE, request: 'launch', name: `Debug ${path.basename(program)}`, program, ...(entry ? { entry } : {}) };
}

/** F5 without a `launch.json` has no configuration: the program of the editor is meant. */
async function fromEditor(configuration: Launch, launcher: Launcher): Promise<Launch | undefined> {
  if (configuration.type && (configuration.program || configuration.request === 'attach')) return configuration;
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'mlir') {
    void vscode.window.showInformationMessage('Open a .mlir file, or name one as "program" in launch.json.');
    return undefined;
  }
  const { fsPath } = fileOf(document.uri);
  return { ...configuration, ...configurationOf(fsPath, await launcher.entry()) };
}

/** Adds the arguments that were chosen in the editor where a configuration names none. A recording has its own. */
async function complete(configuration: Launch, launcher: Launcher): Promise<Launch | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  if (configuration.request === 'attach') return configuration;
  const program = path.resolve(configuration.program ?? '');
  const { args, random, zeros, grid } = configuration;
  if ([args, random, zeros, grid].some((each) => each !== undefined) || !/\.(mlir|mlirbc|bc)$/i.test(program)) return { ...configuration, program };
  const chosen = await launcher.chosen(vscode.Uri.file(program), configuration.entry);
  if (!chosen) return undefined;
  const filling = chosen.filling === 'zeros' ? { zeros: true } : chosen.filling === 'random' ? { random: chosen.seed ?? 0 } : {};
  return { ...configuration, program, args: chosen.texts, ...filling, ...(chosen.grid ? { grid: chosen.grid } : {}) };
}

/** Starts the adapter in the program's folder, which arguments are relative to; it ends with the session. Where a session is attached to, it speaks with that. */
async function adapter({ program = '' }: Launch, launcher: Launcher, folder?: vscode.WorkspaceFolder): Promise<vscode.DebugAdapterDescriptor | undefined> {
  const server = vscode.workspace.isTrusted ? await launcher.server(program) : undefined;
  if (!server) return undefined;
  const { command, args } = subcommand(server.base, 'dap');
  const cwd = program ? path.dirname(program) : folder?.uri.fsPath;
  return new vscode.DebugAdapterExecutable(command, [...args], cwd === undefined ? {} : { cwd });
}

function valueAt(document: vscode.TextDocument, position: vscode.Position): vscode.EvaluatableExpression | undefined {
  const range = document.getWordRangeAtPosition(position, VALUE);
  return range && new vscode.EvaluatableExpression(range);
}
