import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lines, mayHoldTests, positionOf, readCoverage, readOutcome, readTest, wordFor } from '../../src/tests';

const found = { name: '/a/b.mlir#1::f', file: '/a/b.mlir', function: 'f', line: 3, column: 1, checks: true };

test('lines that come in pieces are read once, whole', () => {
  const lines = new Lines();
  assert.deepEqual(['{"a"', ':1}\n{"b":2}\n', '{"c"'].map((piece) => lines.add(piece)), [[], ['{"a":1}', '{"b":2}'], []]);
});

test('what is no line of shlo test is passed over', () => {
  assert.deepEqual(readTest(JSON.stringify(found)), found);
  for (const line of ['', 'warning: x', '1', 'null', '{"name": "x"}']) {
    assert.equal(readTest(line), undefined);
    assert.equal(readOutcome(line), undefined);
  }
});

test('what is no coverage is passed over', () => {
  const coverage = { file: '/a/b.mlir', coverage: [[2, 3, 1], [4, 3, 0]] };
  assert.deepEqual(readCoverage(JSON.stringify(coverage)), coverage);
  for (const wrong of [found, { ...coverage, coverage: [[1, 2]] }, { ...coverage, coverage: [[-1, 2, 3]] }, { coverage: [] }]) assert.equal(readCoverage(JSON.stringify(wrong)), undefined);
});

test('a test is chosen by what only its name has', () => {
  assert.equal(wordFor(found), '#1::f');
});

test('a place is a line and a column, whatever the name of the file', () => {
  assert.deepEqual(positionOf('C:\\a:1:2.mlir:3:4'), { line: 2, character: 3 });
  assert.equal(positionOf('f.mlir'), undefined);
  assert.equal(positionOf(null), undefined);
});

test('a file without checks is not looked at with care', () => {
  for (const text of ['check.expect_eq %a, %b', '"check.expect_close"(%a)', 'custom_call @check.eq(%a)']) assert.ok(mayHoldTests(text), text);
  for (const text of ['', 'stablehlo.add', '// check it']) assert.ok(!mayHoldTests(text), text);
});
