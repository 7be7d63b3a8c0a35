// Says what the server is doing: an item in the status bar, and a message where something is missing.

import * as vscode from 'vscode';
import { SELECTOR, type Server, type State } from './client';

const LLVM = 'llvm-vs-code-extensions.vscode-mlir';
const TOLD_OF_LLVM = 'told-of-llvm';

/** Shows the server's state from now on. */
export function showState(server: Server): vscode.Disposable[] {
  const item = vscode.languages.createLanguageStatusItem('shlo.server', SELECTOR);
  item.name = 'StableHLO';
  const show = (state: State) => Object.assign(item, look(state));
  show(server.state);
  return [item, server.onState(show), server.onState((state) => void tell(state))];
}

function look(state: State): Partial<vscode.LanguageStatusItem> {
  const log = { command: 'shlo.showLog', title: 'Show Log' };
  const { Information, Warning, Error } = vscode.LanguageStatusSeverity;
  switch (state.kind) {
    case 'off':
      return { text: 'shlo: off', detail: 'shlo.server.enabled', severity: Information, command: log, busy: false };
    case 'starting':
      return { text: 'shlo: starting', detail: '', severity: Information, command: log, busy: true };
    case 'running':
      return { text: 'shlo', detail: state.server.title, severity: Information, command: log, busy: false };
    case 'stopped': {
      const restart = { command: 'shlo.restartServer', title: 'Restart' };
      return { text: 'shlo: stopped', detail: '', severity: Warning, command: restart, busy: false };
    }
    case 'missing': {
      const create = { command: 'shlo.createEnvironment', title: 'Create Environment' };
      return { text: 'shlo: no server', detail: state.report.join('; '), severity: Warning, command: create, busy: false };
    }
    case 'failed':
      return { text: 'shlo: failed', detail: state.report.join('; '), severity: Error, command: log, busy: false };
  }
}

async function tell(state: State): Promise<void> {
  if (state.kind === 'missing') {
    const where = vscode.workspace.isTrusted ? '' : ' that may be used in a folder without trust';
    const why = state.report.length ? ` (${state.report.join('; ')})` : '';
    await offer('showWarningMessage', `shlo finds no language server${where}${why}. It can create an environment of its own.`, {
      'Create Environment': command('shlo.createEnvironment'),
      'Only Colours': () => vscode.workspace.getConfiguration('shlo').update('server.enabled', false, vscode.ConfigurationTarget.Global),
      'Show Log': command('shlo.showLog'),
    });
  }
  if (state.kind === 'failed')
    await offer('showErrorMessage', `The language server of shlo does not start: ${state.report.join('; ')}`, {
      'Show Log': command('shlo.showLog'),
      Restart: command('shlo.restartServer'),
    });
}

type Choice = () => Thenable<unknown>;

function command(id: string, ...args: unknown[]): Choice {
  return () => vscode.commands.executeCommand(id, ...args);
}

/** Shows a message with buttons, and does what was chosen. */
async function offer(
  kind: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
  message: string,
  choices: Readonly<Record<string, Choice>>,
): Promise<void> {
  const chosen = await vscode.window[kind](message, ...Object.keys(choices));
  if (chosen) await choices[chosen]?.();
}

/** Offers, after an update of the extension, to bring its environment up to date. */
export function offerUpdate(): Promise<void> {
  const message = 'This version of the extension carries another shlo than its environment has.';
  return offer('showInformationMessage', message, { 'Update Environment': command('shlo.createEnvironment') });
}

/** Says once how two MLIR extensions get along. */
export async function tellOfOtherServer(memory: vscode.Memento): Promise<void> {
  if (!vscode.extensions.getExtension(LLVM) || memory.get(TOLD_OF_LLVM)) return;
  await memory.update(TOLD_OF_LLVM, true);
  const message =
    "LLVM's MLIR extension is installed as well. Where its server runs too, findings and hovers appear twice: " +
    'empty the setting mlir.server_path, or switch off shlo.server.enabled.';
  const settings = command('workbench.action.openSettings', 'shlo.server.enabled');
  await offer('showInformationMessage', message, { 'Open Settings': settings });
}
