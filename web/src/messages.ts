// What VS Code's panel and its page say to one another. Both sides look at what they are given.

import type { PlaneData, Slice } from './plane';

/** A tensor of the list. */
export interface Item {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Null where it cannot be shown; the note says why. */
  readonly shape: readonly number[] | null;
  readonly note: string;
}

export type FromHost =
  | { readonly kind: 'show'; readonly title: string; readonly note: string; readonly items: readonly Item[]; readonly chosen: string | null; readonly state: unknown }
  | { readonly kind: 'plane'; readonly number: number; readonly plane: PlaneData }
  | { readonly kind: 'failed'; readonly number: number; readonly reason: string };

export type ToHost = { readonly kind: 'ready' } | { readonly kind: 'ask'; readonly number: number; readonly key: string; readonly slice: Slice };

export function isFromHost(value: unknown): value is FromHost {
  return ['show', 'plane', 'failed'].includes((value as { kind?: string } | null)?.kind ?? '');
}

export function isToHost(value: unknown): value is ToHost {
  const { kind, number, key, slice } = (value ?? {}) as Record<string, unknown>;
  return kind === 'ready' || (kind === 'ask' && typeof number === 'number' && typeof key === 'string' && isSlice(slice));
}

export function isSlice(value: unknown): value is Slice {
  const { at, rows, columns, window, height, width } = (value ?? {}) as Record<string, unknown>;
  const numbers = (list: unknown) => list === null || (Array.isArray(list) && list.every(Number.isSafeInteger));
  return numbers(at) && numbers(window) && [rows, columns].every((axis) => axis === null || Number.isSafeInteger(axis)) && Number.isSafeInteger(height) && Number.isSafeInteger(width);
}
