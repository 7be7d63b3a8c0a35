// The graph view for static pages and notebooks: makes <shlo-graph-view> known and fills those of the page.
//
// Beside a stepper of a notebook, <shlo-graph-place view="KEY" line="12"> says which line the view KEY is to show, and
// what is selected in that view goes into the text field of class shlo-picked-KEY, which the kernel reads: this way
// widgets alone carry both, in every notebook that has them.

import { GraphView, PLACE, SELECT_EVENT } from './graph_view';

/** Where a stepper is; each step puts another one into the page. */
class GraphPlace extends HTMLElement {
  connectedCallback(): void {
    for (const view of document.querySelectorAll<GraphView>('shlo-graph-view')) if (view.getAttribute('view') === this.getAttribute('view')) view.follow();
  }
}

let picks = 0;
function tell(event: Event): void {
  const key = (event.composedPath()[0] as Element).getAttribute('view');
  const field = key === null ? null : document.querySelector<HTMLInputElement>(`.shlo-picked-${CSS.escape(key)} input`);
  if (!field) return;
  const { line } = (event as CustomEvent<{ readonly line: number }>).detail;
  field.value = `${line} ${++picks}`; // the number lets the same line be picked again
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

if (!customElements.get('shlo-graph-view')) {
  customElements.define('shlo-graph-view', GraphView);
  customElements.define(PLACE, GraphPlace);
  document.addEventListener(SELECT_EVENT, tell);
}
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<GraphView>('shlo-graph-view')) view.showEmbedded();
