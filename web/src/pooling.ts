// Planes of tensors whose elements are at hand, as a page without a server has them: pooled as
// shlo/runner/tensors/pooling.py does it.

import { MARK, numberText, type Plane, type Slice, type Statistics } from './plane';

/** A tensor with its elements in rows, the last axis first. */
export interface Whole {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly numbers: ArrayLike<number>;
  /** The elements exactly, where their numbers do not tell them: complex ones, integers of 64 bits. */
  readonly texts?: readonly string[] | null;
}

/** How many elements an answer has as text. */
const TEXTS = 4096;
const BINS = 20;

/** What answers for planes of a tensor that is at hand. */
export function localPlanes(tensor: Whole, known?: Statistics & { readonly mean: number | null }): (slice: Slice) => Promise<Plane> {
  const statistics = known ?? statisticsOf(tensor);
  return (slice) => Promise.resolve(planeOf(tensor, statistics, slice));
}

export function planeOf({ shape, dtype, numbers, texts: exact }: Whole, statistics: Statistics & { readonly mean: number | null }, slice: Slice): Plane {
  const rank = shape.length;
  const rows = slice.rows ?? (rank > 1 ? rank - 2 : null);
  const columns = slice.columns ?? (rank > 0 ? rank - 1 : null);
  const at = shape.map((size, axis) => Math.max(0, Math.min(slice.at?.[axis] ?? 0, size - 1)));
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const isEmpty = shape.includes(0);
  const size = [isEmpty ? 0 : rows === null ? 1 : shape[rows]!, isEmpty ? 0 : columns === null ? 1 : shape[columns]!] as const;
  const start = at.reduce((sum, place, axis) => sum + (axis === rows || axis === columns ? 0 : place * strides[axis]!), 0);
  const [down, across] = [rows === null ? 0 : strides[rows]!, columns === null ? 0 : strides[columns]!];
  const window = slice.window ?? [0, 0, ...size];
  const cells = [Math.min(slice.height, window[2]), Math.min(slice.width, window[3])] as const;
  const result = new Float64Array(cells[0] * cells[1]).fill(NaN);
  const marks = new Uint8Array(result.length);
  const whole = cells[0] === window[2] && cells[1] === window[3] && result.length <= TEXTS;
  const texts: string[] = [];
  for (let row = 0; row < cells[0]; row++)
    for (let column = 0; column < cells[1]; column++) {
      const cell = row * cells[1] + column;
      for (let y = Math.floor((row * window[2]) / cells[0]); y < Math.floor(((row + 1) * window[2]) / cells[0]); y++)
        for (let x = Math.floor((column * window[3]) / cells[1]); x < Math.floor(((column + 1) * window[3]) / cells[1]); x++) {
          const place = start + (window[0] + y) * down + (window[1] + x) * across;
          const number = numbers[place] ?? NaN;
          if (whole) texts.push(exact?.[place] ?? numberText(number, numbers instanceof Float32Array ? 9 : 17));
          const mark = markOf(number);
          if (mark === MARK.number) result[cell] = farther(number, result[cell]!, statistics.mean ?? 0);
          else if (marks[cell] !== MARK.nan) marks[cell] = mark === MARK.nan ? mark : Math.max(mark, marks[cell]!);
        }
    }
  return { shape, dtype, at, rows, columns, size, window, cells, numbers: result, marks, texts: whole ? texts : null, statistics };
}

function farther(one: number, other: number, mean: number): number {
  if (Number.isNaN(other)) return one;
  const [a, b] = [Math.abs(one - mean), Math.abs(other - mean)];
  return a > b || (a === b && one > other) ? one : other;
}

function markOf(number: number): number {
  if (Number.isNaN(number)) return MARK.nan;
  return Number.isFinite(number) ? MARK.number : number > 0 ? MARK.positive : MARK.negative;
}

export function statisticsOf({ numbers }: Whole): Statistics & { readonly mean: number } {
  const counts = [0, 0, 0, 0];
  const finite: number[] = [];
  for (let each = 0; each < numbers.length; each++) {
    const mark = markOf(numbers[each]!);
    counts[mark]!++;
    if (mark === MARK.number) finite.push(numbers[each]!);
  }
  finite.sort((a, b) => a - b);
  const [low, high] = [finite[0] ?? null, finite.at(-1) ?? null];
  const mean = finite.reduce((sum, each) => sum + each / finite.length, 0);
  const words = [
    `${numbers.length} ${numbers.length === 1 ? 'element' : 'elements'}`,
    ...(low === null || high === null ? [] : [`min ${numberText(low)}`, `max ${numberText(high)}`, `mean ${numberText(mean)}`]),
    ...['NaN', '+Inf', '-Inf'].flatMap((name, index) => (counts[index + 1] ? [`${counts[index + 1]} ${name}`] : [])),
  ];
  const quantile = (part: number) => finite[Math.round(part * (finite.length - 1))] ?? null;
  return {
    low,
    high,
    mean,
    nans: counts[MARK.nan]!,
    positive_infinities: counts[MARK.positive]!,
    negative_infinities: counts[MARK.negative]!,
    line: words.join(', '),
    quantiles: finite.length ? [quantile(0.01), quantile(0.99)] : null,
    least: finite.reduce<number | null>((least, each) => (each !== 0 && (least === null || Math.abs(each) < least) ? Math.abs(each) : least), null),
    histogram: low === null || high === null ? null : histogramOf(finite, low, high),
  };
}

function histogramOf(finite: readonly number[], low: number, high: number): Statistics['histogram'] {
  const step = high / BINS - low / BINS;
  if (!(step > 0)) return { edges: [low, high], counts: [finite.length] };
  const counts = new Array<number>(BINS).fill(0);
  for (const each of finite) counts[Math.min(Math.floor(each / step - low / step), BINS - 1)]!++;
  return { edges: Array.from({ length: BINS + 1 }, (_, bin) => low + bin * step), counts };
}
