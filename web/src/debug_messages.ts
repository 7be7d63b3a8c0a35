// What the panels of a debug session and their pages say to one another. Both sides look at what they are given.

import type { GraphData } from './graph_model';
import { isSlice } from './messages';
import type { PlaneData, Slice } from './plane';

export const VIEWS = ['timeline', 'grid', 'tensor', 'graph'] as const;
export type ViewName = (typeof VIEWS)[number];

/** A part of the model, a layer say, in columns from `from` to `to`, which is not in it. */
export interface TimelineScope {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly isBackward: boolean;
}

/** `shlo/timeline`: the positions that were reached, in columns. */
export interface Timeline {
  readonly position: number;
  readonly last: number;
  readonly isDone: boolean;
  readonly depths: readonly number[];
  /** Columns in which a breakpoint is, or in which a round of the innermost loop begins. */
  readonly breakpoints: readonly number[];
  readonly rounds: readonly number[];
  /** Positions. */
  readonly stops: readonly number[];
  /** Positions at which a search found NaN or infinities, where searches are noted. */
  readonly nonfinite?: readonly number[];
  readonly round: number | null;
  readonly process: string;
  /** Which parts of the model the columns are, where that is known. */
  readonly scopes?: readonly TimelineScope[];
}

/** A process of `shlo/grid`. */
export interface Cell {
  readonly process: number;
  readonly label: string;
  readonly coordinates: readonly number[];
  readonly status: string;
  readonly operation: string;
  readonly line: number | null;
  readonly steps: number;
  readonly waitsFor: readonly number[];
  readonly awaited: string;
  readonly isInCycle: boolean;
  readonly isGuilty: boolean;
  readonly isNotThere: boolean;
}

export interface Grid {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  readonly total: number;
  readonly start: number;
  readonly cells: readonly Cell[];
  readonly selected: number;
  readonly cycle?: readonly number[];
  readonly lines: readonly string[];
}

/** `shlo/graph`: the graph where the page does not have it yet, and where the session is in it. */
export interface GraphAnswer {
  readonly program: number;
  readonly line: number | null;
  readonly data: GraphData | null;
}

/** A tensor that can be shown: an expression, or one that was kept as it was. */
export interface Listed {
  /** By what it is asked for. */
  readonly tensor: string;
  readonly title: string;
  readonly type: string;
  readonly shape: readonly number[] | null;
  readonly note: string;
  readonly kind: 'followed' | 'pinned' | 'kept';
}

export type FromHost =
  | { readonly kind: 'nothing'; readonly text: string }
  | { readonly kind: 'timeline'; readonly timeline: Timeline }
  | { readonly kind: 'grid'; readonly grid: Grid }
  | { readonly kind: 'graph'; readonly graph: GraphAnswer }
  | { readonly kind: 'tensors'; readonly position: number; readonly tensors: readonly Listed[]; readonly isNewest: boolean }
  | { readonly kind: 'plane'; readonly number: number; readonly plane: PlaneData }
  | { readonly kind: 'failed'; readonly number: number; readonly reason: string };

export type ToHost =
  | { readonly kind: 'ready'; readonly columns: number }
  | { readonly kind: 'goTo'; readonly position: number }
  | { readonly kind: 'select'; readonly process: number }
  | { readonly kind: 'part'; readonly start: number }
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'ask'; readonly number: number; readonly tensor: string; readonly other: string; readonly slice: Slice }
  | { readonly kind: 'pin' | 'keep' | 'remove'; readonly tensor: string }
  | { readonly kind: 'newest' };

const FROM_HOST = ['nothing', 'timeline', 'grid', 'graph', 'tensors', 'plane', 'failed'];

export function isFromHost(value: unknown): value is FromHost {
  return FROM_HOST.includes((value as { kind?: string } | null)?.kind ?? '');
}

const isNumber = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown) => typeof value === 'string' && value.length <= 1000;
/** What the parts of each message are. */
const TO_HOST: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  ready: { columns: isNumber },
  goTo: { position: isNumber },
  select: { process: isNumber },
  part: { start: isNumber },
  line: { line: isNumber },
  ask: { number: isNumber, tensor: isText, other: isText, slice: isSlice },
  pin: { tensor: isText },
  keep: { tensor: isText },
  remove: { tensor: isText },
  newest: {},
};

export function isToHost(value: unknown): value is ToHost {
  const message = (value ?? {}) as Record<string, unknown>;
  const { kind } = message;
  const parts = typeof kind === 'string' && Object.hasOwn(TO_HOST, kind) ? TO_HOST[kind] : undefined;
  return parts !== undefined && Object.entries(parts).every(([name, fits]) => fits(message[name]));
}
