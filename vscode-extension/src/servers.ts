// Where a language server may come from, and what must be there for it to work. Nothing here knows VS Code.

import * as path from 'node:path';

/** A program with its arguments, never a line for a shell: names of files stay data. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
}

/** Something that may be the `shlo` command. `python` is its interpreter, where it is known. */
export interface Candidate {
  readonly origin: 'setting' | 'python' | 'private';
  readonly title: string;
  readonly base: Invocation;
  readonly python?: string;
}

/** What is known before anything is started. Settings that are empty, and things that are not there, are absent. */
export interface Surroundings {
  readonly trusted: boolean;
  /** `shlo.server.command`; in a folder without trust the user's own value. */
  readonly command?: readonly string[];
  /** The interpreter that is selected for the workspace. */
  readonly python?: string;
  /** The interpreter of the extension's own environment. */
  readonly own?: string;
}

/** What `PROBE` says about an interpreter. */
export interface Probe {
  readonly python: readonly [number, number];
  readonly shlo: string | null;
  readonly missing: readonly string[];
}

export const OLDEST_PYTHON = [3, 11] as const;

/** The packages without which a part of the extension does not work. */
export const NEEDED = { server: 'pygls', debugger: 'textual' } as const;

/** Prints a `Probe` as JSON, on any Python that there is. Started with an empty path in front: see `isolated`. */
export const PROBE = `
import json, sys
report = {"python": sys.version_info[:2], "shlo": None, "missing": []}
if sys.version_info >= (3, 11):
    from importlib import metadata, util
    if util.find_spec("shlo") and util.find_spec("shlo_lsp"):
        try:
            report["shlo"] = metadata.version("shlo")
        except metadata.PackageNotFoundError:
            report["shlo"] = "?"
    report["missing"] = [name for name in ${JSON.stringify(Object.values(NEEDED))} if not util.find_spec(name)]
print(json.dumps(report))
`;

/** Python with a program of ours. It starts in `sys.flags.safe_path`: no folder that it is started in is on its path. */
export function isolated(python: string, ...args: string[]): Invocation {
  return { command: python, args: ['-P', ...args] };
}

/** How to ask an interpreter, of whatever age, what it has. It must be started in a folder that is ours. */
export function probing(python: string): Invocation {
  return { command: python, args: ['-c', PROBE] };
}

/** What an interpreter answered, or nothing if it is none. */
export function readProbe(output: string): Probe | undefined {
  try {
    const report: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    return isProbe(report) ? report : undefined;
  } catch {
    return undefined;
  }
}

function isProbe(report: unknown): report is Probe {
  const { python, shlo, missing } = (report ?? {}) as Record<string, unknown>;
  return Array.isArray(python) && python.length === 2 && (shlo === null || typeof shlo === 'string') && Array.isArray(missing);
}

/** Why an interpreter cannot serve, in words for people; nothing if it can. */
export function whatIsMissing(probe: Probe): string | undefined {
  const version = probe.python.join('.');
  if (isTooOld(probe)) return `is Python ${version}; shlo needs ${OLDEST_PYTHON.join('.')} or newer`;
  if (probe.shlo === null) return 'has no package `shlo`';
  if (probe.missing.includes(NEEDED.server)) return `has shlo ${probe.shlo} without its language server (\`pip install 'shlo[lsp]'\`)`;
  return undefined;
}

/** Whether an interpreter is older than shlo's oldest. */
export function isTooOld({ python: [major, minor] }: Probe): boolean {
  return major < OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor < OLDEST_PYTHON[1]);
}

/**
 * Who to ask for a server, best first. A folder without trust has no say: what it may have chosen, the selected
 * interpreter, is left out.
 */
export function candidates({ trusted, command, python, own }: Surroundings): Candidate[] {
  const found: Candidate[] = [];
  const base = shloCommand(command);
  if (base) found.push({ origin: 'setting', title: `the setting shlo.server.command (${base.command})`, base });
  if (python !== undefined && trusted)
    found.push({ origin: 'python', title: `the selected interpreter ${python}`, base: isolated(python, '-m', 'shlo'), python });
  if (own !== undefined)
    found.push({ origin: 'private', title: "the extension's own environment", base: isolated(own, '-m', 'shlo'), python: own });
  return base ? found.slice(0, 1) : found; // who sets a command wants that one
}

/** The `shlo` command of a setting; `lsp` at its end is understood, as other editors want it there. */
function shloCommand(setting: readonly string[] | undefined): Invocation | undefined {
  const words = setting?.at(-1) === 'lsp' ? setting.slice(0, -1) : setting;
  const [command, ...args] = words ?? [];
  return command ? { command, args } : undefined;
}

/** A command with a subcommand. */
export function subcommand(base: Invocation, ...args: string[]): Invocation {
  return { command: base.command, args: [...base.args, ...args] };
}

/** The interpreters that a new environment may be made with, best first. */
export function basePythons(selected: string | undefined, platform: NodeJS.Platform): Invocation[] {
  const named = platform === 'win32' ? ['python'] : ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
  const launcher: Invocation[] = platform === 'win32' ? [{ command: 'py', args: ['-3'] }] : [];
  const commands = [...(selected === undefined ? [] : [selected]), ...named];
  return [...commands.map((command) => ({ command, args: [] })), ...launcher];
}

/** The interpreter of an environment. */
export function pythonOf(environment: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? path.win32.join(environment, 'Scripts', 'python.exe') : path.posix.join(environment, 'bin', 'python');
}

/** The commands, in order, that make an environment with a wheel in it. */
export function creation(base: Invocation, environment: string, wheel: string, platform: NodeJS.Platform): Invocation[] {
  const python = pythonOf(environment, platform);
  const install = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', `${wheel}[lsp,tui]`];
  return [
    { command: base.command, args: [...base.args, '-I', '-m', 'venv', '--clear', environment] },
    { command: python, args: ['-I', ...install] },
  ];
}

/** A path from settings with what VS Code's own variables stand for; nothing if it uses others, or is none. */
export function expanded(setting: unknown, folder: string | undefined, home: string): string | undefined {
  if (typeof setting !== 'string' || setting.trim() === '') return undefined;
  const values: Record<string, string | undefined> = { workspaceFolder: folder, workspaceRoot: folder, userHome: home };
  let complete = true;
  const text = setting.replace(/^~(?=[\\/])/, '${userHome}').replace(/\$\{(\w+)\}/g, (_, name: string) => {
    complete &&= values[name] !== undefined;
    return values[name] ?? '';
  });
  return complete && !text.includes('${') ? text : undefined;
}

/**
 * A command whose exit code 1 (the program has faults) counts as an end like any other, for terminals: VS Code tells of
 * every other code than 0. The words are arguments of the shell's line, not parts of it.
 */
export function quietly({ command, args }: Invocation, platform: NodeJS.Platform): Invocation {
  if (platform === 'win32') return { command, args };
  return { command: '/bin/sh', args: ['-c', '"$@"; code=$?; test $code -eq 1 && exit 0; exit $code', 'sh', command, ...args] };
}
