import { highlightingFor } from '@codemirror/language';
import { EditorState, Prec, RangeSetBuilder, StateField } from '@codemirror/state';
import { Decoration, DecorationSet, EditorView } from '@codemirror/view';
import { highlightTree } from '@lezer/highlight';

import { mlirLanguage } from './mlir';

export const CELL = /^%%stablehlo\b/;
const PLAIN = 'shlo-plain';

/** Takes the colours of the editor's own language away. */
const plain = decorations((text, marks) => marks.add(0, text.length, Decoration.mark({ class: PLAIN })));

/** Gives those of MLIR. */
const colours = decorations((text, marks, state) => {
  const style = { style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags) };
  highlightTree(mlirLanguage.parser.parse(text), style, (from, to, classes) =>
    marks.add(from, to, Decoration.mark({ class: classes }))
  );
});

/** The extension for editors. What stands first is the innermost, so that its colours show. */
export const cellMagic = [
  Prec.highest(colours),
  Prec.highest(plain),
  EditorView.baseTheme({
    [`.${PLAIN}`]: {
      color: 'var(--jp-mirror-editor-variable-color)',
      fontStyle: 'normal',
      fontWeight: 'normal'
    }
  })
];

/** Decorations of texts that begin with `%%stablehlo`. */
function decorations(
  decorate: (text: string, marks: RangeSetBuilder<Decoration>, state: EditorState) => void
): StateField<DecorationSet> {
  const made = (state: EditorState): DecorationSet => {
    const marks = new RangeSetBuilder<Decoration>();
    if (CELL.test(state.doc.line(1).text)) {
      decorate(state.doc.toString(), marks, state);
    }
    return marks.finish();
  };
  return StateField.define<DecorationSet>({
    create: made,
    update: (before, change) => (change.docChanged || change.reconfigured ? made(change.state) : before),
    provide: field => EditorView.decorations.from(field)
  });
}
