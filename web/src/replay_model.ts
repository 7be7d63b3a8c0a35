// A bounded part of a debug session that a page steps through by itself (shlo/debugger/views/replay.py).

import type { Timeline, TimelineScope } from './debug_messages';
import type { EmbeddedTensor } from './embedded';
import type { GraphData } from './graph_model';
import type { SourceData } from './source_model';

export interface BoundValue {
  readonly name: string;
  readonly type: string;
  readonly summary: string;
  /** Which of the tensors its elements are; null where they were not kept. */
  readonly tensor: number | null;
}

/** A position: the line of the next operation, how many frames are open, what the step that led there bound. */
export interface ReplayStep {
  readonly line: number;
  readonly depth: number;
  readonly values: readonly BoundValue[];
  readonly is_nonfinite: boolean;
  /** The line of Python of the next operation: the number of its file, and that of the line. */
  readonly python: readonly [file: number, line: number] | null;
  /** The number of the part of the model that the next operation belongs to. */
  readonly scope: number | null;
}

/** A row of what made a number that is not finite; null where the page does not have the position. */
export interface BlameRow {
  readonly depth: number;
  readonly text: string;
  readonly position: number | null;
}

/** A move: its button, where it has a text, and its key in the source. */
export interface Control {
  readonly text: string;
  readonly tooltip: string;
  readonly command: Move;
  readonly key: string;
}

export interface Replay {
  readonly source: SourceData;
  readonly first: number;
  readonly position: number;
  readonly last: number;
  readonly isDone: boolean;
  readonly steps: readonly ReplayStep[];
  readonly breakpoints: readonly number[];
  readonly text: string;
  readonly controls: readonly Control[];
  readonly python: readonly { readonly name: string; readonly lines: readonly string[] }[];
  readonly blame: readonly BlameRow[];
  /** Parts of the model, and whether they are its derivative. */
  readonly scopes: readonly { readonly name: string; readonly is_backward: boolean }[];
  readonly tensors: readonly EmbeddedTensor[];
  /** The program as a graph; null where it has too many operations for a page. */
  readonly graph: GraphData | null;
}

/** How a move goes: forwards or back, and where it ends. */
export type Move = 'restart' | 'reverse-continue' | 'reverse-next' | 'reverse-step' | 'step' | 'next' | 'finish' | 'reverse-nonfinite' | 'nonfinite' | 'continue' | 'until' | 'reverse-until';

/** Where a move ends that begins at a step, as the debugger's commands do; the last or first step where nothing stops it. `line` is that of the cursor. */
export function moved(steps: readonly ReplayStep[], from: number, move: Move, breakpoints: ReadonlySet<number>, line = 0): number {
  const depth = steps[from]?.depth ?? 0;
  const isAt = (at: number) => breakpoints.has(steps[at]!.line) && steps[at]!.depth > 0;
  switch (move) {
    case 'restart':
      return 0;
    case 'step':
      return Math.min(from + 1, steps.length - 1);
    case 'reverse-step':
      return Math.max(from - 1, 0);
    case 'next':
      return search(steps, from, 1, (at) => steps[at]!.depth <= depth || isAt(at));
    case 'reverse-next':
      return search(steps, from, -1, (at) => steps[at]!.depth <= depth || isAt(at));
    case 'finish':
      return search(steps, from, 1, (at) => steps[at]!.depth < depth || isAt(at));
    case 'continue':
      return search(steps, from, 1, isAt);
    case 'reverse-continue':
      return search(steps, from, -1, isAt);
    case 'nonfinite':
      return search(steps, from, 1, (at) => steps[at]!.is_nonfinite, from);
    case 'until':
      return search(steps, from, 1, (at) => steps[at]!.line === line, from);
    case 'reverse-until':
      return search(steps, from, -1, (at) => steps[at]!.line === line, from);
    case 'reverse-nonfinite':
      return search(steps, from, -1, (at) => steps[at]!.is_nonfinite, from);
  }
}

/** The first step in a direction that is one to stop at; the end there, or `otherwise`, where none is. */
function search(steps: readonly ReplayStep[], from: number, direction: 1 | -1, isStop: (at: number) => boolean, otherwise?: number): number {
  for (let at = from + direction; at >= 0 && at < steps.length; at += direction) if (isStop(at)) return at;
  return otherwise ?? (direction > 0 ? steps.length - 1 : 0);
}

/** The step whose place is shown: of the next operation, but behind a step that made a NaN or infinity, of that. */
export function shownStep(steps: readonly ReplayStep[], at: number): ReplayStep | undefined {
  return steps[at]?.is_nonfinite ? steps[at - 1] : steps[at];
}

/** The lines of the program whose operations come from a line of Python. */
export function linesOfPython(steps: readonly ReplayStep[], file: number, line: number): number[] {
  return [...new Set(steps.filter(({ python }) => python?.[0] === file && python[1] === line).map((step) => step.line))];
}

/** The last values that were bound up to a step, the newest first, each name once. */
export function newestValues(steps: readonly ReplayStep[], from: number, most: number): BoundValue[] {
  const values = new Map<string, BoundValue>();
  for (let at = from; at >= 0 && values.size < most; at--) for (const value of steps[at]!.values) if (!values.has(value.name) && values.size < most) values.set(value.name, value);
  return [...values.values()];
}

/** The value that a name had last up to a step. */
export function newestOf(steps: readonly ReplayStep[], from: number, name: string): BoundValue | undefined {
  return newestValues(steps, from, Infinity).find((value) => value.name === name);
}

/** The parts of the model from one column to another; a column is what its first step is. */
function scopesOf({ steps, scopes }: Replay, count: number): TimelineScope[] {
  const found: TimelineScope[] = [];
  let before: number | null = null;
  for (let column = 0; column < count; column++) {
    const scope = steps[Math.ceil((column * steps.length) / count)]!.scope;
    const last = scope !== null && scope === before && found.pop();
    if (scope !== null) found.push({ from: last ? last.from : column, to: column + 1, name: scopes[scope]!.name, isBackward: scopes[scope]!.is_backward });
    before = scope;
  }
  return found;
}

/** The steps in at most so many columns, as the timeline shows them. */
export function timelineOf(replay: Replay, at: number, breakpoints: ReadonlySet<number>, columns: number): Timeline {
  const { steps } = replay;
  const count = Math.min(columns, steps.length);
  const column = (step: number) => Math.floor((step * count) / steps.length);
  const depths = new Array<number>(count).fill(0);
  const marked = new Set<number>();
  steps.forEach((step, number) => {
    depths[column(number)] = Math.max(depths[column(number)] ?? 0, step.depth);
    if (breakpoints.has(step.line)) marked.add(column(number));
  });
  const nonfinite = steps.flatMap((step, number) => (step.is_nonfinite ? [number] : []));
  return { position: at, last: steps.length - 1, isDone: replay.isDone, depths, breakpoints: [...marked], rounds: [], stops: [replay.position - replay.first], nonfinite, round: null, process: '', scopes: scopesOf(replay, count) };
}
