// Finds a server that works, or says what is missing.

import * as vscode from 'vscode';
import type { Environment } from './environment';
import { run, type Waiting } from './processes';
import { selectedPython } from './python';
import { candidates, probing, readProbe, subcommand, whatIsMissing, type Candidate, type Surroundings } from './servers';

/** What the search gave: a server, and in any case what it found on the way, for people. */
export interface Search {
  readonly found: Candidate | undefined;
  readonly report: readonly string[];
  /** Whether the setting `shlo.server.command` decides: then no environment is looked at. */
  readonly isSet: boolean;
}

/** How long a command may take to answer, in milliseconds. */
export function patience(): number {
  const seconds = vscode.workspace.getConfiguration('shlo').get<unknown>('server.timeout');
  return 1000 * (typeof seconds === 'number' && seconds > 0 ? seconds : 30);
}

/** Looks for a server. `cwd` is a folder of ours, in which no module of others lies. */
export async function search(environment: Environment, cwd: string, signal?: AbortSignal): Promise<Search> {
  const report: string[] = [];
  const known = await surroundings(environment);
  const isSet = (known.command ?? []).length > 0;
  for (const candidate of candidates(known)) {
    if (signal?.aborted) break;
    const missing = await fault(candidate, { cwd, milliseconds: patience(), ...(signal ? { signal } : {}) });
    if (missing === undefined) return { found: candidate, report: [...report, `${candidate.title} is used`], isSet };
    report.push(`${candidate.title} ${missing}`);
  }
  return { found: undefined, report, isSet };
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

/** Where a command is set that counts; nothing where none is. */
export function commandSettingTarget(): vscode.ConfigurationTarget | undefined {
  const found = vscode.workspace.getConfiguration('shlo').inspect<unknown[]>('server.command');
  const isSet = (value: unknown) => Array.isArray(value) && value.length > 0;
  if (vscode.workspace.isTrusted && isSet(found?.workspaceFolderValue)) return vscode.ConfigurationTarget.WorkspaceFolder;
  if (vscode.workspace.isTrusted && isSet(found?.workspaceValue)) return vscode.ConfigurationTarget.Workspace;
  return isSet(found?.globalValue) ? vscode.ConfigurationTarget.Global : undefined;
}

/** Why a candidate cannot serve; nothing if it can. */
async function fault(candidate: Candidate, waiting: Waiting): Promise<string | undefined> {
  const asked = candidate.python === undefined ? subcommand(candidate.base, 'lsp', '--help') : probing(candidate.python);
  const ended = await run(asked, waiting);
  if (ended.cut === 'time') return `gave no answer within ${(waiting.milliseconds ?? 0) / 1000} s and was stopped (shlo.server.timeout)`;
  if (candidate.python === undefined)
    return ended.code === 0 ? undefined : `does not work: ${ended.errors.trim().split('\n').at(-1) || 'it failed'}`;
  const probe = readProbe(ended.output);
  return probe ? whatIsMissing(probe) : 'does not start';
}
