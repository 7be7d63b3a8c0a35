import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonTitle, isBytecode, nameFor, refusalText, textWithoutServer, versionFault } from '../../src/forms';

test('bytecode is known by its first four bytes', () => {
  assert.ok(isBytecode(new Uint8Array([0x4d, 0x4c, 0xef, 0x52, 0x0d])));
  assert.ok(!isBytecode(new Uint8Array([0x4d, 0x4c, 0xef])));
  assert.ok(!isBytecode(new Uint8Array([0x42, 0x43, 0xc0, 0xde]))); // LLVM's bitcode, whose names end in .bc as well
});

test('a program in another form has a name beside the old one', () => {
  assert.equal(nameFor('/a.b/m.mlir', 'bytecode'), '/a.b/m.mlirbc');
  assert.equal(nameFor('/a.b/m.mlir.bc', 'text'), '/a.b/m.mlir');
  assert.equal(nameFor('/a.b/m.bc', 'text'), '/a.b/m.mlir');
  assert.equal(nameFor('/a.b/M.MLIRBC', 'artifact', '1.4.0'), '/a.b/M.1_4_0.mlir.bc');
  assert.equal(nameFor('/a.b/artifact', 'text'), '/a.b/artifact.mlir');
});

test('a version is three numbers', () => {
  assert.equal(versionFault(' 1.4.0 '), undefined);
  for (const text of ['', '1.4', '1.4.0.1', 'v1.4.0', '1.4.x']) assert.match(versionFault(text) ?? '', /three numbers/);
});

test('a refusal names the version, reasons, and the version that can', () => {
  const text = refusalText({ reasons: ['a', 'b', 'c', 'd'], first: '1.4.0' }, '1.3.0');
  assert.equal(text, 'An artifact for StableHLO 1.3.0 cannot hold this program: a; b; c (and 1 more). The first version that can is 1.4.0.');
  assert.equal(refusalText({ reasons: ['a'], first: null }, undefined), 'Bytecode cannot hold this program: a.');
});

test('without a server the text says so in comments, whatever the name of the file', () => {
  for (const trusted of [true, false]) {
    const lines = textWithoutServer('/a/x\n\u2028module {}\u202e.mlirbc', trusted).trimEnd().split(/[\n\u2028]/);
    assert.ok(lines.every((line) => line.startsWith('//')), lines.join('|'));
    assert.equal(lines.some((line) => line.includes('not trusted')), !trusted);
  }
});

test('the title of a comparison says how much differs', () => {
  const answer = { before: '', after: '', differs: true, lines: ['@main', '1 function differs; 7 operations compared'], reason: null };
  assert.equal(comparisonTitle('a ↔ b', answer), 'a ↔ b: 1 function differs; 7 operations compared');
  assert.equal(comparisonTitle('a ↔ b', { ...answer, lines: [] }), 'a ↔ b');
});
