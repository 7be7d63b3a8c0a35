import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isToHost, type Cell, type Listed, type Timeline } from '../src/debug_messages';
import { cellText, rowsOf, shownAxes } from '../src/grid_view';
import { columnOf, neighbouringStop, positionOf, positionText } from '../src/timeline_view';

const timeline: Timeline = { position: 12, last: 99, isDone: false, depths: new Array<number>(10).fill(1), breakpoints: [], rounds: [], stops: [0, 12, 40], round: 3, process: '' };
const cell = (process: number, coordinates: number[], more: Partial<Cell> = {}): Cell => ({ process, label: `(${coordinates.join(', ')})`, coordinates, status: 'ready', operation: 'add', line: 3, steps: 5, waitsFor: [], awaited: '', isInCycle: false, isGuilty: false, isNotThere: false, ...more });
const axes = (...sizes: number[]) => sizes.map((size, at) => ({ name: 'xyz'[at]!, size }));
const mesh = (...sizes: number[]): Cell[] => sizes.reduce<number[][]>((places, size) => places.flatMap((place) => Array.from({ length: size }, (_, at) => [...place, at])), [[]]).map((place, process) => cell(process, place));

test('a position is in the column whose first position is not behind it', () => {
  for (let position = 0; position <= timeline.last; position++) {
    const column = columnOf(timeline, position);
    assert.ok(positionOf(timeline, column) <= position);
    assert.ok(column === 9 || positionOf(timeline, column + 1) > position);
  }
});

test('a run of one step has one column', () => {
  const short = { ...timeline, last: 0, depths: [1], position: 0 };
  assert.equal(columnOf(short, 0), 0);
  assert.equal(positionOf(short, 0), 0);
});

test('stops before and behind a position are found', () => {
  assert.equal(neighbouringStop(timeline, 12, -1), 0);
  assert.equal(neighbouringStop(timeline, 12, 1), 40);
  assert.equal(neighbouringStop(timeline, 0, -1), undefined);
});

test('a position says how much is known of the run', () => {
  assert.equal(positionText(timeline), 'step 12 of 99 so far, round 3');
  assert.equal(positionText(timeline, 50), 'step 50 of 99 so far');
  assert.equal(positionText({ ...timeline, isDone: true, position: 99, round: null, process: '(0, 1)' }), 'step 99 of 99 (the end), process (0, 1)');
});

test('a mesh is laid out with its last axis across and a table for each place on the first ones', () => {
  const rows = rowsOf({ axes: axes(2, 2, 3), cells: mesh(2, 2, 3) }, 8);
  assert.deepEqual(rows.map(({ heading, label }) => [heading, label]), [['x 0', 'y 0'], ['', 'y 1'], ['x 1', 'y 0'], ['', 'y 1']]);
  assert.deepEqual(rows.map(({ cells }) => cells.map(({ process }) => process)), [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]);
});

test('rows that do not fit are cut in powers of two', () => {
  const rows = rowsOf({ axes: axes(10), cells: mesh(10) }, 7);
  assert.deepEqual(rows.map(({ cells }) => cells.length), [4, 4, 2]);
  assert.deepEqual(rows.map(({ label }) => label), ['x from 0', 'x from 4', 'x from 8']);
});

test('axes of one process are not shown, unless all are', () => {
  const shown = shownAxes({ axes: axes(4, 1), cells: mesh(4, 1) });
  assert.deepEqual(shown.axes.map(({ name }) => name), ['x']);
  assert.deepEqual(shown.cells.map(({ coordinates }) => coordinates), [[0], [1], [2], [3]]);
  assert.equal(shownAxes({ axes: axes(1, 1), cells: mesh(1, 1) }).axes.length, 1);
});

test('a cell says who is to blame and for whom it waits', () => {
  const guilty = cell(1, [0, 1], { status: 'waiting', awaited: '(0, 0)', isGuilty: true, isInCycle: true });
  assert.equal(cellText(guilty), 'process (0, 1), waiting, add on line 3, waits for (0, 0), to blame, in the cycle');
});

test('what is no message of a page is refused', () => {
  const slice = { at: null, rows: null, columns: null, window: null, height: 10, width: 10 };
  for (const right of [{ kind: 'ready', columns: 100 }, { kind: 'goTo', position: 0 }, { kind: 'newest' }, { kind: 'pin', tensor: '%x' }, { kind: 'ask', number: 1, tensor: '%x', other: '', slice }]) assert.ok(isToHost(right), right.kind);
  for (const wrong of [null, 1, {}, { kind: 'goTo' }, { kind: 'goTo', position: -1 }, { kind: 'goTo', position: 1.5 }, { kind: 'toString' }, { kind: 'pin', tensor: 'x'.repeat(2000) }, { kind: 'ask', number: 1, tensor: '%x', other: '' }]) assert.ok(!isToHost(wrong));
});

test('what is chosen of a list stays, and else what is followed is', async () => {
  // the views of tensors are elements: outside of a page there is no class that they could extend
  Object.assign(globalThis, { HTMLElement: class {} });
  const { chosenOf } = await import('../src/tensors_view');
  const row = (tensor: string, kind: Listed['kind']): Listed => ({ tensor, kind, title: tensor, type: '', shape: [1], note: '' });
  assert.equal(chosenOf([row('%5', 'followed'), row('%w', 'pinned')], '%w'), '%w');
  assert.equal(chosenOf([row('%6', 'followed'), row('#1', 'kept')], '%w'), 'followed');
});

test('an element that was missed while it was hidden is drawn when it is seen again in the same size', async () => {
  const observers: FakeObserver[] = [];
  /** Reports sizes as a browser does: those that differ from the last one, from none after `observe`. */
  class FakeObserver {
    private last = 0;
    constructor(private readonly report: (entries: object[]) => void) {
      observers.push(this);
    }
    observe(): void {
      this.last = 0;
    }
    unobserve(): void {
      this.last = NaN;
    }
    render(width: number): void {
      if (width === this.last) return;
      this.last = width;
      this.report([{ contentRect: { width } }]);
    }
  }
  Object.assign(globalThis, { ResizeObserver: FakeObserver });
  const { SizeObserver } = await import('../src/sizes');
  let drawn = 0;
  const size = new SizeObserver({} as Element, () => drawn++);
  const [browser] = observers;
  browser!.render(300);
  browser!.render(300);
  assert.equal(drawn, 1);
  size.miss(); // hidden and seen again between two renderings
  size.miss();
  browser!.render(300);
  assert.equal(drawn, 2);
});
