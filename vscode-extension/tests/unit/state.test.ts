import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menuOf, wordsOn } from '../../src/state';

const commands = (...args: Parameters<typeof menuOf>) => menuOf(...args).map(({ command }) => command);

test('an environment is offered only where it would help', () => {
  assert.ok(commands('missing', false, 'none').includes('shlo.createEnvironment'));
  assert.ok(!commands('missing', true, 'none').includes('shlo.createEnvironment'));
  assert.equal(commands('missing', true, 'none')[0], 'shlo.openSettings');
});

test('nothing runs from the menu without trust or a program', () => {
  assert.ok(commands('running', false, 'trusted').includes('shlo.runFunction'));
  for (const program of ['untrusted', 'none'] as const) assert.ok(!commands('running', false, program).includes('shlo.runFunction'));
});

test('the item names the server and its version', () => {
  const server = { origin: 'python', title: 'the selected interpreter /p', base: { command: '/p', args: [] } } as const;
  const { text, detail, level } = wordsOn({ kind: 'running', server, version: '0.1.0' });
  assert.deepEqual([text, detail, level], ['shlo 0.1.0', 'the selected interpreter /p', 'information']);
  assert.equal(wordsOn({ kind: 'failed', report: ['why'], isSet: false }).level, 'error');
});
