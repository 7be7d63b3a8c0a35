// Commands of `shlo` in the terminal. They are started as programs with arguments, never through a line for a shell.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { commandLine, type Arguments } from './arguments';
import { quietly, subcommand, type Candidate, type Invocation } from './servers';

/** Steps through a function in a terminal of its own, which closes with the debugger. */
export function debug(server: Candidate, file: string, name: string | undefined, chosen: Arguments): void {
  const { options, texts } = commandLine(chosen);
  const { command, args } = quietly(subcommand(server.base, 'debug', ...options, ...entry(name), '--', file, ...texts), process.platform);
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

/** Runs a function with everything that `shlo run` can, as grids. */
export function run(server: Candidate, file: string, name: string | undefined, chosen: Arguments): Thenable<unknown> {
  const { options, texts } = commandLine(chosen);
  return inTask('run', file, subcommand(server.base, 'run', ...options, ...entry(name), '--', file, ...texts));
}

/** Runs the checks of a file, or those whose name has a word; what they say stays on the screen. */
export function test(server: Candidate, file: string, word: string | undefined): Thenable<unknown> {
  const chosen = word === undefined ? [] : [`-k${word}`];
  return inTask('test', file, subcommand(server.base, 'test', '-v', ...chosen, file));
}

/** Reports what is wrong with a file. */
export function check(server: Candidate, file: string): Thenable<unknown> {
  return inTask('check', file, subcommand(server.base, 'check', file));
}

/** Counts what a file's program costs. */
export function cost(server: Candidate, file: string, name: string | undefined): Thenable<unknown> {
  return inTask('cost', file, subcommand(server.base, 'cost', ...entry(name), '--', file));
}

function entry(name: string | undefined): string[] {
  return name === undefined ? [] : [`--entry=${name}`];
}

function inTask(command: string, file: string, invocation: Invocation): Thenable<unknown> {
  const definition = { type: 'shlo', command, file };
  const execution = new vscode.ProcessExecution(invocation.command, [...invocation.args], { cwd: path.dirname(file) });
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, `${command} ${path.basename(file)}`, 'shlo', execution, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, focus: false };
  return vscode.tasks.executeTask(task);
}
