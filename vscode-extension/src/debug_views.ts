// Views of a debug session: timeline, grid, tensors, graph (../../web/src/debug.ts). They ask the adapter with requests
// of shlo's own (docs/dap.md), only while they are visible, and follow the frame that is selected in the editor.

import * as vscode from 'vscode';
import { isToHost, VIEWS, type FromHost, type GraphAnswer, type Grid, type Listed, type Timeline, type ToHost, type ViewName } from '../../web/src/debug_messages';
import type { PlaneData } from '../../web/src/plane';
import { DEBUG_TYPE, VALUE } from './debugging';
import { securePage } from './webview';

const TITLES: Readonly<Record<ViewName, string>> = { timeline: 'Timeline', grid: 'Grid', tensor: 'Tensor', graph: 'Graph' };
/** Those that are beside the editor; the others are in the panel below. */
const BESIDE: readonly ViewName[] = ['tensor', 'graph'];
const NOTHING = 'Debug a StableHLO program (F5) to see it here.';
/** Milliseconds in which more may happen before views ask: the editor selects process and frame one after the other. */
const SETTLED = 40;
const STOPS = ['stopped', 'invalidated'];

/** `shlo/tensors`. */
interface Tensors {
  readonly newest: string;
  readonly position: number;
  readonly tensors: readonly Omit<Listed, 'kind' | 'title'>[];
  readonly kept: readonly (Omit<Listed, 'kind' | 'title' | 'note'> & { readonly expression: string; readonly position: number })[];
}

/** Where a view is shown. */
interface Place {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

/** What a view knows of what its page has. */
interface View {
  place: Place | undefined;
  /** Raised by every refresh: an answer to an older question is dropped. */
  edition: number;
}

export class DebugViews implements vscode.Disposable, vscode.DebugAdapterTrackerFactory {
  private readonly views: Readonly<Record<ViewName, View>> = { timeline: view(), grid: view(), tensor: view(), graph: view() };
  private readonly panels = new Map<ViewName, vscode.WebviewPanel>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly folder: vscode.Uri;
  /** The sessions that run, the newest last; `stopped` are those that can be asked. */
  private readonly sessions = new Map<string, vscode.DebugSession>();
  private readonly stopped = new Set<string>();
  private last: vscode.DebugSession | undefined;
  private timer: NodeJS.Timeout | undefined;
  private columns = 400;
  private gridStart = 0;
  /** The expression that is followed, the newest value where that is none; and those that are pinned, with the program that they are of. */
  private followed = '';
  private pins: string[] = [];
  private pinsOf = '';
  private graph: { readonly session: string; readonly program: number; readonly source: vscode.DebugProtocolSource } | undefined;

  constructor(extension: vscode.Uri) {
    this.folder = vscode.Uri.joinPath(extension, 'dist');
    const below = VIEWS.filter((name) => !BESIDE.includes(name));
    this.subscriptions = [
      vscode.debug.registerDebugAdapterTrackerFactory(DEBUG_TYPE, this),
      vscode.debug.onDidChangeActiveStackItem(() => this.refreshSoon()),
      vscode.debug.onDidChangeActiveDebugSession(() => this.refreshSoon()),
      vscode.debug.onDidTerminateDebugSession((session) => this.end(session)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event)),
      ...below.map((name) => vscode.window.registerWebviewViewProvider(`shlo.${name}`, { resolveWebviewView: (place) => this.adopt(name, place, place.onDidChangeVisibility, place.onDidDispose) })),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of [...this.panels.values(), ...this.subscriptions]) each.dispose();
  }

  /** Opens a view. */
  async open(name: ViewName): Promise<void> {
    if (!BESIDE.includes(name)) return void (await vscode.commands.executeCommand(`shlo.${name}.focus`));
    const known = this.panels.get(name);
    if (known) return known.reveal(undefined, true);
    const [other] = this.panels.values();
    const viewColumn = other?.viewColumn ?? vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(`shlo.debug.${name}`, TITLES[name], { viewColumn, preserveFocus: true });
    this.panels.set(name, panel);
    panel.onDidDispose(() => this.panels.delete(name));
    this.adopt(name, panel, panel.onDidChangeViewState, panel.onDidDispose);
  }

  /** Follows a value, and opens the view of tensors: one of the view of variables, or at the cursor of the editor. */
  async showTensor(given: unknown): Promise<void> {
    const { variable } = (given ?? {}) as { readonly variable?: { readonly evaluateName?: unknown } };
    const editor = vscode.window.activeTextEditor;
    const range = variable ? undefined : editor?.document.getWordRangeAtPosition(editor.selection.active, VALUE);
    const name = typeof variable?.evaluateName === 'string' ? variable.evaluateName : range && editor!.document.getText(range);
    if (name) this.followed = name;
    await this.open('tensor');
    this.refreshSoon();
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    this.sessions.set(session.id, session);
    this.setContext('shlo.isDebugging', true);
    return {
      onDidSendMessage: (message: { readonly type?: string; readonly event?: string; readonly command?: string; readonly body?: { readonly threads?: readonly unknown[] } }) => {
        if (message.type === 'event' && STOPS.includes(message.event ?? '')) {
          this.stopped.add(session.id);
          this.refreshSoon();
        } else if (message.type === 'response' && message.command === 'threads') this.setContext('shlo.isGrid', (message.body?.threads?.length ?? 0) > 1);
      },
    };
  }

  private end(session: vscode.DebugSession): void {
    this.stopped.delete(session.id);
    if (!this.sessions.delete(session.id)) return;
    if (this.last?.id === session.id) this.last = undefined;
    if (this.sessions.size === 0) for (const key of ['shlo.isDebugging', 'shlo.isGrid']) this.setContext(key, false);
    this.refreshSoon();
  }

  private setContext(key: string, value: boolean): void {
    void vscode.commands.executeCommand('setContext', key, value);
  }

  /** The session that views show: ours that is selected, or was last, beside others such as Python's. */
  private get session(): vscode.DebugSession | undefined {
    const active = vscode.debug.activeDebugSession;
    if (active && this.sessions.has(active.id)) this.last = active;
    else if (!this.last || !this.sessions.has(this.last.id)) this.last = [...this.sessions.values()].at(-1);
    return this.last;
  }

  private adopt(name: ViewName, place: Place, onVisibility: vscode.Event<unknown>, onDispose: vscode.Event<void>): void {
    const shown = this.views[name];
    shown.place = place;
    place.webview.options = { enableScripts: true, localResourceRoots: [this.folder] };
    place.webview.onDidReceiveMessage((message: unknown) => {
      if (isToHost(message) && shown.place === place) void this.receive(name, message);
    });
    onVisibility(() => place.visible && this.refreshSoon());
    onDispose(() => {
      if (shown.place === place) shown.place = undefined;
    });
    place.webview.html = securePage(place.webview, this.folder, 'debug', TITLES[name], name);
  }

  /** A value at the text cursor is followed, as far as it was put there by hand: a stop moves the cursor, too. */
  private follow({ textEditor: { document }, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const isByHand = kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
    const at = selections[0]?.active;
    if (!isByHand || !at || document.languageId !== 'mlir' || !this.views.tensor.place?.visible || !this.session) return;
    const range = document.getWordRangeAtPosition(at, VALUE);
    const name = range && document.getText(range);
    if (!name || name === this.followed) return;
    this.followed = name;
    this.refreshSoon();
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => VIEWS.forEach((name) => void this.refresh(name)), SETTLED);
  }

  /** Asks the session for what a view shows. */
  private async refresh(name: ViewName): Promise<void> {
    const shown = this.views[name];
    if (!shown.place?.visible) return;
    const edition = ++shown.edition;
    const { session } = this;
    if (!session || !this.stopped.has(session.id)) return this.post(name, { kind: 'nothing', text: NOTHING });
    try {
      const message = await this.ask(name, session);
      if (edition === shown.edition) this.post(name, message);
    } catch (error) {
      // The session has moved on (another refresh follows), or ended.
      if (edition === shown.edition && (name === 'graph' || name === 'tensor')) this.post(name, { kind: 'nothing', text: reason(error) });
    }
  }

  private async ask(name: ViewName, session: vscode.DebugSession): Promise<FromHost> {
    const item = vscode.debug.activeStackItem;
    const own = item?.session.id === session.id ? item : undefined;
    const frame = own instanceof vscode.DebugStackFrame ? { frameId: own.frameId } : {};
    const thread = own ? { threadId: own.threadId } : {};
    const request = <T>(command: string, given: object) => session.customRequest(command, given) as Thenable<T>;
    if (name === 'timeline') return { kind: 'timeline', timeline: await request<Timeline>('shlo/timeline', { ...thread, columns: this.columns }) };
    if (name === 'grid') {
      const grid = await request<Grid>('shlo/grid', { start: this.gridStart });
      return { kind: 'grid', grid: own ? { ...grid, selected: own.threadId - 1 } : grid };
    }
    if (name === 'tensor') return this.listTensors(await request<Tensors>('shlo/tensors', { ...frame, expressions: this.expressions(session) }));
    const known = this.graph?.session === session.id ? { known: this.graph.program } : {};
    const graph = await request<GraphAnswer & { readonly source: vscode.DebugProtocolSource }>('shlo/graph', { ...frame, ...known });
    this.graph = { session: session.id, program: graph.program, source: graph.source };
    return { kind: 'graph', graph };
  }

  /** What is followed and what is pinned. Pins stay from a session of a program to the next one. */
  private expressions(session: vscode.DebugSession): string[] {
    const program = String(session.configuration['program']);
    if (program !== this.pinsOf) {
      this.pins = [];
      this.followed = '';
      this.pinsOf = program;
    }
    return [...new Set([this.followed, ...this.pins].filter(Boolean))];
  }

  private listTensors({ newest, position, tensors, kept }: Tensors): FromHost {
    const of = (name: string) => tensors.find(({ tensor }) => tensor === name);
    const own = this.followed ? of(this.followed) : undefined;
    const isOwn = own?.shape != null;
    const followed = isOwn ? own : (of(newest) ?? { tensor: '', type: '', shape: null, note: own?.note ?? '' });
    const rows: Listed[] = [
      { ...followed, title: followed.tensor || this.followed || 'the newest value', kind: 'followed' },
      ...this.pins.map((name) => ({ tensor: name, type: '', shape: null, note: 'not in scope', ...of(name), title: name, kind: 'pinned' as const })),
      ...kept.map((each) => ({ ...each, title: `${each.expression} at step ${each.position.toLocaleString('en')}`, note: '', kind: 'kept' as const })),
    ];
    return { kind: 'tensors', position, tensors: rows, isNewest: !this.followed };
  }

  private async receive(name: ViewName, message: ToHost): Promise<void> {
    const { session } = this;
    if (message.kind === 'ready') {
      this.columns = Math.max(1, Math.min(message.columns, 2000));
      if (name === 'graph') this.graph = undefined; // a page that was hidden has none any more
      return this.refresh(name);
    }
    if (!session) return;
    const request = (command: string, given: object) => session.customRequest(command, given);
    switch (message.kind) {
      case 'goTo': return this.move(name, request('shlo/goTo', { position: message.position }));
      case 'select': return this.move(name, request('shlo/selectThread', { threadId: message.process + 1 }));
      case 'part':
        this.gridStart = message.start;
        return this.refresh(name);
      case 'line': return this.reveal(session, message.line);
      case 'pin':
        if (!this.pins.includes(message.tensor)) this.pins.push(message.tensor);
        return this.refresh(name);
      case 'keep': return this.move(name, request('shlo/keep', { ...this.frame(session), tensor: message.tensor }), true);
      case 'remove':
        this.pins = this.pins.filter((each) => each !== message.tensor);
        return this.move(name, request('shlo/forget', { tensor: message.tensor }), true);
      case 'newest':
        this.followed = '';
        return this.refresh(name);
      case 'ask': return this.plane(session, message);
    }
  }

  private frame(session: vscode.DebugSession): object {
    const item = vscode.debug.activeStackItem;
    return item instanceof vscode.DebugStackFrame && item.session.id === session.id ? { frameId: item.frameId } : {};
  }

  /** Waits for a request; a page that moves learns from a refresh where that led, also where it was refused. */
  private async move(name: ViewName, request: Thenable<unknown>, asksAgain = false): Promise<void> {
    try {
      await request;
      if (asksAgain) await this.refresh(name);
    } catch (error) {
      void vscode.window.showWarningMessage(reason(error));
      await this.refresh(name);
    }
  }

  private async plane(session: vscode.DebugSession, { number, tensor, other, slice }: Extract<ToHost, { kind: 'ask' }>): Promise<void> {
    try {
      const compared = other ? { other } : {};
      const plane = (await session.customRequest('shlo/tensor', { ...this.frame(session), tensor, ...compared, ...slice })) as PlaneData;
      this.post('tensor', { kind: 'plane', number, plane });
    } catch (error) {
      this.post('tensor', { kind: 'failed', number, reason: reason(error) });
    }
  }

  /** Shows the line of a node of the graph in the program's text. */
  private async reveal(session: vscode.DebugSession, line: number): Promise<void> {
    if (this.graph?.session !== session.id) return;
    const uri = vscode.debug.asDebugSourceUri(this.graph.source, session);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    const at = new vscode.Position(line - 1, 0);
    const options = { viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One, preserveFocus: true, selection: new vscode.Range(at, at) };
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
  }

  private post(name: ViewName, message: FromHost): void {
    void this.views[name].place?.webview.postMessage(message);
  }
}

function view(): View {
  return { place: undefined, edition: 0 };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
