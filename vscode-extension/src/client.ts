// The language client: started, stopped and started again as trust, settings and environments change.

import * as vscode from 'vscode';
import {
  State as ClientState,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import type { Environment } from './environment';
import { search, type Search } from './finder';
import { VIEW_SCHEME } from './forms';
import type { Results } from './results';
import { subcommand, type Candidate } from './servers';
import { isRunResult, type RunArgument } from './summary';

export const SELECTOR = [
  { language: 'mlir', scheme: 'file' },
  { language: 'mlir', scheme: 'untitled' },
  { language: 'mlir', scheme: VIEW_SCHEME },
];

/** The commands of ours that the server puts above functions. */
const LENS_COMMANDS = { debug: 'shlo.debugFile', test: 'shlo.testFile' };

/** What the server is doing, for the status item. */
export type State =
  | { readonly kind: 'starting' | 'off' | 'stopped' }
  | { readonly kind: 'running'; readonly server: Candidate }
  | { readonly kind: 'missing' | 'failed'; readonly report: readonly string[] };

export class Server {
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly changed = new vscode.EventEmitter<State>();
  /** The newest state. */
  state: State = { kind: 'off' };
  readonly onState = this.changed.event;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly environment: Environment,
    private readonly results: Results,
    private readonly cwd: string,
  ) {}

  /**
   * Stops the server if one runs and looks for one again, once what goes on has ended: the last word counts. Requests
   * that come while one waits are the same as that one.
   */
  restart(): Promise<void> {
    this.next ??= this.turn = this.turn.then(() => this.startAgain()).catch((error) => this.fail([String(error)]));
    return this.next;
  }

  /** Ends the server for good. */
  dispose(): Promise<void> {
    return this.stop().finally(() => this.changed.dispose());
  }

  /** The `shlo` command that would serve, for terminals. */
  async command(): Promise<Candidate | undefined> {
    return this.state.kind === 'running' ? this.state.server : (await this.search()).found;
  }

  /** The answer to a request of ours, when a server that is starting runs; nothing where there is no server. */
  async request<T>(method: string, params: unknown): Promise<T | undefined> {
    await this.turn;
    return this.client && this.state.kind === 'running' ? this.client.sendRequest<T>(method, params) : undefined;
  }

  private async startAgain(): Promise<void> {
    this.next = undefined;
    await this.stop();
    if (!vscode.workspace.getConfiguration('shlo').get('server.enabled', true)) return this.become({ kind: 'off' });
    this.become({ kind: 'starting' });
    const { found, report } = await this.search();
    if (found === undefined) return this.become({ kind: 'missing', report });
    this.client = new LanguageClient('shlo', 'StableHLO', this.executable(found), this.options());
    this.client.onDidChangeState(({ newState }) => this.become(stateOf(newState, found)));
    await this.client.start();
  }

  private async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error))); // it may never have started
  }

  private async search(): Promise<Search> {
    const outcome = await search(this.environment, this.cwd);
    for (const line of outcome.report) this.log.info(line);
    return outcome;
  }

  private fail(report: string[]): void {
    this.log.error(report.join('\n'));
    this.become({ kind: 'failed', report });
  }

  private become(state: State): void {
    if (state.kind !== this.state.kind) this.log.info(`server: ${state.kind}${vscode.workspace.isTrusted ? '' : ' (a folder without trust)'}`);
    this.state = state;
    this.changed.fire(state);
  }

  private executable({ base }: Candidate) {
    const { command, args } = subcommand(base, 'lsp');
    return { command, args: [...args], options: { cwd: this.cwd } };
  }

  /** Sends a command to the server; it can be cancelled. In a folder without trust the server refuses as well. */
  private async execute(command: string, args: unknown[]): Promise<unknown> {
    const { client } = this;
    if (!client || !vscode.workspace.isTrusted) return undefined;
    const request = { command, arguments: args as RunArgument[] };
    const ask = (token: vscode.CancellationToken) => client.sendRequest(ExecuteCommandRequest.type, request, token);
    const argument = request.arguments[0] as RunArgument;
    const result: unknown = await this.results.whileRunning(argument, ask);
    if (isRunResult(result)) await this.results.show(argument, result);
    return result;
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { ...settings(), commands: LENS_COMMANDS, allowRun: vscode.workspace.isTrusted },
      synchronize: { configurationSection: 'shlo' },
      markdown: { isTrusted: false, supportHtml: false },
      middleware: {
        executeCommand: (command, args) => this.execute(command, args),
        provideCodeLenses: async (document, token, next) => {
          const lenses = vscode.workspace.isTrusted ? await next(document, token) : [];
          this.results.remember(lenses ?? []);
          return lenses;
        },
      },
    };
  }
}

function stateOf(state: ClientState, server: Candidate): State {
  if (state === ClientState.Running) return { kind: 'running', server };
  return { kind: state === ClientState.Starting ? 'starting' : 'stopped' };
}

function settings(): Record<string, unknown> {
  const shlo = vscode.workspace.getConfiguration('shlo');
  return {
    inlayHints: shlo.get('inlayHints'),
    run: { seconds: shlo.get('run.seconds'), megabytes: shlo.get('run.megabytes') },
  };
}
