// The graph view for static pages: makes <shlo-graph-view> known and fills those of the page.

import { GraphView } from './graph_view';

if (!customElements.get('shlo-graph-view')) customElements.define('shlo-graph-view', GraphView);
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<GraphView>('shlo-graph-view')) view.showEmbedded();
