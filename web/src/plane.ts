// What a tensor view shows: a part of a plane of a tensor, pooled to cells, and numbers about the whole tensor.
// `shlo/tensor` of the language server answers with it (shlo_lsp/features/tensors.py).

/** What an element is: a number, or what is none. Of a pooled cell: what it has in it, NaN first. */
export const MARK = { number: 0, nan: 1, positive: 2, negative: 3 } as const;

export type Range = readonly [row: number, column: number, height: number, width: number];

export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** Numbers about a whole tensor; those of its finite elements are null where it has none. */
export interface Statistics {
  readonly low: number | null;
  readonly high: number | null;
  readonly nans: number;
  readonly positive_infinities: number;
  readonly negative_infinities: number;
  /** Size, range and special elements in words. */
  readonly line: string;
  /** Those of 1 and 99 percent. */
  readonly quantiles: readonly (number | null)[] | null;
  /** The smallest magnitude but 0. */
  readonly least: number | null;
  readonly histogram: Histogram | null;
  /** Of a large tensor quantiles and histogram are those of every so many elements. */
  readonly every?: number;
}

/** A plane as JSON has it. */
export interface PlaneData {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** A place on every axis; those of the shown axes count for nothing. */
  readonly at: readonly number[];
  /** The axes that go down and across; a vector has no rows, a scalar neither. */
  readonly rows: number | null;
  readonly columns: number | null;
  /** How many rows and columns the plane has. */
  readonly size: readonly [number, number];
  /** The part of it that cells cover. */
  readonly window: Range;
  /** How many rows and columns of cells there are. */
  readonly cells: readonly [number, number];
  readonly format: 'float32' | 'float64';
  /** Of each cell the element farthest from the mean, NaN where none is finite, in Base64. */
  readonly numbers: string;
  /** MARK of each cell, bytes in Base64. */
  readonly marks: string;
  /** The elements exactly, where each cell is one and there are few. */
  readonly texts: readonly string[] | null;
  readonly statistics: Statistics;
}

export interface Plane extends Omit<PlaneData, 'numbers' | 'marks' | 'format'> {
  readonly numbers: Float32Array | Float64Array;
  readonly marks: Uint8Array;
}

/** Which part of which plane is wanted, in at most how many cells. */
export interface Slice {
  readonly at: readonly number[] | null;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly window: Range | null;
  readonly height: number;
  readonly width: number;
}

/** Reads a plane; raises an error where its parts do not fit together. */
export function decoded(data: PlaneData): Plane {
  const { numbers, marks, format, ...rest } = data;
  const [height, width] = data.cells;
  const bytes = bytesOf(numbers).buffer;
  const plane = { ...rest, numbers: format === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes), marks: bytesOf(marks) };
  if (plane.numbers.length !== height * width || plane.marks.length !== height * width) throw new Error('the cells of a plane do not fit its size');
  return plane;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The rows (or columns) of the plane, from and to, that a row (or column) of cells covers. */
export function covered({ window, cells }: Plane, axis: 0 | 1, cell: number): readonly [number, number] {
  const start = window[axis];
  const extent = window[axis === 0 ? 2 : 3];
  const count = cells[axis];
  return [start + Math.floor((cell * extent) / count), start + Math.floor(((cell + 1) * extent) / count)];
}

/** The cell of a row (or column) of the plane. */
export function cellOf(plane: Plane, axis: 0 | 1, at: number): number {
  const count = plane.cells[axis];
  const extent = plane.window[axis === 0 ? 2 : 3];
  let cell = Math.min(Math.floor(((at - plane.window[axis]) * count) / Math.max(extent, 1)), count - 1);
  while (cell + 1 < count && covered(plane, axis, cell + 1)[0] <= at) cell++;
  return Math.max(cell, 0);
}

/** Whether each cell is one element. */
export function isWhole({ window, cells }: Plane): boolean {
  return window[2] === cells[0] && window[3] === cells[1];
}

/** Where a cell is, as one writes it: `[3, 0:4, 7]`. */
export function placeText(plane: Plane, row: number, column: number): string {
  const shown = (axis: 0 | 1, cell: number) => {
    const [from, to] = covered(plane, axis, cell);
    return to - from === 1 ? String(from) : `${from}:${to}`;
  };
  const parts = plane.at.map((at, axis) => (axis === plane.rows ? shown(0, row) : axis === plane.columns ? shown(1, column) : String(at)));
  return `[${parts.join(', ')}]`;
}

/** The index of the element that a cell is; nothing where it is many, or none. */
export function elementAt(plane: Plane, row: number, column: number): readonly number[] | undefined {
  if (!isWhole(plane) || row >= plane.cells[0] || column >= plane.cells[1]) return undefined;
  return plane.at.map((at, axis) => (axis === plane.rows ? plane.window[0] + row : axis === plane.columns ? plane.window[1] + column : at));
}

/** What a cell has, in words. */
export function valueText(plane: Plane, row: number, column: number): string {
  const cell = row * plane.cells[1] + column;
  const mark = plane.marks[cell];
  const name = mark === MARK.nan ? 'NaN' : mark === MARK.positive ? 'Inf' : mark === MARK.negative ? '-Inf' : '';
  if (isWhole(plane)) return plane.texts?.[cell] ?? (name || numberText(plane.numbers[cell] ?? NaN));
  const number = plane.numbers[cell] ?? NaN;
  const extreme = Number.isNaN(number) ? '' : `extreme ${numberText(number)}`;
  return [name && `has ${name}`, extreme].filter(Boolean).join(', ');
}

/** A number in few digits. */
export function numberText(number: number, digits = 6): string {
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? 'Inf' : '-Inf';
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return String(number);
  return String(Number(number.toPrecision(digits)));
}
