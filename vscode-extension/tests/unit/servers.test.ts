import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { run } from '../../src/processes';
import { basePythons, candidates, creation, expanded, isolated, probing, PROBE, quietly, readProbe, subcommand, whatIsMissing } from '../../src/servers';

const everything = { command: ['/opt/shlo'], python: '/venv/bin/python', own: '/own/bin/python' };

function temporary(t: { after(work: () => void): void }): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shlo-unit-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

test('the setting alone decides where it is set', () => {
  assert.deepEqual(candidates({ trusted: true, ...everything }).map((each) => each.origin), ['setting']);
});

test('the selected interpreter comes before the environment of our own', () => {
  const { python, own } = everything;
  assert.deepEqual(candidates({ trusted: true, python, own }).map((each) => each.origin), ['python', 'private']);
});

test('a folder without trust has no say in the interpreter', () => {
  const { python, own } = everything;
  assert.deepEqual(candidates({ trusted: false, python, own }).map((each) => each.origin), ['private']);
  assert.deepEqual(candidates({ trusted: false, python }), []);
});

test('the setting is a command with arguments, with or without lsp', () => {
  for (const command of [['/a b/shlo', '-v'], ['/a b/shlo', '-v', 'lsp']]) {
    const [found] = candidates({ trusted: true, command });
    assert.deepEqual(found && subcommand(found.base, 'test', 'x; y.mlir'), { command: '/a b/shlo', args: ['-v', 'test', 'x; y.mlir'] });
  }
  assert.deepEqual(candidates({ trusted: true, command: [] }), []);
});

test('an interpreter is asked for what it has', async () => {
  const { command, args } = probing(process.env['PYTHON'] ?? 'python3');
  const probe = readProbe(execFileSync(command, [...args], { encoding: 'utf8' }));
  assert.ok(probe && probe.python[0] === 3);
  assert.equal(readProbe('Welcome!\n' + JSON.stringify(probe))?.shlo, probe.shlo);
});

test('what is no interpreter gives no answer', async () => {
  const ended = await run(probing('/nowhere/python'), { cwd: os.tmpdir() });
  assert.equal(ended.code, undefined);
  assert.equal(readProbe(ended.output), undefined);
  assert.equal(readProbe('{"python": "old"}'), undefined);
});

test('what is missing is said in words', () => {
  const whole = { python: [3, 12], shlo: '0.1.0', missing: [] } as const;
  assert.equal(whatIsMissing(whole), undefined);
  assert.equal(whatIsMissing({ ...whole, missing: ['textual'] }), undefined);
  assert.match(whatIsMissing({ ...whole, python: [3, 9] }) ?? '', /is Python 3\.9; shlo needs 3\.11/);
  assert.match(whatIsMissing({ ...whole, shlo: null }) ?? '', /has no package `shlo`/);
  assert.match(whatIsMissing({ ...whole, missing: ['pygls'] }) ?? '', /pip install 'shlo\[lsp\]'/);
});

test('the probe runs on a Python that is too old for shlo', () => {
  assert.doesNotMatch(PROBE, /f"|:=|match /);
});

test('no module of the folder that Python is started in is loaded', (t) => {
  const folder = temporary(t);
  fs.writeFileSync(path.join(folder, 'planted.py'), 'print("loaded")');
  const { command, args } = isolated(process.env['PYTHON'] ?? 'python3', '-m', 'planted');
  const ended = spawnSync(command, [...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(ended.stdout, '');
  assert.notEqual(ended.status, 0);
});

test('an environment is made by venv and pip, without a shell', () => {
  const [venv, pip] = creation({ command: 'py', args: ['-3'] }, 'C:\\s p\\env', 'C:\\w.whl', 'win32');
  assert.deepEqual(venv, { command: 'py', args: ['-3', '-I', '-m', 'venv', '--clear', 'C:\\s p\\env'] });
  assert.equal(pip?.command, 'C:\\s p\\env\\Scripts\\python.exe');
  assert.equal(pip?.args.at(-1), 'C:\\w.whl[lsp,tui]');
});

test('the selected interpreter is the first to make an environment with', () => {
  assert.equal(basePythons('/mine', 'linux')[0]?.command, '/mine');
  assert.deepEqual(basePythons(undefined, 'win32'), [{ command: 'python', args: [] }, { command: 'py', args: ['-3'] }]);
});

test('variables in the setting of the interpreter are expanded, or it is passed over', () => {
  assert.equal(expanded('${workspaceFolder}/.venv/bin/python', '/w', '/h'), '/w/.venv/bin/python');
  assert.equal(expanded('~/p', undefined, '/h'), '/h/p');
  assert.equal(expanded('${workspaceFolder}/p', undefined, '/h'), undefined);
  assert.equal(expanded('${env:HOME}/p', '/w', '/h'), undefined);
  assert.equal(expanded('', '/w', '/h'), undefined);
});

test('a program that does not end is ended', async () => {
  const started = Date.now();
  const ended = await run({ command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'] }, { cwd: os.tmpdir(), milliseconds: 300 });
  assert.equal(ended.code, undefined);
  assert.ok(Date.now() - started < 20_000);
});

test('a program that hangs is ended in time with its children, those that left its group too', async (t) => {
  if (process.platform === 'win32') return t.skip('process groups are those of POSIX');
  const folder = temporary(t);
  const script = 'sleep 1000 & echo $! >>pids; (setsid sleep 1000 & echo $! >>pids; wait) & echo $$ >>pids; wait';
  const started = Date.now();
  const ended = await run({ command: 'sh', args: ['-c', script] }, { cwd: folder, milliseconds: 1000 });
  assert.equal(ended.cut, 'time');
  assert.ok(Date.now() - started < 10_000);
  const pids = fs.readFileSync(path.join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
  assert.equal(pids.length, 3);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(pids.filter(isAlive), []);
});

test('waiting for a program can be called off', async (t) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  const ended = await run({ command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'] }, { cwd: temporary(t), signal: abort.signal });
  assert.equal(ended.cut, 'abort');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('faults of a program are no failure of its terminal, and words stay words', () => {
  const program = ['-e', 'process.stdout.write(process.argv[1]); process.exit(Number(process.argv[2]))'];
  for (const [code, seen] of [[0, 0], [1, 0], [2, 2]] as const) {
    const { command, args } = quietly({ command: process.execPath, args: [...program, '$(touch x); "y"', String(code)] }, 'linux');
    const ended = spawnSync(command, [...args], { encoding: 'utf8' });
    assert.equal(ended.stdout, '$(touch x); "y"');
    assert.equal(ended.status, seen);
  }
});
