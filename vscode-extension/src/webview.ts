// Pages of panels: they load nothing but a script and a style of ours, and run nothing else.

import * as crypto from 'node:crypto';
import * as vscode from 'vscode';

/** The page of a script and style of the folder `dist`; `view` tells the script what it is to show. */
export function securePage(webview: vscode.Webview, folder: vscode.Uri, name: string, title: string, view = ''): string {
  const nonce = crypto.randomBytes(16).toString('base64url');
  const [script, style] = ['js', 'css'].map((suffix) => webview.asWebviewUri(vscode.Uri.joinPath(folder, `${name}.${suffix}`)).toString());
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>${title}</title><link rel="stylesheet" href="${style}"></head><body data-view="${view}"><script nonce="${nonce}" src="${script}"></script></body></html>`;
}
