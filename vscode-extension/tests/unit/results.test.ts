import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summary } from '../../src/summary';

const done = { status: 'done', function: 'main', message: '', position: null, text: '' };
const scalar = { type: 'tensor<f32>', text: '5.' };

test('a result fits into a line', () => {
  assert.equal(summary({ ...done, results: [scalar] }), '= 5. : tensor<f32>');
  assert.equal(summary({ ...done, results: [{ type: 'tensor<2xf32>', text: '[1.,\n 2.]' }, scalar] }), '= [1., 2.] : tensor<2xf32>  (+1)');
  assert.equal(summary({ ...done, results: [] }), 'done, no results');
  assert.ok(summary({ ...done, results: [{ type: 't', text: '9 '.repeat(1000) }] }).length <= 100);
});

test('a failure says why', () => {
  assert.equal(summary({ ...done, status: 'time limit', message: 'it took more than 10 s', results: [] }), 'time limit: it took more than 10 s');
});
