// What `shlo test` says about tests, line by line. Nothing here knows VS Code.

/** A test as `shlo test --list --format json` names it; lines and columns are from 1. */
export interface TestFunction {
  readonly name: string;
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly column: number;
  readonly checks: boolean;
}

/** What became of a test, or of a file that cannot be read: as `shlo test --format json` says it. */
export interface TestOutcome {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'error';
  readonly seconds: number;
  readonly message: string;
  readonly place: string | null;
}

/** How often the operations of a file were executed, as `shlo test --coverage --format json` says it: lines and columns from 1. */
export interface FileCoverage {
  readonly file: string;
  readonly coverage: readonly (readonly [line: number, column: number, times: number])[];
}

/** Lines as they come in pieces: gives those that are whole, each once. */
export class Lines {
  private rest = '';

  add(text: string): string[] {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    return lines;
  }
}

/** A line of JSON; nothing where it is none. */
function object(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function readTest(line: string): TestFunction | undefined {
  const value = object(line);
  const isTest = typeof value?.['function'] === 'string' && typeof value['line'] === 'number' && typeof value['file'] === 'string';
  return isTest ? (value as unknown as TestFunction) : undefined;
}

export function readOutcome(line: string): TestOutcome | undefined {
  const value = object(line);
  return typeof value?.['verdict'] === 'string' && typeof value['name'] === 'string' ? (value as unknown as TestOutcome) : undefined;
}

export function readCoverage(line: string): FileCoverage | undefined {
  const value = object(line);
  const isOperation = (each: unknown) => Array.isArray(each) && each.length === 3 && each.every((part) => Number.isSafeInteger(part) && part >= 0);
  const operations = value?.['coverage'];
  return typeof value?.['file'] === 'string' && Array.isArray(operations) && operations.every(isOperation) ? (value as unknown as FileCoverage) : undefined;
}

/** Line and column, from 0, of a place as `file:line:column`. */
export function positionOf(place: string | null): { line: number; character: number } | undefined {
  const found = /:(\d+):(\d+)$/.exec(place ?? '');
  return found ? { line: Number(found[1]) - 1, character: Number(found[2]) - 1 } : undefined;
}

/** Whether a text may hold tests: this is looked at before a file is read with care. */
export function mayHoldTests(text: string): boolean {
  return /\bcheck\.(expect|eq|custom)|"check\.|@check\./.test(text);
}

/** The word of `-k` that chooses a test, and those whose names begin like it. */
export function wordFor({ name, file, function: called }: TestFunction): string {
  return name.startsWith(file) ? name.slice(file.length) : `::${called}`;
}
