import { LanguageSupport, StreamLanguage, StreamParser } from '@codemirror/language';
import { python } from '@codemirror/legacy-modes/mode/python';

import { tokenAt } from './tokens';

/** Where a reader of lines is: behind a line `%%python` the rest of a cell is Python; in how many braces. */
interface State {
  python: Record<string, unknown> | null;
  depth: number;
}

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
    const { end, colour } = tokenAt(stream.string, stream.pos);
    const brace = stream.string.slice(stream.pos, end);
    stream.pos = end;
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

function copied(state: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(state).map(([key, part]) => [key, Array.isArray(part) ? part.slice() : part]);
  return Object.fromEntries(parts);
}
