// The extension's own Python environment: made from the wheel that the extension carries, in the extension's storage.

import * as crypto from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { run } from './processes';
import { basePythons, creation, isTooOld, OLDEST_PYTHON, probing, pythonOf, readProbe, type Invocation } from './servers';

/** Written when all is installed: an environment without it is half made. It holds the hash of the wheel. */
const MARK = 'shlo-wheel';

export class Environment {
  /**
   * @param storage the extension's folder for files of its own, which no workspace can write
   * @param wheels the folder with the wheel
   */
  constructor(
    private readonly storage: string,
    private readonly wheels: string,
  ) {}

  get folder(): string {
    return path.join(this.storage, 'environment');
  }

  /** Its interpreter, if it was made, and whether it was made from the wheel that is carried now. */
  async found(): Promise<{ python: string; current: boolean } | undefined> {
    const mark = await fs.readFile(path.join(this.folder, MARK), 'utf8').catch(() => undefined);
    if (mark === undefined) return undefined;
    return { python: pythonOf(this.folder, process.platform), current: mark === (await this.carried()) };
  }

  /** Makes it anew; throws an `Error` with a message for people. */
  async create(selected: string | undefined, say: (text: string) => void, signal: AbortSignal): Promise<void> {
    const wheel = await this.wheel();
    if (wheel === undefined) throw new Error('this build of the extension carries no wheel');
    await fs.mkdir(this.storage, { recursive: true });
    const base = await this.basePython(selected);
    await fs.rm(path.join(this.folder, MARK), { force: true });
    for (const step of creation(base, this.folder, wheel, process.platform)) await this.carryOut(step, say, signal);
    await fs.writeFile(path.join(this.folder, MARK), await hash(wheel));
  }

  private async carryOut(step: Invocation, say: (text: string) => void, signal: AbortSignal): Promise<void> {
    say(`> ${[step.command, ...step.args].join(' ')}\n`);
    const ended = await run(step, { cwd: this.storage, signal, say });
    if (signal.aborted) throw new Error('it was cancelled');
    if (ended.code !== 0) throw new Error((ended.errors || ended.output).trim().split('\n').at(-1) || `${step.command} failed`);
  }

  /** The first interpreter that is new enough. */
  private async basePython(selected: string | undefined): Promise<Invocation> {
    for (const base of basePythons(selected, process.platform)) {
      const { command, args } = probing(base.command);
      const ended = await run({ command, args: [...base.args, ...args] }, { cwd: this.storage, milliseconds: 20_000 });
      const probe = readProbe(ended.output);
      if (probe && !isTooOld(probe)) return base;
    }
    throw new Error(`there is no Python ${OLDEST_PYTHON.join('.')} or newer to make it with`);
  }

  /** The hash of the wheel that is carried. */
  private async carried(): Promise<string | undefined> {
    const wheel = await this.wheel();
    return wheel && hash(wheel);
  }

  private async wheel(): Promise<string | undefined> {
    const names = await fs.readdir(this.wheels).catch(() => []);
    const name = names.filter((each) => each.endsWith('.whl')).sort().at(-1);
    return name && path.join(this.wheels, name);
  }
}

async function hash(file: string): Promise<string> {
  return crypto.createHash('sha256').update(await fs.readFile(file)).digest('hex');
}
