import { JupyterFrontEnd } from '@jupyterlab/application';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { Diagnostic, linter } from '@codemirror/lint';
import { Extension, StateEffect } from '@codemirror/state';
import { EditorView, hoverTooltip, Tooltip, ViewPlugin } from '@codemirror/view';

import { Answer, Channels, Kernel } from './channel';
import { CELL } from './magic';
import { cellsAbove, kernelOf, readyKernelOf } from './places';

/** What is wrong with a cell, as the kernel tells it (shlo_kernel/live.py); places count code points. */
interface Finding {
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning' | 'note' | 'hint';
  readonly code: string;
  readonly message: string;
  readonly fix: { readonly title: string; readonly start: number; readonly end: number; readonly text: string } | null;
}
interface LiveAnswer extends Answer {
  readonly findings?: readonly Finding[];
  readonly markdown?: string | null;
}

const DELAY = 400;
const SEVERITY = { error: 'error', warning: 'warning', note: 'info', hint: 'hint' } as const;
const refresh = StateEffect.define<null>();

/** Findings while a cell of StableHLO is written, and what a word means under the pointer: the kernel knows both. */
export function liveCells(app: JupyterFrontEnd, rendermime: IRenderMimeRegistry): Extension {
  const views = new Set<EditorView>();
  const inPage = new WeakSet<EditorView>();
  const channels = new Channels<LiveAnswer>('shlo.cells', kernel => {
    for (const view of views) {
      if (kernelOf(app, view.dom) === kernel) view.dispatch({ effects: refresh.of(null) });
    }
  });

  async function ask(view: EditorView, question: (above: string[]) => object): Promise<LiveAnswer> {
    const kernel = await readyKernelOf(app, view.dom);
    const above = kernel && cellsAbove(app, view.dom);
    const text = view.state.doc.toString();
    if (!kernel || !above || !text.trim() || !(CELL.test(text) || (await isOurs(kernel)))) return {};
    try {
      return (await channels.ask(kernel, { ...question(above), text })) ?? {};
    } catch {
      return {}; // a kernel without our answers
    }
  }

  const findings = linter(
    async view => {
      const answer = await ask(view, above => ({ ask: 'findings', above }));
      const text = view.state.doc.toString();
      return (answer.findings ?? []).map(each => diagnosticOf(each, text));
    },
    {
      delay: DELAY,
      needsRefresh: update => {
        const isFirst = update.geometryChanged && update.view.dom.isConnected && !inPage.has(update.view);
        if (isFirst) inPage.add(update.view);
        return isFirst || update.transactions.some(({ effects }) => effects.some(each => each.is(refresh)));
      }
    }
  );

  const words = hoverTooltip(async (view, position): Promise<Tooltip | null> => {
    const text = view.state.doc.toString();
    const { markdown } = await ask(view, () => ({ ask: 'hover', offset: [...text.slice(0, position)].length }));
    if (!markdown) return null;
    const renderer = rendermime.createRenderer('text/markdown');
    await renderer.renderModel(rendermime.createModel({ data: { 'text/markdown': markdown } }));
    const dom = document.createElement('div');
    dom.className = 'shlo-hover jp-RenderedHTMLCommon';
    dom.append(renderer.node);
    return { pos: position, create: () => ({ dom, destroy: () => renderer.dispose() }) };
  });

  const known = ViewPlugin.define(view => {
    views.add(view);
    return { destroy: () => views.delete(view) };
  });
  const looked = EditorView.domEventHandlers({ focus: (_, view) => view.dispatch({ effects: refresh.of(null) }) });
  return [findings, words, known, looked, LOOK];
}

const ours = new WeakMap<Kernel, Promise<boolean>>();

/** Whether all cells of a kernel are StableHLO. */
function isOurs(kernel: Kernel): Promise<boolean> {
  let answer = ours.get(kernel);
  if (!answer) ours.set(kernel, (answer = kernel.info.then(({ language_info }) => language_info.name === 'stablehlo')));
  return answer;
}

function diagnosticOf({ start, end, severity, message, fix }: Finding, text: string): Diagnostic {
  const unit = (offset: number): number => [...text].slice(0, offset).join('').length;
  const actions = fix
    ? [
        {
          name: fix.title,
          apply: (view: EditorView) =>
            view.dispatch({ changes: { from: unit(fix.start), to: unit(fix.end), insert: fix.text } })
        }
      ]
    : [];
  return { from: unit(start), to: unit(end), severity: SEVERITY[severity], message, source: 'shlo', actions };
}

/** Boxes in the colours of JupyterLab's theme. */
const LOOK = EditorView.baseTheme({
  '.cm-tooltip.cm-tooltip-hover, .cm-tooltip.cm-tooltip-lint': {
    backgroundColor: 'var(--jp-layout-color1)',
    color: 'var(--jp-ui-font-color1)',
    border: '1px solid var(--jp-border-color1)',
    maxWidth: '60em'
  },
  '.cm-diagnostic': { fontFamily: 'var(--jp-code-font-family)', whiteSpace: 'pre-wrap', maxWidth: '58em' },
  '.cm-diagnostic .cm-diagnosticAction': {
    backgroundColor: 'var(--jp-brand-color1)',
    color: 'var(--jp-ui-inverse-font-color1)',
    cursor: 'pointer'
  },
  '.shlo-hover': { padding: '4px 10px', maxHeight: '24em', overflow: 'auto' }
});
