// Tasks of the type `shlo`: check, test and run, from `tasks.json` and for the program that is open.

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './client';
import { subcommand, type Candidate } from './servers';

const MATCHER = '$shlo';
const COMMANDS = ['check', 'test', 'run', 'fmt', 'opt', 'convert'] as const;

interface Definition extends vscode.TaskDefinition {
  readonly command: string;
  readonly file?: string;
  readonly args?: readonly string[];
}

/** Offers tasks; where there is no trust there are none. */
export function provideTasks(server: Server): vscode.Disposable {
  return vscode.tasks.registerTaskProvider('shlo', {
    provideTasks: async () => {
      const found = await candidate(server);
      const document = vscode.window.activeTextEditor?.document;
      if (!found || document?.languageId !== 'mlir' || document.uri.scheme !== 'file') return [];
      return ['check', 'test', 'run'].flatMap(
        (command) => taskOf(found, { type: 'shlo', command, file: document.uri.fsPath }, vscode.TaskScope.Workspace) ?? [],
      );
    },
    resolveTask: async (task) => {
      const found = await candidate(server);
      return found && taskOf(found, task.definition as Definition, task.scope ?? vscode.TaskScope.Workspace);
    },
  });
}

async function candidate(server: Server): Promise<Candidate | undefined> {
  return vscode.workspace.isTrusted ? server.command() : undefined;
}

function taskOf(found: Candidate, definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task | undefined {
  const { command, file = '${file}', args = [] } = definition;
  if (!(COMMANDS as readonly string[]).includes(command)) return undefined;
  const invocation = subcommand(found.base, command, ...args, file);
  const execution = new vscode.ProcessExecution(invocation.command, [...invocation.args], { cwd: '${workspaceFolder}' });
  const task = new vscode.Task(definition, scope, `${command} ${path.basename(file)}`, 'shlo', execution, MATCHER);
  if (command === 'test') task.group = vscode.TaskGroup.Test;
  if (command === 'check') task.group = vscode.TaskGroup.Build;
  return task;
}
