// Programs into other forms: a file beside the program, which the server writes.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { fileOf, isProgram, openText } from './bytecode';
import type { Server } from './client';
import { BUTTONS, noServer, offer } from './messages';
import { nameFor, refusalText, versionFault, type Conversion, type Form } from './forms';

let lastTarget = '';

/** Opens a file of bytecode as text: the one that was chosen, or one that is asked for. */
export async function openBytecode(server: Server, chosen: vscode.Uri | undefined): Promise<void> {
  const file = chosen ?? (await vscode.window.showOpenDialog({ title: 'Open Bytecode as Text' }))?.[0];
  if (!file) return;
  if (file.scheme === 'file' && (await isProgram(server, file))) return openText(file);
  void vscode.window.showWarningMessage(`${path.basename(file.path)} is no MLIR bytecode, portable artifact or file of jax.export.`);
}

/** Writes a program, the chosen one or that of the editor, in another form. */
export async function convert(server: Server, form: Form, chosen: vscode.Uri | undefined): Promise<void> {
  const file = await programFile(chosen ?? vscode.window.activeTextEditor?.document.uri);
  if (!file) return;
  const target = form === 'artifact' ? await askVersion(server) : undefined;
  if (form === 'artifact' && target === undefined) return;
  const output = await freeName(vscode.Uri.file(nameFor(file.fsPath, form, target)), file);
  if (output) await write(server, file, output, form, target);
}

/** The file of a program, saved; says so where there is none. */
async function programFile(uri: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const file = uri && fileOf(uri);
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === file?.toString());
  if (file?.scheme === 'file' && (!document?.isDirty || (await document.save()))) return file;
  void vscode.window.showInformationMessage('Open a program that is saved on a disk first.');
  return undefined;
}

/** Asks for a version: one of those that differ, or any that is typed. */
async function askVersion(server: Server): Promise<string | undefined> {
  const known = (await server.request<{ versions: string[] }>('shlo/artifactVersions', {}).catch(() => undefined))?.versions ?? [];
  const box = vscode.window.createQuickPick();
  const [newest] = known;
  const describe = (version: string) => (version === newest ? 'the newest' : version === lastTarget ? 'chosen last' : '');
  const items = known.map((label) => ({ label, description: describe(label) }));
  Object.assign(box, { title: 'Convert to Portable Artifact', placeholder: 'The version of StableHLO that is to read it, such as 1.4.0', items });
  box.activeItems = items.filter(({ label }) => label === (lastTarget || newest));
  box.onDidChangeValue((value) => {
    const typed = value.trim();
    const isOther = typed !== '' && !known.includes(typed);
    const detail = versionFault(typed);
    box.items = isOther ? [{ label: typed, alwaysShow: true, ...(detail ? { detail } : {}) }, ...items] : items;
  });
  const chosen = await new Promise<string | undefined>((resolve) => {
    box.onDidAccept(() => {
      const label = box.selectedItems[0]?.label ?? box.value.trim();
      if (versionFault(label) === undefined) resolve(label);
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
  });
  box.dispose();
  if (chosen !== undefined) lastTarget = chosen;
  return chosen;
}

/** Where to write: the name beside the program if it is free or may be replaced, or one that is asked for. */
async function freeName(proposed: vscode.Uri, file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const taken = await vscode.workspace.fs.stat(proposed).then(() => true, () => false);
  if (!taken) return proposed;
  const name = path.basename(proposed.fsPath);
  const isItself = proposed.fsPath === file.fsPath;
  const buttons = isItself ? ['Other Name…'] : ['Replace', 'Other Name…'];
  const question = isItself ? `${name} is the program itself.` : `${name} is there already.`;
  const answer = await vscode.window.showWarningMessage(question, { modal: true }, ...buttons);
  if (answer === 'Replace') return proposed;
  return answer === undefined ? undefined : vscode.window.showSaveDialog({ defaultUri: proposed });
}

async function write(server: Server, file: vscode.Uri, output: vscode.Uri, form: Form, target: string | undefined): Promise<void> {
  const params = { uri: file.toString(), output: output.toString(), form, target: target ?? null };
  const name = path.basename(output.fsPath);
  const progress = { location: vscode.ProgressLocation.Notification, title: `Writing ${name}` };
  const asked = () => server.request<Conversion>('shlo/convert', params);
  try {
    const answer = await vscode.window.withProgress(progress, asked);
    if (answer === undefined) return noServer(`Writing ${name}`);
    if (answer.reasons.length) return void refused(server, file, answer, target); // nobody waits for what a person answers
  } catch (error) {
    return void offer('showErrorMessage', `${name} was not written: ${error instanceof Error ? error.message : String(error)}`, BUTTONS.log);
  }
  if (form === 'text') await vscode.window.showTextDocument(output, { preview: true });
  else void offerToOpen(output);
}

async function offerToOpen(output: vscode.Uri): Promise<void> {
  const answer = await vscode.window.showInformationMessage(`${path.basename(output.fsPath)} was written.`, 'Open');
  if (answer === 'Open') await openText(output);
}

/** Says why a version cannot express a program, and offers the first one that can. */
async function refused(server: Server, file: vscode.Uri, answer: Conversion, target: string | undefined): Promise<void> {
  const { first } = answer;
  const offer = first === null || target === undefined ? [] : [`Write for ${first}`];
  const chosen = await vscode.window.showErrorMessage(refusalText(answer, target), ...offer);
  if (chosen === undefined || first === null) return;
  const output = await freeName(vscode.Uri.file(nameFor(file.fsPath, 'artifact', first)), file);
  if (output) await write(server, file, output, 'artifact', first);
}
