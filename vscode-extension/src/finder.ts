// Finds a server that works, or says what is missing.

import * as vscode from 'vscode';
import type { Environment } from './environment';
import { run } from './processes';
import { selectedPython } from './python';
import { candidates, probing, readProbe, subcommand, whatIsMissing, type Candidate, type Surroundings } from './servers';

/** What the search gave: a server, and in any case what it found on the way, for people. */
export interface Search {
  readonly found: Candidate | undefined;
  readonly report: readonly string[];
}

const PATIENCE = 30_000;

/** Looks for a server. `cwd` is a folder of ours, in which no module of others lies. */
export async function search(environment: Environment, cwd: string): Promise<Search> {
  const report: string[] = [];
  for (const candidate of candidates(await surroundings(environment))) {
    const missing = await fault(candidate, cwd);
    if (missing === undefined) return { found: candidate, report: [...report, `${candidate.title} is used`] };
    report.push(`${candidate.title} ${missing}`);
  }
  return { found: undefined, report };
}

async function surroundings(environment: Environment): Promise<Surroundings> {
  const trusted = vscode.workspace.isTrusted;
  const command = commandSetting(trusted);
  const python = trusted ? await selectedPython() : undefined;
  const own = (await environment.found())?.python;
  return { trusted, ...(command ? { command } : {}), ...(python ? { python } : {}), ...(own ? { own } : {}) };
}

/** VS Code leaves a folder's value out where there is no trust; this does not rely on it. */
function commandSetting(trusted: boolean): string[] | undefined {
  const configuration = vscode.workspace.getConfiguration('shlo');
  const value = trusted ? configuration.get<unknown>('server.command') : configuration.inspect('server.command')?.globalValue;
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : undefined;
}

/** Why a candidate cannot serve; nothing if it can. */
async function fault(candidate: Candidate, cwd: string): Promise<string | undefined> {
  if (candidate.python === undefined) {
    const ended = await run(subcommand(candidate.base, 'lsp', '--help'), { cwd, milliseconds: PATIENCE });
    return ended.code === 0 ? undefined : `does not work: ${ended.errors.trim().split('\n').at(-1) || 'it failed'}`;
  }
  const ended = await run(probing(candidate.python), { cwd, milliseconds: PATIENCE });
  const probe = readProbe(ended.output);
  return probe ? whatIsMissing(probe) : 'does not start';
}
