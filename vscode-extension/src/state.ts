// What the server is doing, in words, and what the menu of the status bar offers. Nothing here knows VS Code.

import type { Candidate } from './servers';

/** What the server is doing. */
export type State =
  | { readonly kind: 'starting' | 'off' | 'stopped' }
  | { readonly kind: 'running'; readonly server: Candidate; readonly version: string }
  /** `isSet`: the setting `shlo.server.command` decides, so that no environment would help. */
  | { readonly kind: 'missing' | 'failed'; readonly report: readonly string[]; readonly isSet: boolean };

export interface Words {
  readonly icon: string;
  readonly text: string;
  readonly detail: string;
  readonly level: 'information' | 'warning' | 'error';
}

/** A state for people. */
export function wordsOn(state: State): Words {
  switch (state.kind) {
    case 'off':
      return { icon: 'circle-slash', text: 'shlo: off', detail: 'switched off by shlo.server.enabled', level: 'information' };
    case 'starting':
      return { icon: 'loading~spin', text: 'shlo: starting', detail: 'starting', level: 'information' };
    case 'running':
      return { icon: 'symbol-array', text: `shlo ${state.version}`.trim(), detail: state.server.title, level: 'information' };
    case 'stopped':
      return { icon: 'debug-disconnect', text: 'shlo: stopped', detail: 'the server has ended; Restart starts it', level: 'warning' };
    case 'missing':
      return { icon: 'warning', text: 'shlo: no server', detail: state.report.join('; ') || 'none was found', level: 'warning' };
    case 'failed':
      return { icon: 'error', text: 'shlo: failed', detail: state.report.join('; '), level: 'error' };
  }
}

export interface MenuItem {
  readonly icon: string;
  readonly label: string;
  readonly description?: string;
  readonly command: string;
  readonly args?: readonly unknown[];
}

const RUNNING: readonly MenuItem[] = [
  { icon: 'play', label: 'Run Function', command: 'shlo.runFunction' },
  { icon: 'symbol-parameter', label: 'Choose Arguments…', command: 'shlo.chooseArguments' },
  { icon: 'debug-alt', label: 'Debug', command: 'shlo.debugFunction' },
  { icon: 'beaker', label: 'Test File', command: 'shlo.testFile' },
];
const SHOWING: readonly MenuItem[] = [
  { icon: 'open-preview', label: 'Show as…', description: 'canonical, generic, tidied, folded, refined, by passes', command: 'shlo.showAs' },
];

/** What helps in a state, then what can be done with the program that is open. */
export function menuOf(kind: State['kind'], isSet: boolean, program: 'trusted' | 'untrusted' | 'none'): readonly MenuItem[] {
  const restart = { icon: 'refresh', label: kind === 'stopped' || kind === 'running' ? 'Restart Server' : 'Look for a Server Again', command: 'shlo.restartServer' };
  const settings = { icon: 'gear', label: 'Open Settings', command: 'shlo.openSettings' };
  const create = { icon: 'package', label: 'Create Environment', description: "the extension's own", command: 'shlo.createEnvironment' };
  const enable = { icon: 'gear', label: 'Open Settings', description: 'shlo.server.enabled', command: 'workbench.action.openSettings', args: ['shlo.server.enabled'] };
  const others = [
    { icon: 'output', label: 'Show Log', command: 'shlo.showLog' },
    { icon: 'book', label: 'Get Started', command: 'shlo.getStarted' },
  ];
  const ofServer = kind === 'off' ? [enable] : kind === 'running' ? [restart, settings] : [...(isSet ? [settings, restart] : [create, restart, settings])];
  const ofProgram = program === 'none' ? [] : [...(program === 'trusted' ? RUNNING : []), ...SHOWING];
  return kind === 'running' ? [...ofProgram, ...ofServer, ...others] : [...ofServer, ...others];
}
