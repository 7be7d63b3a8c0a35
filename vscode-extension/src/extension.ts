// The extension's parts, and what makes the server start anew.

import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { showBytecode } from './bytecode';
import { ChosenArguments } from './choosing';
import { Server } from './client';
import { Comparisons } from './compare';
import { launcher, lensOfUses, register, runner, type Parts } from './commands';
import { DebugViews } from './debug_views';
import { debugTest, provideDebugger } from './debugging';
import { Environment } from './environment';
import { onOtherPython } from './python';
import { Lowerings } from './lowered';
import { TensorPanel } from './panel';
import { Results } from './results';
import { Shown } from './show';
import { provideTasks } from './tasks';
import { Testing } from './testing';
import { offerUpdate, showState, tellOfOtherServer } from './status';

/** What other extensions, and our tests, may use. */
export interface Api {
  readonly server: Server;
}

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const storage = context.globalStorageUri.fsPath;
  await fs.mkdir(storage, { recursive: true });
  const log = vscode.window.createOutputChannel('StableHLO', { log: true });
  const environment = new Environment(storage, context.asAbsolutePath('wheel'));
  const results = new Results();
  const server = new Server(log, environment, results, storage);
  running = server;
  const choices = new ChosenArguments(context.workspaceState);
  const shown = new Shown(server);
  const lowerings = new Lowerings(server, context.workspaceState);
  const comparisons = new Comparisons(server, log);
  const tensors = new TensorPanel(server, context.extensionUri);
  const testing = new Testing(server, log, debugTest);
  const views = new DebugViews(context.extensionUri);
  const parts: Parts = { log, environment, results, server, choices, comparisons, shown, lowerings, tensors, testing, views };
  server.runner = runner(parts);
  context.subscriptions.push(choices.onDidChange(() => server.refreshLenses()));
  context.subscriptions.push(log, results, shown, lowerings, comparisons, tensors, testing, views, ...showState(server), provideTasks(server));
  const compare = (before: vscode.Uri, after: vscode.Uri, title: string, column?: vscode.ViewColumn) => comparisons.openIn({ before, after }, title, column);
  context.subscriptions.push(...showBytecode(server, log, compare));
  context.subscriptions.push(...provideDebugger(launcher(parts)), ...register(parts), lensOfUses());
  void begin(context, server, environment);
  return { server };
}

/** VS Code waits for this: the server ends as the protocol wants it. */
export function deactivate(): Promise<void> | undefined {
  return running?.dispose();
}

async function begin(context: vscode.ExtensionContext, server: Server, environment: Environment): Promise<void> {
  context.subscriptions.push(...reasonsToRestart(context, server)); // first of all: trust may come while the server starts
  if (vscode.workspace.isTrusted) void watchPython(context, server);
  await server.restart();
  void tellOfOtherServer(context.globalState);
  if (server.state.kind === 'running' && server.state.server.origin === 'private' && !(await environment.found())?.current)
    void offerUpdate();
}

function reasonsToRestart(context: vscode.ExtensionContext, server: Server): vscode.Disposable[] {
  return [
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      void server.restart();
      void watchPython(context, server);
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (['shlo.server.enabled', 'shlo.server.command', 'python.defaultInterpreterPath'].some((name) => event.affectsConfiguration(name)))
        void server.restart();
      else if (event.affectsConfiguration('shlo')) server.configure();
    }),
  ];
}

async function watchPython(context: vscode.ExtensionContext, server: Server): Promise<void> {
  const watcher = await onOtherPython(() => void server.restart());
  if (watcher) context.subscriptions.push(watcher);
}
