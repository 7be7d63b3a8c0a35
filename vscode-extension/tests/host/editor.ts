// Texts in editors, for tests: a place is written as a text with a bar where the cursor is.

import * as vscode from 'vscode';

export interface Place {
  readonly document: vscode.TextDocument;
  readonly editor: vscode.TextEditor;
  /** Where the bar was. */
  readonly position: vscode.Position;
}

/** Opens an MLIR text in an editor, with the cursor at the bar. */
export async function opened(text: string): Promise<Place> {
  const at = Math.max(text.indexOf('¦'), 0);
  const content = text.replace('¦', '');
  const document = await vscode.workspace.openTextDocument({ language: 'mlir', content });
  const editor = await vscode.window.showTextDocument(document);
  const position = document.positionAt(at);
  editor.selection = new vscode.Selection(position, position);
  return { document, editor, position };
}

/** Asks until there is an answer that is good enough; gives the last one. */
export async function eventually<T>(ask: () => T | Thenable<T>, good: (answer: T) => boolean, milliseconds = 40_000): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (good(answer) || Date.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The findings of a document, once there are any. */
export function findings(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  return eventually(() => vscode.languages.getDiagnostics(document.uri), (found) => found.length > 0);
}

/** Asks a provider of the editor, as its built-in commands do. */
export function ask<T>(command: string, { document, position }: Place, ...others: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, document.uri, position, ...others);
}

/** The text of hovers. */
export function markdown(hovers: readonly vscode.Hover[]): string {
  return hovers.flatMap(({ contents }) => contents.map((each) => (each as vscode.MarkdownString).value)).join('\n');
}

/** The names of symbols, with those within them. */
export function names(symbols: readonly vscode.DocumentSymbol[]): string[] {
  return symbols.flatMap(({ name, children }) => [name, ...names(children)]);
}
