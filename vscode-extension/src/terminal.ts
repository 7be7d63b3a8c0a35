// Commands of `shlo` in the terminal. They are started as programs with arguments, never through a shell.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { subcommand, type Candidate } from './servers';

/** Steps through a function in a terminal of its own, which closes with the debugger. Inputs are made up. */
export function debug(server: Candidate, file: string, name: string | undefined): void {
  const entry = name === undefined ? [] : [`--entry=${name}`];
  const { command, args } = subcommand(server.base, 'debug', file, '--random=0', ...entry);
  const terminal = vscode.window.createTerminal({
    name: `shlo debug ${path.basename(file)}`,
    shellPath: command,
    shellArgs: [...args],
    cwd: path.dirname(file),
    iconPath: new vscode.ThemeIcon('debug-alt'),
    location: vscode.TerminalLocation.Editor, // the panel is too low for its screen
  });
  terminal.show();
  void terminal.processId.then(() => terminal.show()); // the first terminal of a window takes no focus before it runs
}

/** Runs the checks of a file, or those whose name has a word; what they say stays on the screen. */
export async function test(server: Candidate, file: string, word: string | undefined): Promise<void> {
  const chosen = word === undefined ? [] : [`-k${word}`];
  const { command, args } = subcommand(server.base, 'test', '-v', ...chosen, file);
  const execution = new vscode.ProcessExecution(command, [...args], { cwd: path.dirname(file) });
  const task = new vscode.Task({ type: 'shlo' }, vscode.TaskScope.Workspace, `test ${path.basename(file)}`, 'shlo', execution);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, focus: false };
  await vscode.tasks.executeTask(task);
}
