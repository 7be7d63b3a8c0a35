import { LanguageSupport, StreamLanguage, StreamParser, StringStream } from '@codemirror/language';
import { python } from '@codemirror/legacy-modes/mode/python';

import { KEYWORDS, TYPES } from './words';

/** Where a reader of lines is: behind a line `%%python` the rest of a cell is Python; in how many braces. */
interface State {
  python: Record<string, unknown> | null;
  depth: number;
}

type Colour = string | ((stream: StringStream, word: string) => string | null) | null;

const NAME = '(?:[0-9]+|[A-Za-z_$.-][\\w$.-]*)';
const STRING = '"(?:[^"\\\\]|\\\\.)*"?';

/**
 * What a line is made of, in the order of trial. No token crosses the end of a line. The names of colours are
 * those for which the themes of JupyterLab have one.
 */
const TOKENS: readonly (readonly [RegExp, Colour])[] = [
  [/\/\/.*/, 'comment'],
  [new RegExp(STRING), 'string'],
  [new RegExp(`%${NAME}(?:#[0-9]+)?`), 'variableName.special'],
  [new RegExp(`@(?:${STRING}|[A-Za-z_][\\w$.]*)`), 'variableName.definition'],
  [new RegExp(`\\^${NAME}`), 'labelName'],
  [new RegExp(`[#!]${NAME}`), 'meta'],
  [
    /(?:(?:[0-9]+|[?*])x)+(?=[fiu][0-9]|bf16|tf32|si[0-9]|index|complex|!|tuple|vector|none)/,
    'number'
  ],
  [/0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][-+]?[0-9]+)?)?/, 'number'],
  [/[A-Za-z_][\w$.]*/, colourOfWord],
  [/->|::|./, null]
].map(([pattern, colour]) => [sticky(pattern as RegExp), colour as Colour]);

/** A line that begins with a value's name alone shows the value, unless it is the name of a magic. */
const MAGIC = /^(?:%%[a-z]\w*|%[a-z]\w*(?=\s+[^\s=,:])|%(?:who|help|lsmagic|ops|reset|test)(?=\s*$))/;

/** MLIR's text, with the magics of notebook cells; read line by line. */
const parser: StreamParser<State> = {
  name: 'mlir',
  startState: () => ({ python: null, depth: 0 }),
  copyState: state => ({ ...state, python: state.python && copied(state.python) }),
  token(stream, state) {
    if (state.python) {
      return python.token(stream, state.python);
    }
    if (stream.sol()) {
      const magic = stream.match(MAGIC) as RegExpMatchArray | null;
      if (magic) {
        state.python = magic[0] === '%%python' ? (python.startState!(4) as State['python']) : null;
        return 'keyword';
      }
    }
    if (stream.eatSpace()) {
      return null;
    }
    const start = stream.pos;
    const colour = token(stream);
    const brace = stream.string.slice(start, stream.pos);
    state.depth = Math.max(state.depth + Number(brace === '{') - Number(brace === '}'), 0);
    return colour;
  },
  indent(state, textAfter, context) {
    const closed = Number(/^\s*\}/.test(textAfter));
    return state.python ? python.indent!(state.python, textAfter, context) : Math.max(state.depth - closed, 0) * context.unit;
  },
  blankLine(state, indentUnit) {
    if (state.python) {
      python.blankLine?.(state.python, indentUnit);
    }
  },
  languageData: {
    commentTokens: { line: '//' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*\}$/
  }
};

export const mlirLanguage = StreamLanguage.define(parser);

/** The language as editors take it. */
export function mlir(): LanguageSupport {
  return new LanguageSupport(mlirLanguage);
}

function token(stream: StringStream): string | null {
  for (const [pattern, colour] of TOKENS) {
    pattern.lastIndex = stream.pos;
    const match = pattern.exec(stream.string);
    if (match) {
      stream.pos += match[0].length;
      return typeof colour === 'function' ? colour(stream, match[0]) : colour;
    }
  }
  stream.next();
  return null;
}

function colourOfWord(stream: StringStream, word: string): string | null {
  if (stream.match(/^\s*=(?!=)/, false)) {
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

function copied(state: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(state).map(([key, part]) => [key, Array.isArray(part) ? part.slice() : part]);
  return Object.fromEntries(parts);
}

function sticky(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, 'y');
}
