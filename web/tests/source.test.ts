import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnLines, placeIn, scrolledTo } from '../src/source_model';

const element = (attributes: Record<string, string>): Element => ({ getAttribute: (name: string) => attributes[name] ?? null, hasAttribute: (name: string) => name in attributes }) as unknown as Element;

test('a place is read from attributes, whatever they hold', () => {
  const place = placeIn(element({ at: '5 0', here: '12', done: '', breakpoints: '3 8 x -1', chosen: '' }));
  assert.deepEqual(place, { at: '5 0', here: 12, isDone: true, breakpoints: new Set([3, 8]), chosen: 0 });
  assert.deepEqual(placeIn(element({})), { at: '', here: 0, isDone: false, breakpoints: new Set(), chosen: 0 });
});

test('lines in view are drawn, and some around, but none that there are not', () => {
  assert.deepEqual(drawnLines(1000, 180, 90, 18, 3), [7, 18]);
  assert.deepEqual(drawnLines(8, 0, 90, 18, 3), [0, 8]);
  assert.deepEqual(drawnLines(0, 0, 90, 18, 3), [0, 0]);
});

test('a line in view does not scroll, one that is not comes to the middle', () => {
  assert.equal(scrolledTo(12, 100, 360, 18), 100);
  assert.equal(scrolledTo(500, 100, 360, 18), 499 * 18 - 171);
  assert.equal(scrolledTo(1, 100, 360, 18), 0);
});
