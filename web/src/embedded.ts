// Tensors that a page carries: all elements of a small one, a pooled plane of a large one (shlo/pages/tensor.py).
// What the page does not have is asked for by an event, which a notebook's extension answers while there is a kernel.

import { decoded, type Plane, type PlaneData, type Slice, type Statistics } from './plane';
import { localPlanes } from './pooling';

/** A tensor as a page carries it. */
export interface EmbeddedTensor {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly statistics: Statistics & { readonly mean: number | null };
  /** All elements, the last axis first; null where only a plane is there. */
  readonly format: 'float32' | 'float64' | null;
  readonly numbers: string | null;
  readonly texts: readonly string[] | null;
  readonly plane: PlaneData | null;
  /** What the kernel knows the tensor by, null where it knows it not. */
  readonly key: string | null;
}

export interface Embedded {
  readonly tensors: readonly EmbeddedTensor[];
  /** Views of the same name keep their plane, zoom and scale from one to the next. */
  readonly view: string | null;
}

/** The question for a plane: who can answer sets `answer`. */
export interface PlaneQuestion {
  readonly key: string;
  readonly slice: Slice;
  answer?: Promise<PlaneData>;
}
export const PLANE_EVENT = 'shlo-plane';
const MISSING = 'this page has the picture below and no other part of it: the tensor is large, and no kernel answers here. JupyterLab and Notebook 7 ask the kernel; elsewhere show the part alone, such as x[2].';

/** What answers for planes of a tensor of the page; `asker` is where the event starts. */
export function embeddedPlanes(tensor: EmbeddedTensor, asker: EventTarget): (slice: Slice) => Promise<Plane> {
  if (tensor.format !== null && tensor.numbers !== null) {
    const bytes = Uint8Array.from(atob(tensor.numbers), (character) => character.charCodeAt(0)).buffer;
    const numbers = tensor.format === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes);
    return localPlanes({ shape: tensor.shape, dtype: tensor.dtype, numbers, texts: tensor.texts }, tensor.statistics);
  }
  const plane = tensor.plane === null ? null : decoded(tensor.plane);
  return keyedPlanes(tensor.key, asker, plane);
}

/** What answers for planes of a tensor that the kernel knows by a key; without a kernel, the plane that the page has. */
export function keyedPlanes(key: string | null, asker: EventTarget, plane: Plane | null = null): (slice: Slice) => Promise<Plane> {
  return async (slice) => {
    if (key !== null) {
      const question: PlaneQuestion = { key, slice };
      asker.dispatchEvent(new CustomEvent(PLANE_EVENT, { detail: question, bubbles: true, composed: true }));
      if (question.answer) return decoded(await question.answer);
    }
    if (plane && slice.window === null && isOf(plane, slice)) return plane;
    throw new Error(MISSING);
  };
}

function isOf(plane: Plane, { at, rows, columns }: Slice): boolean {
  const fixed = plane.at.every((place, axis) => axis === plane.rows || axis === plane.columns || place === (at?.[axis] ?? 0));
  return fixed && (rows ?? plane.rows) === plane.rows && (columns ?? plane.columns) === plane.columns;
}
