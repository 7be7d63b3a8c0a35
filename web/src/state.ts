// What of a tensor is in view: a plane, a part of it, and a cursor in it. Immutable; keys make another one.

import type { Range, Slice } from './plane';

export interface ViewState {
  readonly shape: readonly number[];
  readonly at: readonly number[];
  readonly rows: number | null;
  readonly columns: number | null;
  /** The part of the plane in view, null for all of it. */
  readonly window: Range | null;
  /** Row and column in the plane. */
  readonly cursor: readonly [number, number];
  /** The fixed axis that the keys [ and ] move on, null where every axis is shown. */
  readonly slider: number | null;
}

/** The first plane along the last two axes. */
export function firstView(shape: readonly number[]): ViewState {
  const rank = shape.length;
  const state = { shape, at: shape.map(() => 0), rows: rank > 1 ? rank - 2 : null, columns: rank > 0 ? rank - 1 : null, window: null, cursor: [0, 0] as const, slider: null };
  return { ...state, slider: fixedAxes(state).at(-1) ?? null };
}

/** The last axis, where it can be red, green and blue (and a fourth that is not shown). */
export function channelAxis(shape: readonly number[]): number | null {
  const last = shape.length - 1;
  return last >= 2 && (shape[last] === 3 || shape[last] === 4) && !shape.includes(0) ? last : null;
}

/** The first image of a tensor whose last axis is red, green and blue. */
export function imageView(shape: readonly number[]): ViewState {
  const rank = shape.length;
  const state = { ...firstView(shape), rows: rank - 3, columns: rank - 2 };
  return { ...state, slider: fixedAxes(state).filter((axis) => axis !== rank - 1).at(-1) ?? null };
}

/** The axes that have several places and are neither rows nor columns. */
export function fixedAxes({ shape, rows, columns }: Pick<ViewState, 'shape' | 'rows' | 'columns'>): number[] {
  return [...shape.keys()].filter((axis) => axis !== rows && axis !== columns && shape[axis]! > 1);
}

/** How many rows and columns the plane has. */
export function planeSize({ shape, rows, columns }: ViewState): readonly [number, number] {
  if (shape.includes(0)) return [0, 0];
  return [rows === null ? 1 : shape[rows]!, columns === null ? 1 : shape[columns]!];
}

/** The part of the plane in view. */
export function viewWindow(state: ViewState): Range {
  return state.window ?? [0, 0, ...planeSize(state)];
}

export function sliceOf({ at, rows, columns, window }: ViewState, height: number, width: number): Slice {
  return { at, rows, columns, window, height, width };
}

/** The plane at another place of a fixed axis, its ends at most. */
export function slidTo(state: ViewState, axis: number, place: number): ViewState {
  const size = state.shape[axis];
  if (size === undefined || !fixedAxes(state).includes(axis)) return state;
  const inside = clamp(Math.trunc(place), 0, size - 1);
  return { ...state, at: state.at.map((each, other) => (other === axis ? inside : each)), slider: axis };
}

/** The plane along two other axes through the same place; all of it. An axis that is both takes the other's place. */
export function withAxes(state: ViewState, rows: number, columns: number): ViewState {
  if (state.rows === null || state.columns === null) return state;
  const changed = rows === columns ? { rows: rows === state.rows ? state.columns : rows, columns: rows === state.rows ? columns : state.rows } : { rows, columns };
  const next: ViewState = { ...state, ...changed, window: null, cursor: [0, 0] };
  const fixed = fixedAxes(next);
  return { ...next, slider: next.slider !== null && fixed.includes(next.slider) ? next.slider : (fixed.at(-1) ?? null) };
}

/** The cursor elsewhere in the plane; the window goes along where it would leave it. */
export function movedTo(state: ViewState, row: number, column: number): ViewState {
  const [rows, columns] = planeSize(state);
  const cursor = [clamp(row, 0, rows - 1), clamp(column, 0, columns - 1)] as const;
  if (state.window === null) return { ...state, cursor };
  const [top, left, height, width] = state.window;
  const window = [follow(top, height, cursor[0]), follow(left, width, cursor[1]), height, width] as const;
  return { ...state, cursor, window: window.every((each, index) => each === state.window![index]) ? state.window : window };
}

function follow(start: number, extent: number, at: number): number {
  return at < start ? at : at >= start + extent ? at - extent + 1 : start;
}

/** A part of the plane around the cursor that is `factor` times as long and wide, all of it at most. */
export function zoomed(state: ViewState, factor: number): ViewState {
  const size = planeSize(state);
  const [, , height, width] = viewWindow(state);
  const extents = [height, width].map((extent, axis) => clamp(factor < 1 ? Math.ceil(extent * factor) : Math.floor(extent * factor), 1, size[axis as 0 | 1]));
  if (extents[0] === size[0] && extents[1] === size[1]) return { ...state, window: null };
  const start = (axis: 0 | 1) => clamp(state.cursor[axis] - Math.floor(extents[axis]! / 2), 0, Math.max(0, size[axis] - extents[axis]!));
  return { ...state, window: [start(0), start(1), extents[0]!, extents[1]!] };
}

/** What a key makes of a view; nothing where it means nothing. `step` is how many rows and columns a cell covers. */
export function keyed(state: ViewState, key: string, step: readonly [number, number]): ViewState | undefined {
  const [row, column] = state.cursor;
  const [rows, columns] = planeSize(state);
  switch (key) {
    case 'ArrowUp': return movedTo(state, row - step[0], column);
    case 'ArrowDown': return movedTo(state, row + step[0], column);
    case 'ArrowLeft': return movedTo(state, row, column - step[1]);
    case 'ArrowRight': return movedTo(state, row, column + step[1]);
    case 'Home': return movedTo(state, row, 0);
    case 'End': return movedTo(state, row, columns - 1);
    case 'PageUp': return movedTo(state, row - Math.ceil(rows / 10), column);
    case 'PageDown': return movedTo(state, row + Math.ceil(rows / 10), column);
    case '[': return state.slider === null ? undefined : slidTo(state, state.slider, state.at[state.slider]! - 1);
    case ']': return state.slider === null ? undefined : slidTo(state, state.slider, state.at[state.slider]! + 1);
    case '+': return zoomed(state, 1 / 2);
    case '-': return zoomed(state, 2);
    case '0': return { ...state, window: null };
    case 't': return state.rows === null || state.columns === null ? undefined : withAxes(state, state.columns, state.rows);
    default: return undefined;
  }
}

/** The places of numbers along an axis, round ones, at most so many. */
export function ticks(start: number, extent: number, most: number): number[] {
  if (extent <= 0) return [];
  let step = 1;
  for (let turn = 0; Math.ceil(extent / step) > Math.max(most, 1); turn++) step = [2, 5, 10][turn % 3]! * 10 ** Math.floor(turn / 3);
  const first = Math.ceil(start / step) * step;
  return Array.from({ length: Math.max(0, Math.ceil((start + extent - first) / step)) }, (_, index) => first + index * step);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, Math.max(low, high)));
}
