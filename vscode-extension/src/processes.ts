// Programs that are waited for, and their end: with all that they have started.

import { spawn, spawnSync, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Invocation } from './servers';

export interface Ended {
  /** The exit code; none if the program could not be started or was ended by a signal. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
  /** Why it was ended from here, if it was. */
  readonly cut?: 'time' | 'abort';
}

export interface Waiting {
  readonly cwd: string;
  /** How long it may take; no end is set unless this is. */
  readonly milliseconds?: number;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Gets what it writes, as it comes. */
  readonly say?: (text: string) => void;
  /** What it reads from its standard input. */
  readonly input?: string;
}

export type Started = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a program at the head of a process group of its own, so that `end` reaches what it starts. */
export function start({ command, args }: Invocation, cwd: string): Started {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, detached: process.platform !== 'win32' });
  child.stdin.on('error', () => undefined); // it may end before it has read all
  return child;
}

/** Ends a program with its process group and its descendants, of which some may have left the group. */
export function end(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') return void spawnSync('taskkill', ['/F', '/T', '/PID', String(pid)], { windowsHide: true });
  for (const each of [-pid, pid, ...descendants(pid).flatMap((one) => [-one, one])]) kill(each);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy(); // whoever still holds the other end is not waited for
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it has ended, or is the leader of no group
  }
}

/** The processes that a process has started, and those that they have. */
function descendants(root: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 2000 });
  const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([root]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [pid, parent] of pairs) if (pid && parent !== undefined && found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

/** Runs a program and waits for its end; never throws. At the end of its time it is not waited for any longer. */
export function run(invocation: Invocation, { cwd, milliseconds, signal, say, input }: Waiting): Promise<Ended> {
  return new Promise((resolve) => {
    const said = { output: '', errors: '' };
    if (signal?.aborted) return resolve({ code: undefined, ...said, cut: 'abort' });
    const child = start(invocation, cwd);
    const finish = (ended: Pick<Ended, 'code' | 'cut'>, message = '') => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve({ ...ended, ...said, errors: said.errors || message });
    };
    const cut = (why: 'time' | 'abort') => {
      end(child);
      finish({ code: undefined, cut: why });
    };
    const abort = () => cut('abort');
    const timer = milliseconds === undefined ? undefined : setTimeout(cut, milliseconds, 'time');
    signal?.addEventListener('abort', abort);
    const listen = (kind: keyof typeof said) => (text: string) => {
      said[kind] += text;
      say?.(text);
    };
    child.stdout.setEncoding('utf8').on('data', listen('output'));
    child.stderr.setEncoding('utf8').on('data', listen('errors'));
    child.on('error', (error) => finish({ code: undefined }, error.message));
    child.on('close', (code) => finish({ code: code ?? undefined }));
    child.stdin.end(input);
  });
}
