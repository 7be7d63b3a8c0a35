// The language client: started, stopped and started again as trust, settings and environments change.

import * as path from 'node:path';
import * as vscode from 'vscode';
import {
  State as ClientState,
  CloseAction,
  CodeLensRequest,
  DidChangeConfigurationNotification,
  ErrorAction,
  ExecuteCommandRequest,
  InlayHintRequest,
  LanguageClient,
  RevealOutputChannelOn,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { inWords, withWholePaths, type Arguments } from './arguments';
import { fileOf } from './bytecode';
import type { Environment } from './environment';
import { commandSettingTarget, patience, search, type Search } from './finder';
import { COMPARED_SCHEME, LOWERED_SCHEME, SHOWN_SCHEME, VIEW_SCHEME } from './forms';
import { end, start, type Started } from './processes';
import type { Results } from './results';
import { subcommand, type Candidate } from './servers';
import type { State } from './state';
import { isRunArgument, isRunResult, type RunArgument, type RunResult } from './summary';

export const SELECTOR = [
  { language: 'mlir', scheme: 'file' },
  { language: 'mlir', scheme: 'untitled' },
  { language: 'mlir', scheme: VIEW_SCHEME },
  { language: 'mlir', scheme: LOWERED_SCHEME },
  { language: 'mlir', scheme: SHOWN_SCHEME },
  { language: 'mlir', scheme: COMPARED_SCHEME },
];

/** The commands of ours that the server puts above functions. */
const LENS_COMMANDS = { debug: 'shlo.debugFunction', test: 'shlo.testFile', references: 'shlo.showReferences', cost: 'shlo.showCost' };

export type { State } from './state';

/** Milliseconds in which a server that is asked to end should have done so. */
const FAREWELL = 4000;
/** How many crashes within that many milliseconds end the attempts to start a server again. */
const CRASHES = 4;
const CRASH_PERIOD = 180_000;

/** What runs of functions take from the rest of the extension: their arguments. */
export interface Runner {
  /** What was chosen for a function. */
  chosen(argument: RunArgument): Arguments | undefined;
  /** Runs what the server cannot: a grid of processes. */
  runInTerminal(argument: RunArgument, chosen: Arguments): Promise<void>;
  /** Says that a program is for a grid, and offers to run that. */
  offerGrid(argument: RunArgument, grid: string): Promise<void>;
}

export class Server {
  /** Set before the server starts. */
  runner: Runner | undefined;
  private client: LanguageClient | undefined;
  /** What was started for servers and has not ended: a client starts one anew where one crashes. */
  private readonly processes = new Set<Started>();
  private attempt = new AbortController();
  private turn: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly changed = new vscode.EventEmitter<State>();
  /** The newest state. */
  state: State = { kind: 'off' };
  readonly onState = this.changed.event;
  private readonly ran = new vscode.EventEmitter<{ readonly argument: RunArgument; readonly result: RunResult }>();
  /** Tells of every run of a function that has ended, with the server's whole answer: for panels that show values. */
  readonly onRun = this.ran.event;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly environment: Environment,
    private readonly results: Results,
    /** A folder of ours, in which processes start. */
    readonly folder: string,
  ) {}

  /**
   * Stops the server if one runs or is about to, and looks for one again: the last word counts. Requests that come
   * while one waits are the same as that one.
   */
  restart(): Promise<void> {
    if (this.next === undefined) {
      this.attempt.abort();
      this.next = this.turn = this.turn.then(() => this.startAgain()).catch((error) => this.fail(error));
    }
    return this.next;
  }

  /** Ends the server for good. */
  dispose(): Promise<void> {
    this.attempt.abort();
    return this.stop().finally(() => [this.changed, this.ran].forEach((each) => each.dispose()));
  }

  /** Waits for a server that is about to run: it is as good as one that runs. */
  settled(): Promise<void> {
    return this.turn;
  }

  /** The `shlo` command that would serve, for terminals. */
  async command(): Promise<Candidate | undefined> {
    await this.settled();
    return this.state.kind === 'running' ? this.state.server : (await this.search()).found;
  }

  /** The answer to a request of ours, when a server that is starting runs; nothing where there is no server. */
  async request<T>(method: string, params: unknown): Promise<T | undefined> {
    await this.settled();
    return this.client && this.state.kind === 'running' ? this.client.sendRequest<T>(method, params) : undefined;
  }

  /** Lets editors ask for lenses again: their titles say what was chosen. */
  refreshLenses(): void {
    const feature = this.client?.getFeature(CodeLensRequest.method);
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document).find(({ languageId }) => languageId === 'mlir');
    if (shown) feature?.getProvider(shown)?.onDidChangeCodeLensEmitter.fire();
  }

  /** Tells the server of other settings, and lets editors ask for hints again. */
  configure(): void {
    const { client } = this;
    if (!client || this.state.kind !== 'running') return;
    void client.sendNotification(DidChangeConfigurationNotification.type, { settings: { shlo: settings() } });
    const feature = client.getFeature(InlayHintRequest.method);
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document).find(({ languageId }) => languageId === 'mlir');
    if (shown) feature?.getProvider(shown)?.onDidChangeInlayHints.fire();
  }

  private async startAgain(): Promise<void> {
    this.next = undefined;
    const { signal } = (this.attempt = new AbortController());
    await this.stop();
    if (!vscode.workspace.getConfiguration('shlo').get('server.enabled', true)) return this.become({ kind: 'off' });
    this.become({ kind: 'starting' });
    const { found, report, isSet } = await this.search(signal);
    if (signal.aborted) return; // another attempt follows
    if (found === undefined) return this.become({ kind: 'missing', report, isSet });
    const client: LanguageClient = new LanguageClient('shlo', 'StableHLO', () => this.launch(found), this.options(() => this.client === client));
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.become(stateOf(newState, found, client));
    });
    await this.started(client, signal);
  }

  /** Waits for a server to answer: not longer than the settings say, and not after it is to be another one. */
  private async started(client: LanguageClient, signal: AbortSignal): Promise<void> {
    const limit = patience();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not start within ${limit / 1000} s and was stopped (shlo.server.timeout)`)), limit);
      signal.addEventListener('abort', () => reject(new Error('another start was asked for')));
    });
    try {
      await Promise.race([client.start(), late]);
    } catch (error) {
      await this.stop();
      if (!signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    const farewell = client?.isRunning() ? FAREWELL : 0;
    const stopped = client?.dispose().catch((error: unknown) => this.log.debug(String(error))); // it may never have started
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, farewell))]);
    for (const each of this.processes) end(each);
  }

  private async search(signal?: AbortSignal): Promise<Search> {
    const outcome = await search(this.environment, this.folder, signal);
    for (const line of outcome.report) this.log.info(line);
    return outcome;
  }

  private fail(error: unknown): void {
    const report = [error instanceof Error ? error.message : String(error)];
    this.log.error(report.join('\n'));
    this.become({ kind: 'failed', report, isSet: commandSettingTarget() !== undefined });
  }

  private become(state: State): void {
    if (state.kind !== this.state.kind) this.log.info(`server: ${state.kind}${vscode.workspace.isTrusted ? '' : ' (a folder without trust)'}`);
    this.state = state;
    this.changed.fire(state);
  }

  private async launch({ base }: Candidate): Promise<Started> {
    const child = start(subcommand(base, 'lsp'), this.folder);
    this.processes.add(child);
    child.once('exit', () => this.processes.delete(child));
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return child;
  }

  /** Sends a command to the server; it can be cancelled. In a folder without trust the server refuses as well. */
  private async execute(command: string, args: unknown[]): Promise<unknown> {
    const { client } = this;
    if (!client || !vscode.workspace.isTrusted) return undefined;
    const [argument] = args as [RunArgument];
    const chosen = command === 'shlo.run' && isRunArgument(argument) ? this.runner?.chosen(argument) : undefined;
    if (chosen?.grid) return this.runner?.runInTerminal(argument, chosen);
    if (command !== 'shlo.run' || !isRunArgument(argument)) return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
    const limited = { ...(chosen ? withArguments(argument, chosen) : argument), limits: limits(vscode.Uri.parse(argument.uri)) };
    const ask = (token: vscode.CancellationToken) => client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [limited] }, token);
    const result: unknown = await this.results.whileRunning(argument, ask);
    if (!isRunResult(result)) return result;
    await this.results.show(argument, result);
    this.ran.fire({ argument, result });
    if (result.grid) void this.runner?.offerGrid(argument, result.grid);
    return result;
  }

  /** A lens that makes arguments up says which were chosen, and has one beside it that asks for others. */
  private withChoice(lens: vscode.CodeLens): vscode.CodeLens[] {
    const argument = lens.command?.arguments?.[0] as RunArgument | undefined;
    if (lens.command?.command !== 'shlo.run' || !argument?.random) return [lens];
    const chosen = this.runner?.chosen(argument);
    if (chosen) lens.command = { ...lens.command, title: `Run (${inWords(chosen)})` };
    return [lens, new vscode.CodeLens(lens.range, { command: 'shlo.chooseArguments', title: 'Arguments…', arguments: [argument] })];
  }

  private options(isWanted: () => boolean): LanguageClientOptions {
    const crashes: number[] = [];
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { ...settings(), commands: LENS_COMMANDS, allowRun: vscode.workspace.isTrusted },
      markdown: { isTrusted: false, supportHtml: false },
      initializationFailedHandler: () => false, // the state tells of it
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => {
          const now = Date.now();
          crashes.push(now);
          const again = isWanted() && crashes.filter((each) => now - each < CRASH_PERIOD).length <= CRASHES;
          return { action: again ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        executeCommand: (command, args) => this.execute(command, args),
        provideInlayHints: (document, range, token, next) => (hasHints(document.uri) ? next(document, range, token) : []),
        provideCodeLenses: async (document, token, next) => {
          const lenses = (await next(document, token)) ?? []; // without trust the server gives none that runs
          this.results.remember(lenses);
          return lenses.flatMap((lens) => this.withChoice(lens));
        },
      },
    };
  }
}

/** The argument of a run on what was chosen, as the server's command takes it. */
function withArguments(argument: RunArgument, chosen: Arguments): RunArgument & Record<string, unknown> {
  const { texts, filling, seed } = withWholePaths(chosen, path.dirname(fileOf(vscode.Uri.parse(argument.uri)).fsPath));
  return { ...argument, random: false, arguments: texts, ...(filling ? { filling } : {}), seed: seed ?? 0 };
}

function stateOf(state: ClientState, server: Candidate, client: LanguageClient): State {
  if (state === ClientState.Running) return { kind: 'running', server, version: client.initializeResult?.serverInfo?.version ?? '' };
  return { kind: state === ClientState.Starting ? 'starting' : 'stopped' };
}

/** What the server is told. Settings that folders may have values of their own for are seen to here, by document. */
function settings(): Record<string, unknown> {
  return { ...vscode.workspace.getConfiguration().get<Record<string, unknown>>('shlo'), inlayHints: true };
}

function hasHints(uri: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('shlo', fileOf(uri)).get('inlayHints', true);
}

/** What a run may take, as the settings of the program's folder say. */
function limits(uri: vscode.Uri): Record<string, unknown> {
  const run = vscode.workspace.getConfiguration('shlo.run', fileOf(uri));
  return { seconds: run.get('seconds'), megabytes: run.get('megabytes') };
}
