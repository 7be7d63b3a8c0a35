// The panel "Results": tensors of the last run, or of an array file, in the tensor view of ../../web.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { isToHost, type FromHost, type Item } from '../../web/src/messages';
import type { PlaneData } from '../../web/src/plane';
import type { Server } from './client';
import { noServer } from './messages';
import type { RunArgument, RunResult } from './summary';
import { securePage } from './webview';

const VIEW = 'shlo.tensors';

/** An array that the server lists: of a file, or (named by its number) of the results of a run. */
interface Listed {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** What the panel shows, and how the server is asked for a plane of one of it. */
interface Source {
  readonly title: string;
  readonly note: string;
  readonly items: readonly Item[];
  /** What a window that is opened again needs: a file's name; results of runs are gone by then. */
  readonly state: SavedState;
  params(key: string): Record<string, unknown>;
}

type SavedState = { readonly file: string } | { readonly function: string };

export class TensorPanel implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private source: Source | undefined;
  private last: { readonly argument: RunArgument; readonly result: RunResult } | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly extension: vscode.Uri,
  ) {
    this.subscriptions = [
      server.onRun((run) => this.afterRun(run)),
      vscode.window.registerWebviewPanelSerializer(VIEW, this),
    ];
  }

  dispose(): void {
    this.panel?.dispose();
    for (const each of this.subscriptions) each.dispose();
  }

  /** Shows the results of the last run; a file that is asked for where there is none. */
  async showLast(): Promise<void> {
    if (this.last) await this.show(await this.ofRun(this.last));
    else await this.openFile();
  }

  /** Shows the arrays of a file. */
  async openFile(file?: vscode.Uri): Promise<void> {
    const filters = { 'NumPy arrays': ['npz', 'npy'] };
    const chosen = file ?? (await vscode.window.showOpenDialog({ title: 'Show Tensors', filters }))?.[0];
    if (chosen) await this.show(await this.ofFile(chosen));
  }

  /** Fills the panel of a window that is opened again. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { file, function: name } = (state ?? {}) as Record<string, unknown>;
    this.adopt(panel);
    const uri = typeof file === 'string' ? vscode.Uri.file(file) : undefined;
    if (uri && isArrayFile(uri)) this.source = await this.ofFile(uri);
    else this.source = empty('Results', typeof name === 'string' ? `Run @${name} again to see its results.` : 'Run a function to see its results.', { function: typeof name === 'string' ? name : '' });
    this.send();
  }

  /** Results that are too large for text open the panel; one that is open shows those of the newest run. */
  private async afterRun(run: { readonly argument: RunArgument; readonly result: RunResult }): Promise<void> {
    if (run.result.status !== 'done') return;
    this.last = run;
    const isLarge = run.result.results.some(({ summary, dtype }) => summary && dtype);
    if (!this.panel && !isLarge) return;
    const source = await this.ofRun(run);
    if (isLarge) await this.show(source);
    else {
      this.source = source;
      this.send();
    }
  }

  private async ofRun({ argument, result }: { readonly argument: RunArgument; readonly result: RunResult }): Promise<Source> {
    const { run } = result;
    const title = `Results of @${argument.function} in ${path.posix.basename(vscode.Uri.parse(argument.uri).path)}`;
    const state = { function: argument.function };
    let listed: readonly Listed[] = [];
    if (typeof run === 'number')
      try {
        listed = (await this.list({ run })) ?? [];
      } catch (error) {
        return empty(title, reason(error), state);
      }
    const items = result.results.map(({ type }, number) => {
      const shape = listed.find(({ name }) => name === String(number))?.shape ?? null;
      return { key: String(number), name: `result ${number}`, type, shape, note: shape ? '' : 'not kept: no tensor, or too large' };
    });
    return { title, note: items.length ? '' : 'There are no results.', items, state, params: (key) => ({ run, result: Number(key) }) };
  }

  private async ofFile(file: vscode.Uri): Promise<Source> {
    const title = path.basename(file.fsPath);
    const state = { file: file.fsPath };
    if (!vscode.workspace.isTrusted) return empty(title, 'This folder is not trusted: its files are not read.', state);
    const uri = file.toString();
    try {
      const listed = await this.list({ uri });
      if (!listed) return empty(title, 'No server is running.', state);
      const items = listed.map(({ name, shape, dtype }) => ({ key: name, name: name || title, type: `${dtype}[${shape.join(', ')}]`, shape, note: '' }));
      return { title, note: items.length ? '' : 'The file holds no arrays.', items, state, params: (name) => ({ uri, name }) };
    } catch (error) {
      return empty(title, reason(error), state);
    }
  }

  private async list(params: Record<string, unknown>): Promise<readonly Listed[] | undefined> {
    return (await this.server.request<{ arrays: readonly Listed[] }>('shlo/arrays', params))?.arrays;
  }

  private async show(source: Source): Promise<void> {
    if (this.server.state.kind !== 'running') noServer(source.title);
    this.source = source;
    if (!this.panel) {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.adopt(vscode.window.createWebviewPanel(VIEW, 'Results', place, { enableScripts: true }));
    }
    this.send();
    if (!this.panel?.visible) this.panel?.reveal(undefined, true);
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    const folder = vscode.Uri.joinPath(this.extension, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = this.source = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(panel, message));
    panel.webview.html = securePage(panel.webview, folder, 'panel', 'Results');
  }

  private send(): void {
    if (!this.source || !this.panel) return;
    const { title, note, items, state } = this.source;
    this.panel.title = 'Results';
    this.post(this.panel, { kind: 'show', title, note, items, state, chosen: null });
  }

  private async receive(panel: vscode.WebviewPanel, message: unknown): Promise<void> {
    if (!isToHost(message) || this.panel !== panel) return;
    if (message.kind === 'ready') return this.send();
    const { number, key, slice } = message;
    const { source } = this;
    if (!source?.items.some((item) => item.key === key) || !vscode.workspace.isTrusted) return;
    try {
      const plane = await this.server.request<PlaneData>('shlo/tensor', { ...source.params(key), ...slice });
      this.post(panel, plane ? { kind: 'plane', number, plane } : { kind: 'failed', number, reason: 'No server is running.' });
    } catch (error) {
      this.post(panel, { kind: 'failed', number, reason: reason(error) });
    }
  }

  private post(panel: vscode.WebviewPanel, message: FromHost): void {
    void panel.webview.postMessage(message);
  }
}

function isArrayFile(file: vscode.Uri): boolean {
  return /\.np[yz]$/i.test(file.path);
}

function empty(title: string, note: string, state: SavedState): Source {
  return { title, note, items: [], state, params: () => ({}) };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
