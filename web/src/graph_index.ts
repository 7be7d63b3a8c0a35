// The graph view for static pages and notebooks: makes <shlo-graph-view> known and fills those of the page.
//
// Beside a stepper of a notebook, <shlo-graph-place view="KEY" line="12"> says which line the view KEY is to show, and
// what is selected in that view is told to the kernel (field.ts): widgets alone carry both.

import { tellKernel } from './field';
import { GraphView, PLACE, SELECT_EVENT } from './graph_view';
import { definePlace } from './places';

function tell(event: Event): void {
  const { line } = (event as CustomEvent<{ readonly line: number }>).detail;
  tellKernel(event.composedPath()[0] as Element, `${line}`);
}

if (!customElements.get('shlo-graph-view')) {
  customElements.define('shlo-graph-view', GraphView);
  definePlace(PLACE, 'shlo-graph-view');
  document.addEventListener(SELECT_EVENT, tell);
}
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<GraphView>('shlo-graph-view')) view.showEmbedded();
