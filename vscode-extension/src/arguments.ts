// The arguments that functions are run on: how they are written down, named and given to `shlo`. Nothing here knows VS Code.

import * as path from 'node:path';

/** The arguments of a function: files (relative to the program's folder, or whole paths) and literals, and what is missing. */
export interface Arguments {
  readonly texts: readonly string[];
  readonly filling?: 'random' | 'zeros';
  readonly seed?: number;
  /** The grid of processes, as `2x4`. */
  readonly grid?: string;
}

/** What a function is run on where nobody has chosen: what is missing is made up. */
export const MADE_UP: Arguments = { texts: [], filling: 'random', seed: 0 };

/** Whether a text names a file of arrays. */
export function isFile(text: string): boolean {
  return /\.(npz|npy)$/i.test(text);
}

/** Arguments in a few words, for a lens or a menu. */
export function inWords({ texts, filling, seed = 0, grid }: Arguments): string {
  const given = texts.map((text) => (isFile(text) ? path.basename(text) : text)).join(' ');
  const made = filling === 'random' ? `random, seed ${seed}` : (filling ?? '');
  const all = [given, given && made ? `else ${made}` : made, grid ? `grid ${grid}` : ''].filter(Boolean).join(', ') || 'no arguments';
  return all.length > 60 ? `${all.slice(0, 59)}…` : all;
}

/** The files among them with their whole paths. */
export function withWholePaths(chosen: Arguments, folder: string): Arguments {
  const texts = chosen.texts.map((text) => (isFile(text) && !path.isAbsolute(text) ? path.join(folder, text) : text));
  return { ...chosen, texts };
}

/** The words of the command line: options, and what comes behind `--` and the program's file. */
export function commandLine({ texts, filling, seed = 0, grid }: Arguments): { options: readonly string[]; texts: readonly string[] } {
  const fillings = { random: [`--random=${seed}`], zeros: ['--zeros'] };
  const options = [...(filling ? fillings[filling] : []), ...(grid ? [`--grid=${grid}`] : [])];
  return { options, texts };
}

/** What a person wrote as arguments: words, in which brackets, quotes and angles keep blanks together. */
export function split(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let depth = 0;
  let quote = '';
  for (const character of line) {
    if (quote) quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if ('[(<{'.includes(character)) depth++;
    else if ('])>}'.includes(character)) depth--;
    if (/\s/.test(character) && depth <= 0 && !quote) {
      if (word) words.push(word);
      word = '';
    } else word += character;
  }
  return (word ? [...words, word] : words).map((each) => each.replace(/^'(.*)'$/, '$1'));
}

/** What is wrong with what somebody wrote as a grid; nothing if it can be one. */
export function gridFault(text: string): string | undefined {
  return text === '' || /^[1-9]\d{0,5}x[1-9]\d{0,5}$/.test(text) ? undefined : 'A grid is replicas x partitions, such as 2x4.';
}

export function isArguments(value: unknown): value is Arguments {
  const { texts } = (value ?? {}) as Record<string, unknown>;
  return Array.isArray(texts) && texts.every((each) => typeof each === 'string');
}
