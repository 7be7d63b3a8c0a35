/** What a line of MLIR's text is made of, in JupyterLab's editors and in the view of a program's source (web/). */

import { KEYWORDS, TYPES } from './words';

/** A piece of a line: where it ends, and the name of its colour. */
export interface Token {
  readonly end: number;
  readonly colour: string | null;
}

type Colour = string | ((line: string, end: number, word: string) => string | null) | null;

const NAME = '(?:[0-9]+|[A-Za-z_$.-][\\w$.-]*)';
const STRING = '"(?:[^"\\\\]|\\\\.)*"?';

/**
 * What a line is made of, in the order of trial. No token crosses the end of a line. The names of colours are
 * those for which the themes of JupyterLab have one.
 */
const TOKENS: readonly (readonly [RegExp, Colour])[] = (
  [
    [/\/\/.*/, 'comment'],
    [new RegExp(STRING), 'string'],
    [new RegExp(`%${NAME}(?:#[0-9]+)?`), 'variableName.special'],
    [new RegExp(`@(?:${STRING}|[A-Za-z_][\\w$.]*)`), 'variableName.definition'],
    [new RegExp(`\\^${NAME}`), 'labelName'],
    [new RegExp(`[#!]${NAME}`), 'meta'],
    [/(?:(?:[0-9]+|[?*])x)+(?=[fiu][0-9]|bf16|tf32|si[0-9]|index|complex|!|tuple|vector|none)/, 'number'],
    [/0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?/, 'number'],
    [/[A-Za-z_][\w$.]*/, colourOfWord],
    [/->|::|./, null]
  ] satisfies [RegExp, Colour][]
).map(([pattern, colour]) => [new RegExp(pattern.source, 'y'), colour]);
const EQUALS = /\s*=(?!=)/y;

/** The piece of a line that begins at a place. */
export function tokenAt(line: string, start: number): Token {
  for (const [pattern, colour] of TOKENS) {
    pattern.lastIndex = start;
    const match = pattern.exec(line);
    if (match) {
      const end = start + match[0].length;
      return { end, colour: typeof colour === 'function' ? colour(line, end, match[0]) : colour };
    }
  }
  return { end: start + 1, colour: null };
}

function colourOfWord(line: string, end: number, word: string): string | null {
  EQUALS.lastIndex = end;
  if (EQUALS.test(line)) {
    return 'propertyName';
  }
  if (word.includes('.')) {
    return 'variableName.standard';
  }
  if (TYPES.has(word) || /^(?:[su]?i|f)[0-9]\w*$/.test(word)) {
    return 'meta';
  }
  if (KEYWORDS.has(word)) {
    return 'keyword';
  }
  return /^[A-Z][A-Z0-9_]+$/.test(word) ? 'atom' : null;
}
