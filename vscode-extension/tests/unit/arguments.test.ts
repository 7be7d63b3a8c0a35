import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine, gridFault, inWords, isArguments, split, withWholePaths } from '../../src/arguments';

test('what a person writes as arguments is cut at blanks that no bracket or quote keeps together', () => {
  for (const [line, words] of [
    ['', []],
    ['  3 true ', ['3', 'true']],
    ['dense<[1, 2]> [1.5,  2.5] x.npy', ['dense<[1, 2]>', '[1.5,  2.5]', 'x.npy']],
    ["'dense<[[1, 2]]> : tensor<1x2xi32>' 3", ['dense<[[1, 2]]> : tensor<1x2xi32>', '3']],
    ['"a b.npz" ]', ['"a b.npz"', ']']],
  ] as const)
    assert.deepEqual(split(line), words, line);
});

test('arguments become words of a command line, of which none can be taken for another option', () => {
  assert.deepEqual(commandLine({ texts: ['-1', 'x.npz'], filling: 'random', seed: 7, grid: '1x8' }), { options: ['--random=7', '--grid=1x8'], texts: ['-1', 'x.npz'] });
  assert.deepEqual(commandLine({ texts: [], filling: 'zeros' }), { options: ['--zeros'], texts: [] });
});

test('arguments are named in a few words', () => {
  assert.equal(inWords({ texts: ['/a/b/transformer.npz'] }), 'transformer.npz');
  assert.equal(inWords({ texts: ['3'], filling: 'random', grid: '2x4' }), '3, else random, seed 0, grid 2x4');
  assert.equal(inWords({ texts: [] }), 'no arguments');
  assert.ok(inWords({ texts: ['9'.repeat(500)] }).length <= 60);
});

test('files are those of the program’s folder; literals stay', () => {
  assert.deepEqual(withWholePaths({ texts: ['x.npz', '/y.NPY', '[1]'] }, '/a').texts, ['/a/x.npz', '/y.NPY', '[1]']);
});

test('a grid is two numbers, and what was remembered is looked at', () => {
  for (const good of ['', '1x8', '16x2']) assert.equal(gridFault(good), undefined);
  for (const bad of ['8', '0x2', '2x', 'axb', '1x8x2']) assert.ok(gridFault(bad), bad);
  assert.ok(isArguments({ texts: ['1'] }));
  for (const other of [undefined, {}, { texts: 'x' }, { texts: [1] }]) assert.ok(!isArguments(other));
});
