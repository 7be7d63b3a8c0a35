// The tensor view for notebooks and static pages: a script that makes <shlo-tensor-view> known and fills those of
// the page. Each holds its data (embedded.ts) and, for readers without scripts, a picture.
//
// Which element is chosen in a view of a stepper is told to the kernel (field.ts); small tensors are tables, whose
// attribute `data-at` is the index of their cells.

import { tellKernel } from './field';
import { cellIndex } from './table_cells';
import { ELEMENT_EVENT, TensorView } from './tensor_view';

function tell(view: Element | null | undefined, index: readonly number[]): void {
  if (view) tellKernel(view, ['at', ...index].join(' '));
}

if (!customElements.get('shlo-tensor-view')) {
  customElements.define('shlo-tensor-view', TensorView);
  document.addEventListener(ELEMENT_EVENT, (event) => tell(event.composedPath()[0] as Element, (event as CustomEvent<{ readonly index: readonly number[] }>).detail.index));
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const index = target && cellIndex(target);
    if (index && getSelection()?.isCollapsed) tell(target.closest('[view]'), index);
  });
}
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<TensorView>('shlo-tensor-view')) view.showEmbedded();
