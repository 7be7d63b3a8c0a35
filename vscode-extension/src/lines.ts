// From a line of Python to the operations that it led to. The way there is "go to definition" of the server.

import * as vscode from 'vscode';
import type { Server } from './client';
import { noServer } from './messages';

interface Place {
  readonly line: number;
  readonly character: number;
}

/** An operation that a line led to. */
interface Found {
  readonly uri: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

/** Goes to the operations of open programs that the line of Python at the cursor led to. */
export async function showOperations(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'python') return void vscode.window.showInformationMessage('Put the cursor on a line of Python first.');
  const { uri } = editor.document;
  const position = editor.selection.active;
  const found = await server.request<Found[]>('shlo/opsOfLine', { file: uri.toString(), line: position.line + 1 });
  if (found === undefined) return noServer('Finding operations');
  if (found.length === 0) return void vscode.window.showInformationMessage('No operation of the programs that are open names this line in its location.');
  const locations = found.map(({ uri: file, range }) => new vscode.Location(vscode.Uri.parse(file), rangeOf(range)));
  await vscode.commands.executeCommand('editor.action.goToLocations', uri, position, locations, 'gotoAndPeek', '');
}

function rangeOf({ start, end }: Found['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
