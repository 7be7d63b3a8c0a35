// Says what the server is doing: in the status bar, in the language's item, and in a message where something is missing.

import * as vscode from 'vscode';
import { SELECTOR, type Server, type State } from './client';
import { BUTTONS, command, offer } from './messages';
import { menuOf, wordsOn, type MenuItem } from './state';

const LLVM = 'llvm-vs-code-extensions.vscode-mlir';
const TOLD_OF_LLVM = 'told-of-llvm';

/** Shows the server's state from now on. */
export function showState(server: Server): vscode.Disposable[] {
  const language = vscode.languages.createLanguageStatusItem('shlo.server', SELECTOR);
  language.name = 'StableHLO';
  const bar = vscode.window.createStatusBarItem('shlo.status', vscode.StatusBarAlignment.Right, 99);
  Object.assign(bar, { name: 'StableHLO', command: 'shlo.showMenu' });
  const show = () => {
    Object.assign(language, look(server.state));
    showInBar(bar, server.state);
  };
  show();
  return [
    ...[language, bar, server.onState(show), vscode.window.onDidChangeActiveTextEditor(show)],
    server.onState((state) => void tell(state, () => server.state === state)),
  ];
}

/** The menu of the item: what can be done about the server, and with the program. */
export async function showMenu({ state }: Server): Promise<void> {
  const placeHolder = wordsOn(state).detail;
  const items = menuOf(state.kind, 'isSet' in state && state.isSet, programKind());
  const chosen = await vscode.window.showQuickPick(items.map(shown), { title: 'StableHLO', placeHolder, matchOnDescription: true });
  if (chosen) await vscode.commands.executeCommand(chosen.command, ...chosen.args);
}

function shown({ icon, label, description, command, args = [] }: MenuItem) {
  return { label: `$(${icon}) ${label}`, description: description ?? '', command, args };
}

function programKind(): 'trusted' | 'untrusted' | 'none' {
  if (vscode.window.activeTextEditor?.document.languageId !== 'mlir') return 'none';
  return vscode.workspace.isTrusted ? 'trusted' : 'untrusted';
}

function showInBar(bar: vscode.StatusBarItem, state: State): void {
  const { icon, text, detail, level } = wordsOn(state);
  bar.text = `$(${icon}) ${text}`;
  bar.tooltip = `StableHLO language server: ${detail}`;
  bar.accessibilityInformation = { label: `StableHLO language server: ${text}, ${detail}` };
  bar.backgroundColor = level === 'error' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  if (level === 'warning') bar.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  if (vscode.window.activeTextEditor?.document.languageId === 'mlir') bar.show();
  else bar.hide();
}

function look(state: State): Partial<vscode.LanguageStatusItem> {
  const { text, detail, level } = wordsOn(state);
  const { Information, Warning, Error } = vscode.LanguageStatusSeverity;
  const severity = { information: Information, warning: Warning, error: Error }[level];
  return { text, detail, severity, command: helping(state), busy: state.kind === 'starting' };
}

/** The command beside the language's item: what helps most. */
function helping(state: State): vscode.Command {
  if (state.kind === 'stopped') return { command: 'shlo.restartServer', title: 'Restart' };
  if (state.kind === 'missing' && state.isSet)
    return { command: 'shlo.openSettings', title: 'Open Settings' };
  if (state.kind === 'missing') return { command: 'shlo.createEnvironment', title: 'Create Environment' };
  return { command: 'shlo.showLog', title: 'Show Log' };
}

/** Says what is missing, once there is a program for which it is: a folder alone is no reason for a message. */
async function tell(state: State, isNow: () => boolean): Promise<void> {
  if (state.kind !== 'missing' && state.kind !== 'failed') return;
  await programIsOpen();
  if (!isNow()) return;
  const why = 'report' in state ? state.report.join('; ') : '';
  if (state.kind === 'failed') {
    const settings = state.isSet ? BUTTONS.settings : {};
    await offer('showErrorMessage', `The language server of shlo does not start: ${why}`, { ...settings, ...BUTTONS.restart, ...BUTTONS.log });
  }
  if (state.kind !== 'missing') return;
  if (state.isSet)
    return offer('showWarningMessage', `shlo finds no language server: ${why}.`, {
      ...BUTTONS.settings,
      ...BUTTONS.restart,
      ...BUTTONS.log,
    });
  const where = vscode.workspace.isTrusted ? '' : ' that may be used in a folder without trust';
  await offer('showWarningMessage', `shlo finds no language server${where}${why && ` (${why})`}. It can create an environment of its own.`, {
    ...BUTTONS.create,
    'Only Colours': () => vscode.workspace.getConfiguration('shlo').update('server.enabled', false, vscode.ConfigurationTarget.Global),
    ...BUTTONS.log,
  });
}

function programIsOpen(): Promise<void> {
  const isProgram = ({ languageId }: vscode.TextDocument) => languageId === 'mlir';
  if (vscode.workspace.textDocuments.some(isProgram)) return Promise.resolve();
  return new Promise((resolve) => {
    const listener = vscode.workspace.onDidOpenTextDocument((document) => {
      if (!isProgram(document)) return;
      listener.dispose();
      resolve();
    });
  });
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
