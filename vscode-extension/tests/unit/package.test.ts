import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

// The tests are bundled into build/unit; what they read is in the folder above.
const ROOT = path.resolve(__dirname, '../..');
const read = (name: string) => fs.readFileSync(path.join(ROOT, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('every command that the manifest promises is in the table, and the other way round', () => {
  const promised = manifest.contributes.commands.map((each: { command: string }) => each.command);
  const table = [...read('src/commands.ts').matchAll(/\{ id: '([\w.]+)'/g)].map(([, id]) => id);
  assert.deepEqual(table.sort(), promised.sort());
});

test('every command that runs a program is off in a folder without trust', () => {
  const running = [...read('src/commands.ts').matchAll(/\{ id: '([\w.]+)', runs: true/g)].map(([, id]) => id);
  assert.ok(running.length > 3);
  for (const { command, enablement } of manifest.contributes.commands)
    assert.equal(enablement, running.includes(command) ? 'isWorkspaceTrusted' : undefined, command);
});

test('a folder without trust cannot say what is started', () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.ok(restrictedConfigurations.includes('shlo.server.command'));
});

test('no name is taken that the MLIR extension of LLVM uses', () => {
  const names = [...manifest.contributes.commands.map((each: { command: string }) => each.command), ...Object.keys(manifest.contributes.configuration.properties)];
  assert.ok(names.every((name) => name.startsWith('shlo.')));
});

test('words are those of the language', () => {
  const pattern = new RegExp(JSON.parse(read('language-configuration.json')).wordPattern, 'g');
  const text = '%x#0 = stablehlo.add %arg0, @f->#loc1 !t ^bb0 "a.b-c"(%y): 4x?xf32';
  assert.deepEqual(text.match(pattern), ['%x#0', 'stablehlo.add', '%arg0', '@f', '#loc1', '!t', '^bb0', 'a.b-c', '%y', '4x', 'xf32']);
});

test('the lock file names no registry', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "http/);
});

test('what menus, keys, links and pictures of the manifest name is there', () => {
  const known = new Set(manifest.contributes.commands.map((each: { command: string }) => each.command));
  const text = read('package.json');
  const named = [...text.matchAll(/(?:"command": "|command:)(shlo\.\w+)/g)].map(([, id]) => id);
  assert.deepEqual(named.filter((id) => !known.has(id)), []);
  const files = [...text.matchAll(/"\.?\/?((?:media|syntaxes|snippets)\/[\w.-]+|[\w-]+-configuration\.json)"/g)].map(([, name]) => name ?? '');
  assert.ok(files.length > 10);
  assert.deepEqual(files.filter((name) => !fs.existsSync(path.join(ROOT, name))), []);
});

test('every picture of the walkthrough says what it shows', () => {
  for (const { id, media } of manifest.contributes.walkthroughs[0].steps) assert.ok(media.altText.length > 10, id);
});

test('the problem matcher reads what shlo check, test and run print', () => {
  const [{ regexp }] = manifest.contributes.problemMatchers[0].pattern;
  const groups = (line: string) => new RegExp(regexp).exec(line)?.slice(1);
  assert.deepEqual(groups("/a b/x.mlir:3:30: error: use of '%y' [syntax]"), ['/a b/x.mlir', '3', '30', 'error', "use of '%y'", 'syntax']);
  assert.deepEqual(groups('  C:\\x.mlir:8:3: check.expect_eq_const: [1] differs')?.slice(0, 3), ['C:\\x.mlir', '8', '3']);
  assert.equal(groups('1 passed, 1 failed in 0.68 s'), undefined);
});
