// Asks which arguments a function is run on, and remembers them for the file.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { gridFault, inWords, MADE_UP, isArguments, split, type Arguments } from './arguments';
import { fileOf } from './bytecode';

const KEY = 'arguments';
/** How many array files of the folder are offered. */
const FILES = 30;

export class ChosenArguments {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {}

  /** What was chosen for a function, or for another one of its file; nothing where nobody chose. */
  of(uri: vscode.Uri, name: string | undefined): Arguments | undefined {
    const ofFile = this.memory.get<Record<string, unknown>>(KEY, {})[fileOf(uri).toString()] as Record<string, unknown> | undefined;
    const chosen = ofFile?.[name ?? ''];
    return isArguments(chosen) ? chosen : undefined;
  }

  /** Asks for the arguments of a function; gives what was chosen, or nothing. */
  async ask(uri: vscode.Uri, name: string): Promise<Arguments | undefined> {
    const before = this.of(uri, name);
    const chosen = await ask(fileOf(uri), name, before);
    if (chosen) await this.remember(uri, name, chosen);
    return chosen;
  }

  async remember(uri: vscode.Uri, name: string, chosen: Arguments | undefined): Promise<void> {
    const all = { ...this.memory.get<Record<string, Record<string, unknown>>>(KEY, {}) };
    const file = fileOf(uri).toString();
    all[file] = { ...all[file], [name]: chosen };
    await this.memory.update(KEY, all);
    this.changed.fire();
  }
}

interface Way extends vscode.QuickPickItem {
  readonly choose: () => Promise<Arguments | undefined>;
}

async function ask(file: vscode.Uri, name: string, before: Arguments | undefined): Promise<Arguments | undefined> {
  const folder = path.dirname(file.fsPath);
  const grid = before?.grid === undefined ? {} : { grid: before.grid };
  const rest = { ...grid, filling: 'random', seed: before?.seed ?? 0 } as const;
  const files = await arrayFiles(file);
  const ways: Way[] = [
    ...files.map((each) => ({
      label: `$(file-binary) ${each}`,
      description: each.replace(/\.np[yz]$/i, '') === path.parse(file.fsPath).name ? 'beside the program' : '',
      choose: () => Promise.resolve({ ...grid, texts: [each] }),
    })),
    ...(before ? [] : [{ label: '$(sparkle) Made up', description: inWords(MADE_UP), choose: () => Promise.resolve(MADE_UP) }]),
    { label: '$(folder-opened) Array files…', description: '.npz, .npy', choose: () => askFiles(file, grid) },
    { label: '$(symbol-numeric) Random, with a seed…', choose: () => askSeed(rest) },
    { label: '$(circle-outline) Zeros', choose: () => Promise.resolve({ ...grid, texts: [], filling: 'zeros' as const }) },
    { label: '$(edit) Literals…', description: 'dense<[1, 2]> 3 [1.5, 2.5]', choose: () => askLiterals(before) },
    { label: '$(server-process) Grid of processes…', description: before?.grid ?? 'one process', choose: () => askGrid(before) },
  ];
  const now = before ? `now: ${inWords(before)}` : 'now: random, seed 0';
  const options = { title: `Arguments of @${name}`, placeHolder: `${now}; the choice is remembered for this file (${path.basename(folder)})` };
  return (await vscode.window.showQuickPick(ways, options))?.choose();
}

/** The array files beside a program, that of its own name first. */
async function arrayFiles(file: vscode.Uri): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(file, '..')).then(undefined, () => []);
  const own = path.parse(file.fsPath).name;
  const names = entries.map(([each]) => each).filter((each) => /\.np[yz]$/i.test(each));
  const rank = (each: string) => (path.parse(each).name === own ? 0 : 1);
  return names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b)).slice(0, FILES);
}

async function askFiles(file: vscode.Uri, grid: Pick<Arguments, 'grid'>): Promise<Arguments | undefined> {
  const filters = { 'NumPy arrays': ['npz', 'npy'] };
  const chosen = await vscode.window.showOpenDialog({ defaultUri: vscode.Uri.joinPath(file, '..'), canSelectMany: true, filters });
  return chosen && { ...grid, texts: chosen.map(({ fsPath }) => fsPath) };
}

async function askSeed({ seed, ...rest }: Omit<Arguments, 'texts'>): Promise<Arguments | undefined> {
  const validateInput = (text: string) => (/^\d{1,9}$/.test(text) ? undefined : 'A seed is a number from 0.');
  const answer = await vscode.window.showInputBox({ title: 'Random Arguments', prompt: 'The seed', value: String(seed ?? 0), validateInput });
  return answer === undefined ? undefined : { ...rest, texts: [], seed: Number(answer) };
}

async function askLiterals(before: Arguments | undefined): Promise<Arguments | undefined> {
  const answer = await vscode.window.showInputBox({
    title: 'Arguments',
    prompt: 'In order, with blanks between them: literals, .npy and .npz files. What is missing is made up.',
    placeHolder: 'dense<[1, 2]> 3 [1.5, 2.5] x.npy',
    value: before?.texts.join(' ') ?? '',
  });
  if (answer === undefined) return undefined;
  return { ...before, texts: split(answer), filling: before?.filling ?? 'random', seed: before?.seed ?? 0 };
}

async function askGrid(before: Arguments | undefined): Promise<Arguments | undefined> {
  const answer = await vscode.window.showInputBox({
    title: 'Grid of Processes',
    prompt: 'Replicas x partitions; empty: one process. A grid is run in the terminal.',
    placeHolder: 'such as 1x8',
    value: before?.grid ?? '',
    validateInput: gridFault,
  });
  if (answer === undefined) return undefined;
  const { grid: _, ...rest } = before ?? { texts: [], filling: 'random' as const, seed: 0 };
  return answer === '' ? rest : { ...rest, grid: answer };
}
