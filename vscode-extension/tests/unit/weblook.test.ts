import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { bytecodeInWords } from '../../src/weblook';

const bytes = (...parts: (number | string)[]) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
const MAGIC = [0x4d, 0x4c, 0xef, 0x52];

test('without a server the header of bytecode is told of, and strings stay in their comment', () => {
  const text = bytecodeInWords('a\nb.mlirbc', bytes(...MAGIC, 0x0d, 'StableHLO_v1.8.0\n"x"', 0, 1, 2), 'a desktop');
  assert.match(text, /a_b\.mlirbc is MLIR bytecode version 6, 28 bytes/);
  assert.match(text, /Producer: "StableHLO_v1\.8\.0__x_"/);
  assert.ok(text.trimEnd().split('\n').every((line) => line.startsWith('//')));
});

test('no bytes are too few', () => {
  for (let length = 0; length < 8; length++) assert.match(bytecodeInWords('x', bytes(...MAGIC, 0, 0, 0, 0).subarray(0, length), ''), /bytecode/);
});

test('the bundle for the browser needs nothing of Node', () => {
  const bundle = path.resolve(__dirname, '../../dist/web.js');
  if (!fs.existsSync(bundle)) return;
  const needed = [...fs.readFileSync(bundle, 'utf8').matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(needed)], ['vscode']);
});
