// What a run gave, as the server says it, and in a line. Nothing here knows VS Code.

/** How many characters of a result fit behind a function. */
const SHORT = 100;

/** What the server says about a run: the answer to its command `shlo.run`. */
export interface RunResult {
  readonly status: string;
  readonly function: string;
  readonly results: readonly { readonly type: string; readonly text: string; readonly summary?: string | null; readonly dtype?: string | null }[];
  readonly message: string;
  readonly position: { readonly line: number; readonly character: number } | null;
  readonly text: string;
  /** The grid of processes that the program is for, as `1x8`, where one process will not do. */
  readonly grid?: string | null;
  /** The number by which the server knows the results that it keeps. */
  readonly run?: number | null;
  /** What operations gave, by lines that count from 1. */
  readonly values?: readonly { readonly line: number; readonly text: string }[];
}

/** The argument of that command, and of other commands of lenses. */
export interface RunArgument {
  readonly uri: string;
  readonly function: string;
  readonly program: number;
  /** Whether arguments are made up that nobody chose. */
  readonly random?: boolean;
}

export function isRunArgument(value: unknown): value is RunArgument {
  const { uri, function: name } = (value ?? {}) as Record<string, unknown>;
  return typeof uri === 'string' && typeof name === 'string';
}

export function isRunResult(value: unknown): value is RunResult {
  const { status, text, results } = (value ?? {}) as Record<string, unknown>;
  return typeof status === 'string' && typeof text === 'string' && Array.isArray(results);
}

/** A result in a line, for the space behind a function's first line. */
export function summary(result: RunResult): string {
  if (result.status !== 'done') return oneLine(`${result.status}: ${result.message}`);
  const [first, ...others] = result.results;
  if (first === undefined) return 'done, no results';
  return oneLine(`= ${first.text} : ${first.type}`) + (others.length ? `  (+${others.length})` : '');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}
