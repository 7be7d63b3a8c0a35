// The page of VS Code's panel "Results": a list of tensors, and the view of the one that is chosen.

import { decoded, type PlaneData, type Slice } from './plane';
import { TensorView } from './tensor_view';
import { isFromHost, type FromHost, type Item, type ToHost } from './messages';

interface Host {
  postMessage(message: ToHost): void;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
customElements.define('shlo-tensor-view', TensorView);
const heading = document.createElement('h1');
const note = document.createElement('p');
const list = document.createElement('ul');
const view = document.createElement('shlo-tensor-view') as TensorView;
view.hidden = true;
document.body.append(heading, note, list, view);

const waiting = new Map<number, { readonly resolve: (data: PlaneData) => void; readonly reject: (error: Error) => void }>();
let asked = 0;
let edition = 0;

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isFromHost(data)) receive(data);
});
new MutationObserver(() => view.redraw()).observe(document.body, { attributes: true, attributeFilter: ['class'] }); // another theme
host.postMessage({ kind: 'ready' });

function receive(message: FromHost): void {
  if (message.kind === 'show') return show(message);
  const waits = waiting.get(message.number);
  waiting.delete(message.number);
  if (message.kind === 'plane') waits?.resolve(message.plane);
  else waits?.reject(new Error(message.reason));
}

function show({ title, note: words, items, state, chosen }: Extract<FromHost, { kind: 'show' }>): void {
  edition++;
  waiting.clear();
  host.setState(state);
  heading.textContent = title;
  note.textContent = words;
  note.hidden = words === '';
  const buttons = items.map((item) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.disabled = item.shape === null;
    const name = document.createElement('strong');
    name.textContent = item.name;
    const type = document.createElement('code');
    type.textContent = item.type;
    button.append(name, ' ', type, ...(item.note ? [` ${item.note}`] : []));
    button.addEventListener('click', () => choose(item, button, buttons));
    return button;
  });
  list.replaceChildren(...buttons.map((button) => {
    const line = document.createElement('li');
    line.append(button);
    return line;
  }));
  const first = Math.max(items.findIndex(({ key, shape }) => key === chosen && shape !== null), items.findIndex(({ shape }) => shape !== null));
  view.hidden = first < 0;
  if (first >= 0) choose(items[first]!, buttons[first]!, buttons);
}

function choose(item: Item, button: HTMLButtonElement, buttons: readonly HTMLButtonElement[]): void {
  if (item.shape === null) return;
  for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
  const of = edition;
  view.show({ name: item.name, type: item.type, shape: item.shape }, async (slice) => decoded(await ask(of, item.key, slice)));
}

function ask(of: number, key: string, slice: Slice): Promise<PlaneData> {
  return new Promise((resolve, reject) => {
    if (of !== edition) return reject(new Error('other tensors are shown'));
    const number = ++asked;
    waiting.set(number, { resolve, reject });
    host.postMessage({ kind: 'ask', number, key, slice });
  });
}
