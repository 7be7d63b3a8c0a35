// Messages with buttons that help.

import * as vscode from 'vscode';

export type Choice = () => Thenable<unknown> | Promise<unknown> | void;
type Kind = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** What a button does: carries a command out. */
export function command(id: string, ...args: unknown[]): Choice {
  return () => vscode.commands.executeCommand(id, ...args);
}

/** The buttons that several messages have. */
export const BUTTONS = {
  log: { 'Show Log': command('shlo.showLog') },
  restart: { Restart: command('shlo.restartServer') },
  settings: { 'Open Settings': command('shlo.openSettings') },
  create: { 'Create Environment': command('shlo.createEnvironment') },
  trust: { 'Manage Trust': command('workbench.trust.manage') },
} as const;

/** Shows a message with buttons, and does what was chosen. */
export async function offer(kind: Kind, message: string, choices: Readonly<Record<string, Choice>>): Promise<void> {
  const chosen = await vscode.window[kind](message, ...Object.keys(choices));
  if (chosen) await choices[chosen]?.();
}

/** Says that there is no server, and what helps. */
export function noServer(what: string): void {
  void offer('showWarningMessage', `${what} needs shlo, and no server is running.`, { ...BUTTONS.restart, ...BUTTONS.settings, ...BUTTONS.log });
}
