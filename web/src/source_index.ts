// The source view of a stepper in a notebook: makes <shlo-source-view> known and fills those of the page.
//
// <shlo-source-place view="KEY" here="12" breakpoints="3 8"> says where the stepper is that the view KEY is of; it holds
// the lines around for pages that run no scripts. What is asked for in the view is told to the kernel (field.ts).

import { tellKernel } from './field';
import { definePlace } from './places';
import { ASK_EVENT, PLACE, SourceView } from './source_view';

function ask(event: Event): void {
  tellKernel(event.composedPath()[0] as Element, (event as CustomEvent<{ readonly words: string }>).detail.words);
}

if (!customElements.get('shlo-source-view')) {
  customElements.define('shlo-source-view', SourceView);
  definePlace(PLACE, 'shlo-source-view');
  document.addEventListener(ASK_EVENT, ask);
}
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<SourceView>('shlo-source-view')) view.showEmbedded();
