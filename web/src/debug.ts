// The page of a panel of a debug session: which one it is, the body's `data-view` says.

import { isFromHost, VIEWS, type FromHost, type ToHost, type ViewName } from './debug_messages';
import { make } from './elements';
import { GraphView, SELECT_EVENT } from './graph_view';
import { GridView } from './grid_view';
import { decoded, type PlaneData } from './plane';
import { TensorView } from './tensor_view';
import { TensorsView } from './tensors_view';
import { TimelineView } from './timeline_view';

interface Host {
  postMessage(message: ToHost): void;
}
declare function acquireVsCodeApi(): Host;

/** What a panel shows, and what it makes of messages. */
interface Page {
  readonly element: HTMLElement;
  receive(message: FromHost): void;
  /** Draws again: the theme or the size has changed. */
  draw?(): void;
}

const host = acquireVsCodeApi();
const say = (message: ToHost) => host.postMessage(message);
const PAGES: Readonly<Record<ViewName, () => Page>> = { timeline, grid, tensor, graph };
const name = VIEWS.find((each) => each === document.body.dataset['view']) ?? 'timeline';
const nothing = make('p', 'nothing');
nothing.setAttribute('role', 'status');
const page = PAGES[name]();
page.element.hidden = true;
document.body.append(nothing, page.element);
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isFromHost(data)) return;
  if (data.kind === 'nothing') {
    nothing.textContent = data.text;
    nothing.hidden = false;
    page.element.hidden = true;
    return;
  }
  nothing.hidden = true;
  page.element.hidden = false;
  page.receive(data);
});
new MutationObserver(() => page.draw?.()).observe(document.body, { attributes: true, attributeFilter: ['class'] });
let columns = 0;
new ResizeObserver(() => {
  const fitting = Math.max(20, Math.min(Math.floor(document.body.clientWidth / 3), 2000));
  if (fitting === columns) return;
  columns = fitting;
  say({ kind: 'ready', columns });
}).observe(document.body);

function timeline(): Page {
  const view = new TimelineView((position) => say({ kind: 'goTo', position }));
  return { element: view.element, receive: (message) => message.kind === 'timeline' && view.show(message.timeline), draw: () => view.draw() };
}

function grid(): Page {
  const view = new GridView((process) => say({ kind: 'select', process }), (start) => say({ kind: 'part', start }));
  return { element: view.element, receive: (message) => message.kind === 'grid' && view.show(message.grid) };
}

function tensor(): Page {
  customElements.define('shlo-tensor-view', TensorView);
  const waiting = new Map<number, { readonly resolve: (data: PlaneData) => void; readonly reject: (error: Error) => void }>();
  let asked = 0;
  const view = new TensorsView({
    plane: async (each, other, slice) => {
      const number = ++asked;
      const answer = new Promise<PlaneData>((resolve, reject) => waiting.set(number, { resolve, reject }));
      say({ kind: 'ask', number, tensor: each, other, slice });
      return decoded(await answer);
    },
    pin: (each) => say({ kind: 'pin', tensor: each }),
    keep: (each) => say({ kind: 'keep', tensor: each }),
    remove: (each) => say({ kind: 'remove', tensor: each }),
    newest: () => say({ kind: 'newest' }),
  });
  const receive = (message: FromHost) => {
    if (message.kind === 'tensors') return view.show(message.tensors, message.isNewest);
    if (message.kind !== 'plane' && message.kind !== 'failed') return;
    const waits = waiting.get(message.number);
    waiting.delete(message.number);
    if (message.kind === 'plane') waits?.resolve(message.plane);
    else waits?.reject(new Error(message.reason));
  };
  return { element: view.element, receive, draw: () => view.draw() };
}

function graph(): Page {
  customElements.define('shlo-graph-view', GraphView);
  const view = document.createElement('shlo-graph-view') as GraphView;
  view.addEventListener(SELECT_EVENT, (event) => say({ kind: 'line', line: (event as CustomEvent<{ line: number }>).detail.line }));
  const receive = (message: FromHost) => {
    if (message.kind !== 'graph') return;
    const { data, line } = message.graph;
    if (data) view.show(data);
    if (line !== null) view.chooseLine(line);
  };
  return { element: view, receive };
}
