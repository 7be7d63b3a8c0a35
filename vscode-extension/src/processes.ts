// Programs that are waited for.

import { spawn } from 'node:child_process';
import type { Invocation } from './servers';

export interface Ended {
  /** The exit code; none if the program could not be started or was ended by a signal. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

export interface Waiting {
  readonly cwd: string;
  /** How long it may take; no end is set unless this is. */
  readonly milliseconds?: number;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  /** Gets what it writes, as it comes. */
  readonly say?: (text: string) => void;
}

/** Runs a program and waits for its end; never throws. */
export function run({ command, args }: Invocation, { cwd, milliseconds, signal, say }: Waiting): Promise<Ended> {
  return new Promise((resolve) => {
    const said = { output: '', errors: '' };
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(milliseconds === undefined ? {} : { timeout: milliseconds }),
      ...(signal ? { signal } : {}),
    });
    const listen = (kind: keyof typeof said) => (text: string) => {
      said[kind] += text;
      say?.(text);
    };
    child.stdout.setEncoding('utf8').on('data', listen('output'));
    child.stderr.setEncoding('utf8').on('data', listen('errors'));
    child.on('error', (error) => resolve({ code: undefined, ...said, errors: said.errors || error.message }));
    child.on('close', (code) => resolve({ code: code ?? undefined, ...said }));
  });
}
