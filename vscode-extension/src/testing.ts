// The Testing view: functions that check their own results, in the folder's programs; failures are in Problems as well.

import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './client';
import { run } from './processes';
import { subcommand } from './servers';
import { Lines, mayHoldTests, positionOf, readCoverage, readOutcome, readTest, wordFor, type FileCoverage, type TestFunction, type TestOutcome } from './tests';

/** Programs of more bytes are not looked through for tests. */
const LARGEST = 5_000_000;
/** How many files one process lists. */
const AT_ONCE = 200;
const MOST_FILES = 5000;
/** Milliseconds in which more files may change before they are looked at. */
const SETTLED = 300;
/** A column behind any text. */
const END_OF_LINE = 100_000;
const PATTERN = '**/*.mlir';
const IGNORED = '**/{node_modules,.git,.venv,build,dist}/**';

export class Testing implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('shlo', 'StableHLO');
  private readonly problems = vscode.languages.createDiagnosticCollection('shlo test');
  private readonly tests = new WeakMap<vscode.TestItem, TestFunction>();
  /** The operations of files whose coverage is shown. */
  private readonly covered = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();
  private readonly subscriptions: vscode.Disposable[];
  /** Files that changed and are to be looked at, and the runs that follow saves. */
  private readonly stale = new Map<string, vscode.Uri>();
  private readonly watches = new Set<(file: vscode.Uri) => void>();
  private timer: NodeJS.Timeout | undefined;
  private found: Promise<void> | undefined;

  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
    debug: (file: vscode.Uri, name: string) => Promise<void>,
  ) {
    const { controller } = this;
    controller.resolveHandler = () => this.discover();
    controller.refreshHandler = () => this.discoverAgain();
    const { Run, Debug, Coverage } = vscode.TestRunProfileKind;
    const profile = controller.createRunProfile('Run', Run, (request, token) => this.run(request, token), true, undefined, true);
    const debugging = controller.createRunProfile('Debug', Debug, async ({ include }) => {
      const [item] = include ?? [];
      const test = item && this.tests.get(item);
      if (item?.uri && test) await debug(item.uri, test.function); // it runs to the check that fails, or a breakpoint
      else void vscode.window.showInformationMessage('Choose one test to debug.');
    });
    const coverage = controller.createRunProfile('Coverage of Operations', Coverage, (request, token) => this.run(request, token), true);
    coverage.loadDetailedCoverage = async (_, file) => this.covered.get(file) ?? [];
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    this.subscriptions = [
      ...[controller, this.problems, profile, debugging, coverage, watcher],
      watcher.onDidChange((uri) => this.look(uri)),
      watcher.onDidCreate((uri) => this.look(uri)),
      watcher.onDidDelete((uri) => this.remove(uri)),
      server.onState(({ kind }) => void (kind === 'running' && this.found === undefined && this.discover())),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length) this.problems.delete(document.uri);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
  }

  /** Runs the tests of a file as the view does; discovers them first. */
  async runFile(file: vscode.Uri, name: string | undefined): Promise<boolean> {
    await this.list([file], new AbortController().signal);
    const item = this.controller.items.get(file.toString());
    const items = name === undefined ? item && [item] : [...(item?.children ?? [])].map(([, each]) => each).filter((each) => this.tests.get(each)?.function === name);
    if (!items?.length) return false;
    await this.runOnce(new vscode.TestRunRequest(items), new vscode.CancellationTokenSource().token);
    await vscode.commands.executeCommand('testing.showMostRecentOutput').then(undefined, () => undefined);
    return true;
  }

  private async discover(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.server.state.kind !== 'running') return;
    this.found ??= this.discoverAgain();
    await this.found;
  }

  private async discoverAgain(): Promise<void> {
    const files = await vscode.workspace.findFiles(PATTERN, IGNORED, MOST_FILES);
    await this.list(files, new AbortController().signal);
  }

  private look(file: vscode.Uri): void {
    this.stale.set(file.toString(), file);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lookAtStale(), SETTLED);
  }

  private async lookAtStale(): Promise<void> {
    if (!vscode.workspace.isTrusted || this.found === undefined) return;
    const files = [...this.stale.values()];
    this.stale.clear();
    await this.list(files, new AbortController().signal);
    for (const watch of this.watches) files.forEach(watch);
  }

  private remove(file: vscode.Uri): void {
    this.controller.items.delete(file.toString());
    this.problems.delete(file);
  }

  /** Asks `shlo` for the tests of files and shows them in the place of those that were known. */
  private async list(files: readonly vscode.Uri[], signal: AbortSignal): Promise<void> {
    const server = await this.server.command();
    if (!server) return;
    const promising: vscode.Uri[] = [];
    for (const file of files) if (await isPromising(file)) promising.push(file);
      else this.remove(file);
    for (let start = 0; start < promising.length; start += AT_ONCE) {
      const part = promising.slice(start, start + AT_ONCE);
      const words = ['test', '--list', '--format=json', '--', ...part.map(({ fsPath }) => fsPath)];
      const ended = await run(subcommand(server.base, ...words), { cwd: this.server.folder, signal, milliseconds: 120_000 });
      if (ended.errors.trim()) this.log.info(ended.errors.trim());
      const tests = ended.output.split('\n').flatMap((line) => readTest(line) ?? []);
      for (const file of part) this.show(file, tests.filter((test) => test.file === file.fsPath && test.checks));
    }
  }

  private show(file: vscode.Uri, tests: readonly TestFunction[]): void {
    if (tests.length === 0) return this.remove(file);
    const { controller } = this;
    const shown = controller.items.get(file.toString()) ?? controller.createTestItem(file.toString(), vscode.workspace.asRelativePath(file), file);
    const children = tests.map((test) => {
      const position = new vscode.Position(test.line - 1, test.column - 1);
      const item = shown.children.get(test.name) ?? controller.createTestItem(test.name, `@${test.function}`, file);
      item.range = new vscode.Range(position, position);
      item.sortText = String(test.line).padStart(9, '0');
      this.tests.set(item, test);
      return item;
    });
    shown.children.replace(children);
    controller.items.add(shown);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    await this.runOnce(request, token);
    if (!request.continuous) return;
    const watch = (file: vscode.Uri) => {
      const items = this.chosen(request).filter(({ uri }) => uri?.fsPath === file.fsPath);
      if (items.length) void this.runOnce(new vscode.TestRunRequest(items, undefined, request.profile, true), token);
    };
    this.watches.add(watch);
    token.onCancellationRequested(() => this.watches.delete(watch));
  }

  /** The tests of a request, those within files included. */
  private chosen({ include, exclude }: vscode.TestRunRequest): vscode.TestItem[] {
    const roots = include ?? [...this.controller.items].map(([, item]) => item);
    const leaves = roots.flatMap((item) => (item.children.size ? [...item.children].map(([, child]) => child) : [item]));
    return [...new Set(leaves)].filter((item) => this.tests.has(item) && !exclude?.some((each) => each === item || each === item.parent));
  }

  private async runOnce(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const outcome = this.controller.createTestRun(request);
    const abort = new AbortController();
    for (const each of [token, outcome.token]) each.onCancellationRequested(() => abort.abort());
    const byFile = new Map<string, vscode.TestItem[]>();
    for (const item of this.chosen(request)) {
      outcome.enqueued(item);
      byFile.set(item.uri?.fsPath ?? '', [...(byFile.get(item.uri?.fsPath ?? '') ?? []), item]);
    }
    try {
      const isCovered = request.profile?.kind === vscode.TestRunProfileKind.Coverage;
      for (const [file, items] of byFile) if (!abort.signal.aborted) await this.runFileOnce(outcome, file, items, abort.signal, isCovered);
    } finally {
      outcome.end();
    }
  }

  private async runFileOnce(outcome: vscode.TestRun, file: string, items: readonly vscode.TestItem[], signal: AbortSignal, isCovered: boolean): Promise<void> {
    const server = await this.server.command();
    const waiting = new Map(items.map((item) => [item.id, item]));
    if (!server) return items.forEach((item) => outcome.errored(item, new vscode.TestMessage('shlo was not found')));
    const uri = vscode.Uri.file(file);
    const problems = new Map((this.problems.get(uri) ?? []).map((each) => [String(each.code), each]));
    for (const item of items) {
      outcome.started(item);
      problems.delete(this.shortName(item));
    }
    const [only] = items;
    const word = items.length === 1 && only ? this.tests.get(only) : undefined;
    const chosen = word ? [`-k${wordFor(word)}`] : [];
    const lines = new Lines();
    const say = (text: string) => {
      for (const line of lines.add(text)) {
        const coverage = isCovered ? readCoverage(line) : undefined;
        if (coverage) this.cover(outcome, uri, coverage);
        else this.report(outcome, readOutcome(line), uri, waiting, problems);
      }
    };
    const invocation = subcommand(server.base, 'test', '--format=json', ...(isCovered ? ['--coverage'] : []), ...chosen, '--', file);
    const ended = await run(invocation, { cwd: path.dirname(file), signal, say });
    if (ended.errors.trim()) outcome.appendOutput(ended.errors.replace(/\r?\n/g, '\r\n'));
    for (const item of waiting.values()) {
      if (signal.aborted) outcome.skipped(item);
      else outcome.errored(item, new vscode.TestMessage(ended.errors.trim() || `shlo test ended with code ${ended.code}`));
    }
    this.problems.set(uri, [...problems.values()]);
  }

  /** Shows which operations were executed, and how often. */
  private cover(outcome: vscode.TestRun, uri: vscode.Uri, { coverage }: FileCoverage): void {
    const details = coverage.map(([line, column, times]) => {
      const start = new vscode.Position(Math.max(line - 1, 0), Math.max(column - 1, 0));
      return new vscode.StatementCoverage(times, new vscode.Range(start, start.with({ character: END_OF_LINE })));
    });
    const shown = vscode.FileCoverage.fromDetails(uri, details);
    this.covered.set(shown, details);
    outcome.addCoverage(shown);
  }

  /** The name of a test within its file. */
  private shortName(item: vscode.TestItem): string {
    const test = this.tests.get(item);
    return test ? wordFor(test).replace(/^::/, '@') : item.label;
  }

  private report(
    outcome: vscode.TestRun,
    said: TestOutcome | undefined,
    uri: vscode.Uri,
    waiting: Map<string, vscode.TestItem>,
    problems: Map<string, vscode.Diagnostic>,
  ): void {
    if (!said) return;
    // A file that cannot be read has an outcome of its own, and its tests have none.
    const items = waiting.has(said.name) ? [waiting.get(said.name)] : said.name === uri.fsPath ? [...waiting.values()] : [];
    const place = positionOf(said.place);
    const position = place && new vscode.Position(place.line, place.character);
    for (const item of items) {
      if (!item) continue;
      waiting.delete(item.id);
      const milliseconds = said.seconds * 1000;
      outcome.appendOutput(`${this.shortName(item)} ${said.verdict}${said.message ? `: ${said.message}` : ''}\r\n`, undefined, item);
      if (said.verdict === 'passed') {
        outcome.passed(item, milliseconds);
        continue;
      }
      const message = new vscode.TestMessage(said.message);
      const at = position ?? item.range?.start ?? new vscode.Position(0, 0);
      message.location = new vscode.Location(uri, at);
      if (said.verdict === 'failed') outcome.failed(item, message, milliseconds);
      else outcome.errored(item, message, milliseconds);
      problems.set(this.shortName(item), problemAt(uri, at, said, this.shortName(item)));
    }
  }
}

/** A failure for Problems: the rest of the line where it happened. */
function problemAt(uri: vscode.Uri, at: vscode.Position, { message }: TestOutcome, code: string): vscode.Diagnostic {
  const line = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())?.lineAt(at.line).text;
  const range = new vscode.Range(at, at.with({ character: Math.max(line?.trimEnd().length ?? 0, at.character + 1) }));
  const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  return Object.assign(problem, { source: 'shlo test', code });
}

async function isPromising(file: vscode.Uri): Promise<boolean> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    if (file.scheme !== 'file' || size > LARGEST) return false;
    return mayHoldTests(Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8'));
  } catch {
    return false;
  }
}
