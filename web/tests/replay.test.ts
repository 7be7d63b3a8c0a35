import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOfPython, moved, newestValues, shownStep, timelineOf, type Replay, type ReplayStep } from '../src/replay_model';

const step = (line: number, depth: number, name = '', is_nonfinite = false): ReplayStep => ({ line, depth, is_nonfinite, python: [0, line % 10], scope: null, values: name ? [{ name, type: 'tensor<f32>', summary: '1', tensor: null }] : [] });
/** A call at line 2 of a function whose lines are 11 and 12; the step at line 12 makes a NaN. */
const steps = [step(1, 1), step(2, 1, '%a'), step(11, 2), step(12, 2, '%b'), step(3, 1, '%c', true), step(3, 0)];

test('moves end where those of the debugger do', () => {
  const none = new Set<number>();
  assert.equal(moved(steps, 1, 'step', none), 2);
  assert.equal(moved(steps, 1, 'next', none), 4);
  assert.equal(moved(steps, 2, 'finish', none), 4);
  assert.equal(moved(steps, 4, 'reverse-next', none), 1);
  assert.equal(moved(steps, 0, 'continue', new Set([12])), 3);
  assert.equal(moved(steps, 5, 'reverse-continue', none), 0);
  assert.equal(moved(steps, 0, 'nonfinite', none), 4);
  assert.equal(moved(steps, 4, 'nonfinite', none), 4);
  assert.equal(moved(steps, 0, 'until', none, 12), 3);
  assert.equal(moved(steps, 0, 'reverse-until', none, 12), 0);
});

test('columns say which part of the model they are, forward or backward', () => {
  const of = [0, 0, null, null, 1, 1, 0, null].map((scope) => ({ ...step(1, 1), scope }));
  const replay = { steps: of, scopes: [{ name: 'h_0', is_backward: false }, { name: 'h_0', is_backward: true }], first: 0, position: 5, isDone: true } as unknown as Replay;
  const told = (columns: number) => timelineOf(replay, 0, new Set(), columns).scopes!.map(({ from, to, name, isBackward }) => [from, to, name, isBackward]);
  assert.deepEqual(told(8), [[0, 2, 'h_0', false], [4, 6, 'h_0', true], [6, 7, 'h_0', false]]);
  assert.deepEqual(told(4), [[0, 1, 'h_0', false], [2, 3, 'h_0', true], [3, 4, 'h_0', false]]);
});

test('behind a step that made a NaN its own line is shown', () => {
  assert.equal(shownStep(steps, 4)?.line, 12);
  assert.equal(shownStep(steps, 1)?.line, 2);
});

test('a line of Python stands for all lines of the program that come from it', () => {
  assert.deepEqual(linesOfPython(steps, 0, 2), [2, 12]);
  assert.deepEqual(linesOfPython(steps, 1, 2), []);
});

test('values are listed from the newest on, each name once', () => {
  assert.deepEqual(newestValues([...steps, step(1, 1, '%b')], 6, 2).map(({ name }) => name), ['%b', '%c']);
});
