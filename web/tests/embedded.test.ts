import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { embeddedPlanes, PLANE_EVENT, type EmbeddedTensor, type PlaneQuestion } from '../src/embedded';
import { unpack } from '../src/packing';
import { MARK, type PlaneData, type Slice } from '../src/plane';
import { statisticsOf } from '../src/pooling';
import { channelAxis, firstView, fixedAxes, imageView } from '../src/state';

const all = (over: Partial<Slice> = {}): Slice => ({ at: null, rows: null, columns: null, window: null, height: 9, width: 9, ...over });
const base64 = (array: Float32Array | Uint8Array) => Buffer.from(array.buffer).toString('base64');
const statistics = statisticsOf({ shape: [2, 2], dtype: 'float32', numbers: [1, 2, 3, NaN] });
const small: EmbeddedTensor = { name: 'x', type: '', shape: [2, 2], dtype: 'float32', statistics, format: 'float32', numbers: base64(new Float32Array([1, 2, 3, NaN])), texts: null, plane: null, key: null };
const plane: PlaneData = { shape: [5, 300, 200], dtype: 'float32', at: [0, 0, 0], rows: 1, columns: 2, size: [300, 200], window: [0, 0, 300, 200], cells: [1, 1], format: 'float32', numbers: base64(new Float32Array([7])), marks: base64(new Uint8Array([MARK.nan])), texts: null, statistics };
const large: EmbeddedTensor = { ...small, shape: [5, 300, 200], format: null, numbers: null, plane };

test('what Python packs is read', async () => {
  const data = { tensors: [small], view: null };
  assert.deepEqual(await unpack(`\n${deflateSync(JSON.stringify(data)).toString('base64')}`), data);
  await assert.rejects(unpack('bm90IGRlZmxhdGVk'));
});

test('a small tensor has all planes, with the texts that numbers do not tell', async () => {
  assert.deepEqual((await embeddedPlanes(small, new EventTarget())(all())).texts, ['1', '2', '3', 'NaN']);
  const texts = ['1+2i', '2', '3', 'NaN+1i'];
  assert.deepEqual((await embeddedPlanes({ ...small, texts }, new EventTarget())(all({ rows: 1, columns: 0 }))).texts, ['1+2i', '3', '2', 'NaN+1i']);
});

test('of a large tensor the page has one plane, and a kernel has the others', async () => {
  const alone = embeddedPlanes(large, new EventTarget());
  assert.deepEqual([...(await alone(all({ at: [0, 9, 9] }))).marks], [MARK.nan]);
  for (const part of [all({ at: [1, 0, 0] }), all({ window: [0, 0, 2, 2] }), all({ rows: 0, columns: 1 })]) await assert.rejects(alone(part), /no kernel answers/);
  const page = new EventTarget();
  const questions: PlaneQuestion[] = [];
  page.addEventListener(PLANE_EVENT, (event) => {
    const { detail } = event as CustomEvent<PlaneQuestion>;
    questions.push(detail);
    detail.answer = Promise.resolve({ ...plane, at: [3, 0, 0] });
  });
  const answered = await embeddedPlanes({ ...large, key: 'k' }, page)(all({ at: [3, 0, 0] }));
  assert.deepEqual([answered.at, questions[0]!.key, questions[0]!.slice.at], [[3, 0, 0], 'k', [3, 0, 0]]);
});

test('an axis of one place has no slider', () => {
  assert.deepEqual(fixedAxes(firstView([1, 5, 1, 2, 3])), [1]);
  assert.equal(firstView([1, 1, 2, 3]).slider, null);
});

test('the last axis of an image is its colour, and no slider', () => {
  assert.deepEqual([[2, 3], [4, 5, 3], [6, 4, 5, 4], [0, 5, 3], [4, 5, 2]].map(channelAxis), [null, 2, 3, null, null]);
  const view = imageView([6, 4, 5, 3]);
  assert.deepEqual([view.rows, view.columns, view.slider, fixedAxes(view)], [1, 2, 0, [0, 3]]);
});
