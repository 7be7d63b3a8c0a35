import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANCHORS, bestScale, colorOf, ink, MARK_COLORS, PALETTES, scaleOf, SCALES } from '../src/colormap';
import { isToHost } from '../src/messages';
import { cellOf, covered, decoded, elementAt, MARK, placeText, valueText, type PlaneData, type Slice } from '../src/plane';
import { localPlanes, statisticsOf } from '../src/pooling';
import { firstView, keyed, movedTo, slidTo, ticks, viewWindow, withAxes, zoomed } from '../src/state';

const all = (height: number, width: number): Slice => ({ at: null, rows: null, columns: null, window: null, height, width });
const iota = (shape: number[]) => ({ shape, dtype: 'float32', numbers: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => at) });

test('NaN, infinities and extremes survive pooling', async () => {
  const numbers = new Float64Array(100 * 100);
  numbers[5 * 100 + 7] = NaN;
  numbers[5 * 100 + 8] = Infinity;
  numbers[50 * 100 + 50] = -9;
  numbers[99 * 100 + 99] = -Infinity;
  const plane = await localPlanes({ shape: [100, 100], dtype: 'float64', numbers })(all(10, 10));
  assert.deepEqual(plane.cells, [10, 10]);
  assert.equal(plane.marks[0], MARK.nan);
  assert.equal(plane.marks[99], MARK.negative);
  assert.equal(plane.numbers[55], -9);
  assert.equal(plane.marks.filter(Boolean).length, 2);
  assert.equal(plane.texts, null);
  assert.equal(valueText(plane, 0, 0), 'has NaN, extreme 0');
  assert.equal(placeText(plane, 5, 0), '[50:60, 0:10]');
  assert.equal(elementAt(plane, 5, 0), undefined, 'a cell of many elements is none of them');
});

test('planes of any axes, and parts of them, are exact where they are not pooled', async () => {
  const planes = localPlanes(iota([2, 3, 4]));
  const plane = await planes({ at: [1, 0, 0], rows: 1, columns: 2, window: [1, 1, 2, 2], height: 99, width: 99 });
  assert.deepEqual(plane.texts, ['17', '18', '21', '22']);
  assert.equal(placeText(plane, 1, 0), '[1, 2, 1]');
  assert.deepEqual(elementAt(plane, 1, 0), [1, 2, 1]);
  const across = await planes({ at: [0, 0, 3], rows: 1, columns: 0, window: null, height: 99, width: 99 });
  assert.deepEqual(across.texts, ['3', '15', '7', '19', '11', '23']);
  for (const [shape, cells] of [[[], [1, 1]], [[5], [1, 5]], [[0, 4], [0, 0]]] as const)
    assert.deepEqual((await localPlanes(iota([...shape]))(all(99, 99))).cells, cells);
});

test('an answer of the server is read, and refused where its parts do not fit', () => {
  const base64 = (array: Float32Array | Uint8Array) => Buffer.from(array.buffer).toString('base64');
  const statistics = { ...statisticsOf(iota([2])), histogram: null };
  const data: PlaneData = { shape: [2], dtype: 'float32', at: [0], rows: null, columns: 0, size: [1, 2], window: [0, 0, 1, 2], cells: [1, 2], format: 'float32', numbers: base64(new Float32Array([1.5, NaN])), marks: base64(new Uint8Array([0, 1])), texts: null, statistics };
  const plane = decoded(data);
  assert.deepEqual([valueText(plane, 0, 0), valueText(plane, 0, 1)], ['1.5', 'NaN']);
  assert.throws(() => decoded({ ...data, cells: [1, 3] }), /do not fit/);
});

test('cells and the elements that they cover agree', () => {
  for (const [extent, count] of [[10, 10], [100, 7], [13, 4]] as const) {
    const plane = { window: [3, 0, extent, 1], cells: [count, 1] } as unknown as Parameters<typeof covered>[0];
    for (let at = 3; at < 3 + extent; at++) {
      const [from, to] = covered(plane, 0, cellOf(plane, 0, at));
      assert.ok(from <= at && at < to, `${at} of ${extent} in ${count}`);
    }
  }
});

test('scales give the lowest number level 0, the highest 1, whatever they are', () => {
  const of = (numbers: number[]) => statisticsOf({ shape: [numbers.length], dtype: 'f64', numbers });
  for (const numbers of [[1, 10, 100], [-4, 0, 2], [0, 0], [-1.7e308, 1.7e308], [5e-324, 1e-320], [NaN, Infinity]])
    for (const name of SCALES)
      for (const number of [...numbers, 0]) {
        const { level } = scaleOf(name, of(numbers));
        assert.ok(Number.isFinite(number) ? level(number) >= 0 && level(number) <= 1 : true, `${name} ${number} of ${numbers}`);
      }
  assert.equal(scaleOf('log', of([1, 10, 100])).level(10), 0.5);
  assert.equal(scaleOf('diverging', of([-4, 0, 2])).level(0), 0.5);
  assert.equal(bestScale(of([-4, 2])), 'diverging');
  const spike = of([...Array(200).keys(), 1e9]);
  assert.ok(scaleOf('robust', spike).level(100) > 0.4);
  assert.ok(scaleOf('linear', spike).level(100) < 0.001);
});

test('what is no number has a colour that no palette has, and letters on any colour can be read', () => {
  const scale = scaleOf('linear', statisticsOf(iota([4])));
  const shown = [...Object.values(PALETTES).flat(), ...Object.values(MARK_COLORS)];
  for (const [mark, color] of Object.entries(MARK_COLORS)) {
    assert.equal(colorOf(scale, 1, Number(mark)), color);
    for (const other of Object.values(PALETTES).flat()) assert.notDeepEqual(other, color);
  }
  const luminance = (color: readonly number[]) => color.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index]!, 0);
  for (const color of shown) {
    const contrast = ink(color) === '#000' ? (luminance(color) + 0.05) / 0.05 : 1.05 / (luminance(color) + 0.05);
    assert.ok(contrast >= 4.5, `${color}: ${contrast}`);
  }
  assert.equal(PALETTES.sequential.length, 256);
  assert.equal(Object.keys(ANCHORS).length, 2);
});

test('keys move the cursor, slide, zoom and transpose within bounds', () => {
  let view = firstView([4, 30, 20]);
  const press = (...keys: string[]) => keys.forEach((key) => (view = keyed(view, key, [1, 1]) ?? view));
  press(']', ']', ']', ']', '[', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp');
  assert.deepEqual([view.at, view.cursor], [[2, 0, 0], [0, 2]]);
  press('+', '+');
  assert.deepEqual(viewWindow(view), [0, 0, 8, 5]);
  view = movedTo(view, 29, 19);
  assert.deepEqual(viewWindow(view), [22, 15, 8, 5]);
  press('-', '-', '-');
  assert.equal(view.window, null);
  press('t');
  assert.deepEqual([view.rows, view.columns, view.cursor], [2, 1, [0, 0]]);
  assert.equal(keyed(view, 'x', [1, 1]), undefined);
  assert.equal(keyed(firstView([3]), ']', [1, 1]), undefined);
  for (const shape of [[], [0], [1, 1], [0, 3]])
    for (const key of ['ArrowDown', 'End', 'PageUp', '+', '-', '0', 't', '[']) assert.doesNotThrow(() => keyed(firstView(shape), key, [1, 1]));
});

test('axes are exchanged and chosen; a slider keeps its place', () => {
  const view = slidTo(firstView([4, 5, 6]), 0, 99);
  assert.deepEqual(view.at, [3, 0, 0]);
  assert.equal(slidTo(view, 1, 2), view);
  const other = withAxes(view, 0, 2);
  assert.deepEqual([other.rows, other.columns, other.slider, other.at], [0, 2, 1, [3, 0, 0]]);
  assert.equal(zoomed(zoomed(other, 1 / 2), 2).window, null);
});

test('numbers along an axis are round and few', () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticks(7, 200, 4), [50, 100, 150, 200]);
  assert.ok(ticks(0, 1e9, 10).length <= 10);
  assert.deepEqual(ticks(0, 0, 3), []);
});

test('a page can ask for nothing but planes', () => {
  const ask = { kind: 'ask', number: 1, key: 'x', slice: all(1, 1) };
  assert.ok(isToHost(ask) && isToHost({ kind: 'ready' }));
  for (const wrong of [null, {}, { ...ask, key: 1 }, { ...ask, slice: { ...all(1, 1), at: ['x'] } }, { ...ask, slice: { ...all(1, 1), height: NaN } }]) assert.ok(!isToHost(wrong));
});
