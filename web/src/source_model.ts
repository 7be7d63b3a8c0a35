// A program's text as the source view has it, and where a stepper is in it.

/** What the view is given (shlo_kernel/widgets/source.py). Lines count from 1. */
export interface SourceData {
  readonly lines: readonly string[];
  /** What people call the lines, where those are not their numbers: `In[2]:3`. */
  readonly labels: readonly string[] | null;
  /** The line of Python that each line came from, empty where that is not known. */
  readonly origins: readonly string[] | null;
  /** Keys that are told to the kernel, and what each is for. */
  readonly keys: Readonly<Record<string, string>>;
  /** The name of a file of Python, which is shown without colours. */
  readonly file?: string;
}

/** Where a stepper is: the line of the next operation, 0 where none is; breakpoints, and a line that was chosen. */
export interface SourcePlace {
  /** The same as long as the stepper does not move: the view stays where it was scrolled to. */
  readonly at: string;
  readonly here: number;
  /** Whether the program is done: no operation is next, `here` is the last one that ran. */
  readonly isDone: boolean;
  readonly breakpoints: ReadonlySet<number>;
  readonly chosen: number;
}

/** Reads a place from the attributes of an element of the page. */
export function placeIn(element: Element): SourcePlace {
  const numbers = (name: string) => (element.getAttribute(name) ?? '').split(' ').map(Number).filter((line) => line > 0);
  return { at: element.getAttribute('at') ?? '', here: numbers('here')[0] ?? 0, isDone: element.hasAttribute('done'), breakpoints: new Set(numbers('breakpoints')), chosen: numbers('chosen')[0] ?? 0 };
}

/** The lines to draw, from 0, and up to which: those in view, and some above and below. */
export function drawnLines(count: number, top: number, height: number, row: number, around: number): readonly [number, number] {
  const first = Math.max(Math.floor(top / row) - around, 0);
  return [Math.min(first, count), Math.min(Math.ceil((top + height) / row) + around, count)];
}

/** Where to scroll for a line (from 1) to be seen: nowhere where it is in view, else to the middle. */
export function scrolledTo(line: number, top: number, height: number, row: number): number {
  const [above, below] = [(line - 1) * row, line * row];
  if (above >= top + row && below <= top + height - row) return top;
  return Math.max(above - Math.round((height - row) / 2), 0);
}
