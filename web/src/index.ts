// The tensor view for notebooks and static pages: a script that makes <shlo-tensor-view> known and fills those of
// the page. Each holds its data (embedded.ts) and, for readers without scripts, a picture.

import { TensorView } from './tensor_view';

if (!customElements.get('shlo-tensor-view')) customElements.define('shlo-tensor-view', TensorView);
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<TensorView>('shlo-tensor-view')) view.showEmbedded();
