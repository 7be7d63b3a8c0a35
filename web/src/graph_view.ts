// The element <shlo-graph-view>: a graph's expanded groups on a canvas, beside them a tree of the same for the
// keyboard and for screen readers, and what is known of the selected node.
//
// Only what is in view is drawn. A tree item's keys: arrows move, Enter or space selects, right and left expand and
// collapse. Text is set as text, styles by objects: it needs no inline script and no inline style.

import { ink, rgb, type Color } from './colormap';
import { button, keepKeys, make, sheetsOf } from './elements';
import { coloring, colorings, type Coloring } from './graph_colors';
import css from './graph.css';
import { HEADER, Layout, nodeTexts, shortType, type Level } from './graph_layout';
import { GraphModel, ROOT, type GraphData } from './graph_model';
import { fillEmbedded } from './packing';
import { placeFor } from './places';
import { SizeObserver } from './sizes';
import base from './style.css';

/** Says which line's operation was selected here: `detail.line`. */
export const SELECT_EVENT = 'shlo-select';
/** The element of a page that says which line a view is to show (graph_index.ts). */
export const PLACE = 'shlo-graph-place';
/** How many nodes are drawn at first, at most, unless a function has more. */
const FIRST = 60;
const SCALES = [0.02, 3] as const;
const NAN_EDGE = '#d500c8';

export class GraphView extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly heading = make('strong');
  private readonly bar = make('div', 'bar');
  private readonly tree = make('div', 'tree');
  private readonly canvas = make('canvas');
  private readonly box = make('div', 'canvas');
  private readonly size = new SizeObserver(this.box, () => {
    if (!this.isFitted && this.model && this.box.clientWidth > 0) this.fit();
    this.draw();
  });
  private readonly details = make('div', 'details');
  private readonly legend = make('div', 'legend');
  private readonly search = Object.assign(make('input'), { type: 'search', placeholder: 'find an operation' });
  private readonly select = make('select');
  private readonly items = new Map<number, HTMLElement>();
  private model: GraphModel | undefined;
  private layout: Layout | undefined;
  private colors: Coloring | undefined;
  private selected: number | undefined;
  private view = { x: 20, y: 20, scale: 1 };
  private isWaiting = false;
  private isFitted = false;

  constructor() {
    super();
    this.root.adoptedStyleSheets = sheetsOf(base, css);
    this.search.setAttribute('aria-label', 'find an operation');
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.findNext();
    });
    this.select.addEventListener('change', () => this.color(this.select.value));
    const label = make('label', '', 'colours');
    label.append(this.select);
    this.bar.append(this.heading, this.search, label, button('fit', 'show all of the graph', () => this.fit()), button('+', 'zoom in', () => this.zoom(1.4)), button('−', 'zoom out', () => this.zoom(1 / 1.4)), this.legend);
    this.tree.setAttribute('role', 'tree');
    this.tree.setAttribute('aria-label', 'groups and operations');
    this.tree.addEventListener('keydown', (event) => this.onTreeKey(event));
    this.canvas.setAttribute('role', 'img');
    this.details.setAttribute('aria-live', 'polite');
    this.details.tabIndex = 0;
    this.details.setAttribute('role', 'region');
    this.details.setAttribute('aria-label', 'the selected node');
    this.box.append(this.canvas);
    const body = make('div', 'body');
    body.append(this.tree, this.box);
    this.root.append(this.bar, body, this.details);
    this.listen();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  connectedCallback(): void {
    keepKeys(this);
    this.showEmbedded();
  }

  /** Shows the data that the page has inside of the element, once that is there. */
  showEmbedded(): void {
    const show = (data: unknown) => {
      this.show(data as GraphData);
      this.follow();
    };
    fillEmbedded(this, show, (reason) => (this.details.textContent = `the graph cannot be read: ${reason}`));
  }

  show(data: GraphData): void {
    const model = new GraphModel(data);
    const layout = new Layout(model);
    this.model = model;
    this.layout = layout;
    this.selected = undefined;
    this.items.clear();
    this.heading.textContent = data.title;
    this.select.replaceChildren(...colorings(model).map((name) => Object.assign(make('option', '', name), { value: name })));
    layout.open(FIRST);
    this.isFitted = false;
    this.color('operation');
    this.refresh();
    if (this.box.clientWidth > 0) this.fit();
    else this.size.miss();
  }

  get hasGraph(): boolean {
    return this.model !== undefined;
  }

  /** Selects a node, shows it, and what it is in. */
  choose(node: number): void {
    if (!this.model || !this.layout) return;
    this.layout.reveal(node);
    this.selected = node;
    this.refresh();
    const place = this.layout.place(node);
    if (place) {
      const scale = Math.max(this.view.scale, 0.6);
      this.view = { scale, x: this.box.clientWidth / 2 - (place.x + place.width / 2) * scale, y: this.box.clientHeight / 2 - (place.y + Math.min(place.height, 200) / 2) * scale };
    }
    this.draw();
  }

  /** Selects the operation on a line of the program's text: what a source view or a stepper follows. */
  chooseLine(line: number): void {
    const node = this.model?.atLine(line);
    if (node !== undefined && node !== this.selected) this.choose(node);
  }

  /** Selects the operation on the line that the page says for this view, if it does. */
  follow(): void {
    const line = Number(placeFor(PLACE, this)?.getAttribute('line') ?? 0);
    if (line > 0) this.chooseLine(line);
  }

  /** Expands a group, or collapses it. */
  toggle(node: number): void {
    if (!this.layout || !this.model?.isGroup(node)) return;
    const before = this.layout.place(node);
    this.layout.toggle(node);
    const after = this.layout.place(node);
    if (before && after) this.view = { ...this.view, x: this.view.x + (before.x - after.x) * this.view.scale, y: this.view.y + (before.y - after.y) * this.view.scale };
    this.refresh();
  }

  /** Where a node is drawn, in points of the canvas: for tests and for what is laid over it. */
  placeOf(node: number): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined {
    const place = this.layout?.place(node);
    const { x, y, scale } = this.view;
    return place && { x: place.x * scale + x, y: place.y * scale + y, width: place.width * scale, height: place.height * scale };
  }

  color(name: string): void {
    if (!this.model) return;
    this.select.value = name;
    this.colors = coloring(this.model, name);
    this.legend.replaceChildren(...this.colors.legend.map(({ color, text }) => {
      const swatch = make('i');
      swatch.style.background = rgb(color);
      const item = make('span');
      item.append(swatch, text);
      return item;
    }));
    this.draw();
  }

  fit(): void {
    if (!this.layout || this.box.clientWidth === 0) return;
    const { width, height } = this.layout.level(ROOT);
    const scale = clamp(Math.min((this.box.clientWidth - 32) / Math.max(width, 1), (this.box.clientHeight - 32) / Math.max(height, 1)), SCALES[0], 1);
    // A graph much higher than wide begins at its top, where it can be read.
    const readable = Math.max(scale, Math.min(0.6, (this.box.clientWidth - 32) / Math.max(width, 1)));
    this.view = { scale: readable, x: (this.box.clientWidth - width * readable) / 2, y: 16 };
    this.isFitted = true;
    this.draw();
  }

  private zoom(factor: number, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2): void {
    const scale = clamp(this.view.scale * factor, ...SCALES);
    const grown = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * grown, y: y - (y - this.view.y) * grown };
    this.draw();
  }

  private findNext(): void {
    const words = this.search.value.trim();
    const found = words ? this.model?.find(words, this.selected ?? -1) : undefined;
    if (found === undefined) this.details.textContent = words ? `nothing has "${words}" in it` : '';
    else this.choose(found);
  }

  private listen(): void {
    let grip: { readonly x: number; readonly y: number; moved: boolean } | undefined;
    this.canvas.addEventListener('pointerdown', (event) => {
      grip = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (!grip) return;
      const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
      grip.moved ||= Math.hypot(x - this.view.x, y - this.view.y) > 3;
      if (grip.moved) {
        this.view = { ...this.view, x, y };
        this.draw();
      }
    });
    this.canvas.addEventListener('pointerup', (event) => {
      const wasClick = grip && !grip.moved;
      grip = undefined;
      const node = wasClick ? this.at(event) : undefined;
      if (node !== undefined) this.pick(node);
    });
    this.canvas.addEventListener('dblclick', (event) => {
      const node = this.at(event);
      if (node !== undefined) this.toggle(node);
    });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { left, top } = this.canvas.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey || !event.shiftKey) this.zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    }, { passive: false });
  }

  /** Selects a node without moving the picture, and tells the page. */
  private pick(node: number): void {
    this.selected = node;
    this.mark();
    const line = this.model?.line(node);
    if (line) this.dispatchEvent(new CustomEvent(SELECT_EVENT, { detail: { line }, bubbles: true, composed: true }));
  }

  private at(event: MouseEvent): number | undefined {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { x, y, scale } = this.view;
    return this.hit(ROOT, (event.clientX - left - x) / scale, (event.clientY - top - y) / scale);
  }

  private hit(group: number, x: number, y: number): number | undefined {
    const layout = this.layout;
    if (!layout) return undefined;
    for (const [node, box] of layout.level(group).boxes) {
      if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) continue;
      const inner = layout.expanded.has(node) ? this.hit(node, x - box.x - layout.inset.x, y - box.y - layout.inset.y) : undefined;
      return inner ?? node;
    }
    return undefined;
  }

  // --- the picture ---

  private draw(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.paint();
    });
  }

  private paint(): void {
    const { model, layout } = this;
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    if (!model || !layout) return;
    if (width === 0) return this.size.miss();
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = this.canvas.getContext('2d')!;
    const style = getComputedStyle(this);
    const { x, y, scale } = this.view;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    this.paintLevel(context, layout.level(ROOT), 0, 0, [-x / scale, -y / scale, (width - x) / scale, (height - y) / scale], style.color);
    this.canvas.setAttribute('aria-label', `Graph of ${model.data.title}: ${model.childrenOf(ROOT).map((node) => nodeTexts(model, node).join(', ')).slice(0, 20).join('; ')}`);
  }

  private paintLevel(context: CanvasRenderingContext2D, level: Level, left: number, top: number, window: readonly [number, number, number, number], text: string): void {
    const layout = this.layout!;
    const isReadable = this.view.scale > 0.25;
    for (const [node, box] of level.boxes) {
      const [x, y] = [box.x + left, box.y + top];
      if (x > window[2] || y > window[3] || x + box.width < window[0] || y + box.height < window[1]) continue;
      this.paintNode(context, node, x, y, box.width, box.height, isReadable, text);
      if (layout.expanded.has(node)) this.paintLevel(context, layout.level(node), x + layout.inset.x, y + layout.inset.y, window, text);
    }
    context.lineWidth = 1;
    const style = getComputedStyle(this);
    const [font, paper] = [style.fontFamily, style.getPropertyValue('--paper')];
    for (const { points, types, text: words, at } of level.lines) {
      const [first, last] = [points[0], points.at(-1)];
      if (!first || !last) continue;
      const xs = points.map((point) => point.x + left);
      if (Math.min(...xs) > window[2] || Math.max(...xs) < window[0] || first.y + top > window[3] || last.y + top < window[1]) continue;
      context.strokeStyle = context.fillStyle = text;
      context.globalAlpha = 0.75;
      context.lineWidth = types.length > 1 ? 2 : 1;
      context.beginPath();
      points.forEach((point, number) => (number ? context.lineTo(point.x + left, point.y + top) : context.moveTo(point.x + left, point.y + top)));
      context.stroke();
      context.beginPath();
      context.moveTo(last.x + left, last.y + top);
      context.lineTo(last.x + left - 4, last.y + top - 7);
      context.lineTo(last.x + left + 4, last.y + top - 7);
      context.fill();
      context.globalAlpha = 1;
      if (this.view.scale > 0.55) {
        context.font = `10px ${font}`;
        context.textAlign = 'center';
        const wide = context.measureText(words).width + 4;
        context.fillStyle = paper;
        context.fillRect(at.x + left - wide / 2, at.y + top - 6, wide, 12);
        context.fillStyle = text;
        context.fillText(words, at.x + left, at.y + top);
        context.font = `12px ${font}`;
      }
    }
  }

  private paintNode(context: CanvasRenderingContext2D, node: number, x: number, y: number, width: number, height: number, isReadable: boolean, text: string): void {
    const [model, layout] = [this.model!, this.layout!];
    const isOpen = layout.expanded.has(node);
    const color: Color = this.colors!.colorOf(node);
    const special = model.special(node);
    context.fillStyle = rgb(color);
    context.globalAlpha = isOpen ? 0.14 : 1;
    context.beginPath();
    context.roundRect(x, y, width, height, model.isGroup(node) ? 4 : 8);
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = node === this.selected ? 4 : special ? 3 : 1;
    context.strokeStyle = node === this.selected ? getComputedStyle(this).getPropertyValue('--focus') : special ? NAN_EDGE : text;
    context.stroke();
    if (!isReadable) return;
    const [label, below] = nodeTexts(model, node);
    context.fillStyle = isOpen ? text : ink(color);
    context.textAlign = isOpen ? 'left' : 'center';
    if (isOpen) return void context.fillText(`▾ ${label}  ${below}${special ? `  ${special}` : ''}`, x + 8, y + HEADER / 2, width - 16);
    const mark = model.isGroup(node) ? '▸ ' : '';
    context.fillText(`${mark}${label}${special ? `  ${special}` : ''}`, x + width / 2, y + (below ? 12 : height / 2), width - 8);
    if (below) context.fillText(below.length > 40 ? `${below.slice(0, 39)}…` : below, x + width / 2, y + 26, width - 8);
  }

  // --- the tree and the details ---

  private refresh(): void {
    const { model, layout } = this;
    if (!model || !layout) return;
    const hadFocus = this.tree.contains(this.root.activeElement);
    const items: HTMLElement[] = [];
    const add = (group: number, depth: number) => {
      for (const node of model.childrenOf(group)) {
        items.push(this.itemOf(node, depth));
        if (layout.expanded.has(node)) add(node, depth + 1);
      }
    };
    add(ROOT, 0);
    this.placeItems(items);
    this.mark(hadFocus);
  }

  /** Gives the tree its items; those before and after a change stay in place, for the next click and for speed. */
  private placeItems(items: readonly HTMLElement[]): void {
    const there = [...this.tree.children];
    const first = items.findIndex((item, at) => item !== there[at]);
    const from = first < 0 ? items.length : first;
    let kept = 0;
    while (kept < Math.min(there.length, items.length) - from && there[there.length - 1 - kept] === items[items.length - 1 - kept]) kept++;
    for (const item of there.slice(from, there.length - kept)) item.remove();
    const added = document.createDocumentFragment();
    added.append(...items.slice(from, items.length - kept));
    this.tree.insertBefore(added, this.tree.children[from] ?? null);
  }

  /** Shows in the tree and below it what is selected. */
  private mark(hasFocus = this.tree.contains(this.root.activeElement)): void {
    for (const item of this.tree.querySelectorAll<HTMLElement>('[tabindex="0"], [aria-selected="true"]')) {
      item.tabIndex = -1;
      item.setAttribute('aria-selected', 'false');
    }
    const item = this.selected === undefined ? undefined : this.items.get(this.selected);
    const chosen = item?.isConnected ? item : undefined;
    const current = chosen ?? (this.tree.firstElementChild as HTMLElement | null);
    chosen?.setAttribute('aria-selected', 'true');
    if (current) current.tabIndex = 0;
    if (hasFocus) current?.focus();
    if (this.selected !== undefined && current) scrollTo(this.tree, current);
    this.describe();
    this.draw();
  }

  /** The item of a node, with its mark for open or closed. */
  private itemOf(node: number, depth: number): HTMLElement {
    const item = this.items.get(node) ?? this.makeItem(node, depth);
    const isOpen = String(this.layout!.expanded.has(node));
    if (!this.model!.isGroup(node) || item.getAttribute('aria-expanded') === isOpen) return item;
    item.setAttribute('aria-expanded', isOpen);
    item.firstChild!.textContent = isOpen === 'true' ? '▾ ' : '▸ ';
    return item;
  }

  private makeItem(node: number, depth: number): HTMLElement {
    const model = this.model!;
    const isGroup = model.isGroup(node);
    const [label, below] = nodeTexts(model, node);
    const [name, special] = [model.text(node, 'name'), model.special(node)];
    const item = make('div');
    item.append(isGroup ? '' : '   ', `${label}  ${isGroup ? below : label === name ? '' : name}${special ? `  ${special}` : ''}`);
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', String(depth + 1));
    item.setAttribute('aria-selected', 'false');
    item.tabIndex = -1;
    item.style.paddingLeft = `${8 + 12 * depth}px`;
    item.dataset['node'] = String(node);
    item.addEventListener('click', () => this.chooseItem(node));
    item.addEventListener('dblclick', () => this.toggle(node));
    this.items.set(node, item);
    return item;
  }

  private chooseItem(node: number): void {
    this.choose(node);
    this.pick(node);
  }

  private onTreeKey(event: KeyboardEvent): void {
    const items = [...this.tree.children] as HTMLElement[];
    const at = items.indexOf(this.root.activeElement as HTMLElement);
    const node = Number(items[at]?.dataset['node']);
    if (at < 0 || !this.layout || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = (index: number) => {
      const next = items[clamp(index, 0, items.length - 1)];
      items[at]!.tabIndex = -1;
      if (next) next.tabIndex = 0;
      next?.focus();
    };
    const isOpen = this.layout.expanded.has(node);
    const turn = () => {
      this.selected = node;
      this.toggle(node);
    };
    const acts: Record<string, (() => void) | undefined> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(items.length - 1),
      ArrowRight: () => (isOpen || !this.model!.isGroup(node) ? move(at + 1) : turn()),
      ArrowLeft: () => (isOpen ? turn() : move(items.findIndex((item) => Number(item.dataset['node']) === this.model!.parents[node]))),
      Enter: () => this.chooseItem(node),
      ' ': () => this.chooseItem(node),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private describe(): void {
    const { model, selected } = this;
    if (!model || selected === undefined) return void (this.details.textContent = 'Click selects, double click expands; drag moves, the wheel zooms. In the tree, arrows move and expand.');
    const facts: (readonly [string, string])[] = [
      ['', [...model.ancestors(selected), selected].map((node) => model.text(node, 'label')).join(' › ')],
      ['line', model.line(selected) ? String(model.line(selected)) : ''],
      ['value', model.text(selected, 'value')],
      ['sharding', model.text(selected, 'sharding')],
      ...model.measures.map((name) => [name, model.measure(name, selected) ? model.measure(name, selected).toLocaleString('en') : ''] as const),
    ];
    const line = make('div', '', facts.filter(([, text]) => text).map(([name, text]) => (name ? `${name} ${text}` : text)).join('; '));
    const parts: HTMLElement[] = [line];
    if (model.text(selected, 'text')) parts.push(make('pre', '', model.text(selected, 'text')));
    for (const [direction, word] of [['from', 'from '], ['to', 'used by ']] as const) {
      const found = model.isGroup(selected) && model.text(selected, 'kind') !== 'op' ? [] : model.neighbours(selected, direction);
      if (!found.length) continue;
      const row = make('div', '', word);
      row.append(...found.slice(0, 24).map(({ node, type }) => button(`${model.text(node, 'name') || model.text(node, 'label')}: ${shortType(type)}`, `select ${model.text(node, 'label')} ${model.text(node, 'name')}`, () => this.choose(node))));
      if (found.length > 24) row.append(` and ${found.length - 24} more`);
      parts.push(row);
    }
    this.details.replaceChildren(...parts);
  }
}

/** Scrolls a box, and nothing around it, until an item of it is in view. */
function scrollTo(box: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
