// The element <shlo-tensor-view>: a heat map of one plane of a tensor, sliders for the other axes, numbers.
//
// It is given a shape and a function that answers for planes, which a page without a server has as well
// (pooling.ts). Text is set as text, styles by objects: it needs no inline script and no inline style.

import { button, keepKeys, make, sheetsOf } from './elements';
import { embeddedPlanes, type Embedded, type EmbeddedTensor } from './embedded';
import { bestScale, colorOf, ink, MARK_COLORS, PALETTES, rgb, scaleOf, SCALES, type Color, type Scale, type ScaleName } from './colormap';
import { cellOf, covered, elementAt, isWhole, MARK, numberText, placeText, valueText, type Plane, type Slice, type Statistics } from './plane';
import { fillEmbedded } from './packing';
import { channelAxis, firstView, fixedAxes, imageView, keyed, movedTo, sliceOf, slidTo, ticks, viewWindow, withAxes, zoomed, type ViewState } from './state';
import { SizeObserver } from './sizes';
import css from './style.css';

export interface TensorDescription {
  readonly name: string;
  /** The type in words, such as `tensor<3x4xf32>`. */
  readonly type: string;
  readonly shape: readonly number[];
  /** The element type as NumPy calls it; that of bytes lets a tensor be an image. */
  readonly dtype?: string;
}

/** Says which element of the first tensor of a view is chosen: `detail.index`. */
export const ELEMENT_EVENT = 'shlo-element';

export type Planes = (slice: Slice) => Promise<Plane>;

/** What views of one name showed last: the next one of that name begins there. */
const remembered = new Map<string, { readonly state: ViewState; readonly scale: ScaleName | undefined }>();

/** A part of at most so many rows and columns is a table of numbers. */
const TABLE = { rows: 16, columns: 10 } as const;
const MARGIN = { left: 52, top: 20 } as const;
const LARGEST_CELL = 24;
const HIGHEST = 440;
const WIDEST = 720;
const KEYS = 'Arrows move, [ and ] change the slice, + and - zoom, 0 shows all, t transposes.';
/** What a view of a stepper can, too. */
const ASKS = ' A click on an element, and Enter, ask where it comes from.';

export class TensorView extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly choices = make('div', 'choices');
  private readonly heading = make('p', 'title');
  private readonly line = make('p', 'statistics');
  private readonly controls = make('div', 'controls');
  private readonly place = make('p', 'place');
  private readonly error = make('p', 'error');
  private readonly legend = make('div', 'legend');
  private readonly figure = make('div', 'plane');
  private readonly canvas = make('canvas');
  private readonly table = make('table');
  private readonly histogram = make('canvas');
  private readonly keys = make('p', 'keys', KEYS);
  private readonly size = new SizeObserver(this, () => {
    if (this.clientWidth !== this.width) this.ask();
  });
  private readonly sliders = new Map<number, { readonly input: HTMLInputElement; readonly shown: HTMLElement }>();
  private description: TensorDescription | undefined;
  private planes: Planes | undefined;
  private state: ViewState = firstView([]);
  private plane: Plane | undefined;
  /** What was in view when the plane was answered. */
  private answered: ViewState | undefined;
  /** Red, green and blue, where the tensor is shown as an image. */
  private channels: readonly Plane[] | undefined;
  private isImage = false;
  private memory: string | null = null;
  private scaleName: ScaleName | undefined;
  /** How wide the element was when a plane was asked for. */
  private width = 0;
  private asked = 0;
  private isAsking = false;
  private asksAgain = false;

  constructor() {
    super();
    this.root.adoptedStyleSheets = sheetsOf(css);
    this.place.setAttribute('aria-live', 'polite');
    this.error.setAttribute('role', 'alert');
    this.histogram.setAttribute('role', 'img');
    Object.assign(this.figure, { tabIndex: 0 });
    this.figure.setAttribute('role', 'group');
    this.figure.append(this.canvas, this.table);
    this.canvas.setAttribute('role', 'img');
    this.figure.addEventListener('keydown', (event) => this.onKey(event));
    this.canvas.addEventListener('mousemove', (event) => this.onHover(event));
    this.canvas.addEventListener('mouseleave', () => this.showPlace());
    this.canvas.addEventListener('click', (event) => this.onClick(event));
    this.canvas.addEventListener('dblclick', () => this.become(zoomed(this.state, 1 / 2)));
    this.choices.setAttribute('role', 'group');
    this.choices.setAttribute('aria-label', 'tensors');
    this.choices.hidden = true;
    this.root.append(this.choices, this.heading, this.line, this.controls, this.error, this.figure, this.place, this.legend, this.histogram, this.keys);
  }

  connectedCallback(): void {
    keepKeys(this);
    if (this.hasAttribute('view')) this.keys.textContent = KEYS + ASKS;
    this.showEmbedded();
  }

  /** Shows the data that the page has inside of the element, once that is there. */
  showEmbedded(): void {
    fillEmbedded(this, (data) => this.showAll(data as Embedded), (reason) => (this.error.textContent = `the data of this tensor cannot be read: ${reason}`));
  }

  private showAll({ tensors, view }: Embedded): void {
    this.memory = view;
    const show = (tensor: EmbeddedTensor) => this.show(tensor, embeddedPlanes(tensor, this));
    const buttons = tensors.map((tensor) => {
      const each = button(tensor.name, `show ${tensor.name}`, () => {
        for (const other of buttons) other.setAttribute('aria-pressed', String(other === each));
        show(tensor);
      });
      return each;
    });
    this.choices.hidden = tensors.length < 2;
    this.choices.replaceChildren(...buttons);
    buttons[0]?.setAttribute('aria-pressed', 'true');
    if (tensors[0]) show(tensors[0]);
  }

  /** Shows a tensor, whose planes a function answers for. */
  show(description: TensorDescription, planes: Planes): void {
    const before = this.description?.shape.join() === description.shape.join() ? this.state : undefined;
    const known = this.memory === null ? undefined : remembered.get(this.memory);
    const kept = before ?? (known?.state.shape.join() === description.shape.join() ? known.state : undefined);
    this.description = description;
    this.planes = planes;
    this.plane = this.channels = this.answered = undefined;
    this.scaleName = kept === before ? undefined : known?.scale;
    this.heading.replaceChildren(description.name, ' ', make('code', '', description.type));
    if (kept !== before || !before) this.line.textContent = this.place.textContent = ''; // else they stay until the next plane is there
    this.error.textContent = '';
    this.isImage = channelAxis(description.shape) !== null && description.dtype === 'uint8';
    this.state = kept ?? (this.isImage ? imageView(description.shape) : firstView(description.shape));
    if (this.isImage && this.state.columns === channelAxis(description.shape)) this.isImage = false;
    this.makeControls();
    this.asked++;
    this.isAsking = false;
    this.ask();
  }

  /** Draws again, in the colours of another theme. */
  redraw(): void {
    if (!this.plane) return;
    this.draw();
    drawHistogram(this.histogram, this.plane.statistics, getComputedStyle(this));
  }

  /** What of the tensor is in view, so that a page can show it again. */
  get view(): ViewState {
    return this.state;
  }

  private become(state: ViewState): void {
    const isOther = state.at !== this.state.at || state.window !== this.state.window || state.rows !== this.state.rows || state.columns !== this.state.columns;
    const axes = state.rows !== this.state.rows || state.columns !== this.state.columns;
    this.state = state;
    if (this.memory !== null) remembered.set(this.memory, { state, scale: this.scaleName });
    if (axes) this.makeControls();
    for (const [axis, { input, shown }] of this.sliders) input.value = shown.textContent = String(state.at[axis]);
    if (isOther) this.ask();
    else this.draw();
  }

  /** Asks for what is in view: one question at a time, then the newest. */
  private ask(): void {
    if (!this.planes || !this.description) return;
    if (this.clientWidth === 0) {
      this.width = 0; // it is hidden: asks again when it is seen
      return this.size.miss();
    }
    if (this.isAsking) {
      this.asksAgain = true;
      return;
    }
    const number = ++this.asked;
    this.width = this.clientWidth;
    this.isAsking = true;
    this.asksAgain = false;
    const width = Math.max(32, Math.min(this.clientWidth - MARGIN.left - 8, WIDEST));
    const done = () => {
      if (number !== this.asked) return false;
      this.isAsking = false;
      if (this.asksAgain) this.ask();
      return true;
    };
    const asked = this.state;
    const slice = sliceOf(asked, HIGHEST, Math.min(width, 512));
    const channel = this.isImage ? channelAxis(this.state.shape) : null;
    const places = channel === null ? [slice.at] : [0, 1, 2].map((color) => this.state.at.map((at, axis) => (axis === channel ? color : at)));
    Promise.all(places.map((at) => this.planes!({ ...slice, at }))).then(
      (planes) => {
        if (number === this.asked) this.receive(planes, asked);
        done();
      },
      (error: unknown) => {
        const isOld = this.asksAgain;
        if (!done() || isOld) return;
        if (this.answered) this.comeBack(this.answered);
        this.error.textContent = error instanceof Error ? error.message : String(error);
      },
    );
  }

  /** Shows a state again whose planes are there: picture and controls agree, whatever was asked for. */
  private comeBack(state: ViewState): void {
    this.state = state;
    if (this.memory !== null) remembered.set(this.memory, { state, scale: this.scaleName });
    this.makeControls();
    this.draw();
  }

  private receive(planes: readonly Plane[], state: ViewState): void {
    const isFirst = this.plane === undefined;
    const plane = planes[0]!;
    this.plane = plane;
    this.answered = state;
    this.channels = planes.length === 3 ? planes : undefined;
    this.error.textContent = '';
    this.line.textContent = plane.statistics.line;
    if (this.scaleName === undefined) {
      this.scaleName = bestScale(plane.statistics);
      this.makeControls();
    }
    if (isFirst) drawHistogram(this.histogram, plane.statistics, getComputedStyle(this));
    this.draw();
  }

  private makeControls(): void {
    const channel = channelAxis(this.state.shape);
    const fixed = fixedAxes(this.state).filter((axis) => !this.isImage || axis !== channel);
    this.sliders.clear();
    this.controls.replaceChildren();
    for (const axis of fixed) {
      const size = this.state.shape[axis]!;
      const input = Object.assign(make('input'), { type: 'range', min: '0', max: String(Math.max(size - 1, 0)), step: '1' });
      const shown = make('span');
      input.value = shown.textContent = String(this.state.at[axis]);
      input.addEventListener('input', () => this.become(slidTo(this.state, axis, Number(input.value))));
      const label = make('label');
      label.append(`axis ${axis}`, input, shown, ` of ${size}`);
      this.sliders.set(axis, { input, shown });
      this.controls.append(label);
    }
    if (!this.isImage && fixed.length > 0 && this.state.rows !== null) {
      const axes = this.state.shape.map((_, axis) => String(axis));
      const { rows, columns } = this.state;
      this.controls.append(
        chooser('rows', axes, String(rows), (axis) => this.become(withAxes(this.state, Number(axis), axis === String(columns) ? rows! : columns!))),
        chooser('columns', axes, String(columns), (axis) => this.become(withAxes(this.state, axis === String(rows) ? columns! : rows!, Number(axis)))),
      );
    }
    if (channel !== null) {
      const input = Object.assign(make('input'), { type: 'checkbox', checked: this.isImage });
      input.addEventListener('change', () => this.showAsImage(input.checked));
      const label = make('label');
      label.append(input, 'as image');
      this.controls.append(label);
    }
    if (!this.isImage)
      this.controls.append(
        chooser('scale', SCALES, this.scaleName ?? 'linear', (name) => {
          this.scaleName = name as ScaleName;
          if (this.memory !== null) remembered.set(this.memory, { state: this.state, scale: this.scaleName });
          this.draw();
        }),
      );
    this.controls.append(
      button('−', 'zoom out', () => this.become(zoomed(this.state, 2))),
      button('+', 'zoom in', () => this.become(zoomed(this.state, 1 / 2))),
      button('all', 'show all', () => this.become({ ...this.state, window: null })),
    );
  }

  /** Shows the last axis as red, green and blue, or as any other axis. */
  private showAsImage(isImage: boolean): void {
    this.isImage = isImage;
    this.become(isImage ? imageView(this.state.shape) : firstView(this.state.shape));
    this.makeControls();
    this.ask();
  }

  private draw(): void {
    const { plane, description } = this;
    if (!plane || !description) return;
    const scale = scaleOf(this.scaleName ?? 'linear', plane.statistics);
    const [rows, columns] = plane.cells;
    const isTable = !this.channels && isWhole(plane) && rows <= TABLE.rows && columns <= TABLE.columns;
    this.canvas.hidden = isTable;
    this.table.hidden = !isTable;
    if (isTable) this.drawTable(plane, scale);
    else this.drawCanvas(plane, scale);
    const words = `${description.name}: ${description.type}, ${rangeText(plane)}, ${plane.statistics.line}`;
    this.canvas.setAttribute('aria-label', `${this.channels ? 'Image' : 'Heat map'} of ${words}`);
    this.figure.setAttribute('aria-label', `${words}. ${this.keys.textContent}`);
    this.drawLegend(plane.statistics, scale);
    this.showPlace();
  }

  private drawTable(plane: Plane, scale: Scale): void {
    const [rows, columns] = plane.cells;
    const head = make('tr');
    head.append(make('td'), ...Array.from({ length: columns }, (_, column) => scoped('col', String(plane.window[1] + column))));
    head.firstElementChild!.replaceWith(make('th', '', '#'));
    const body = Array.from({ length: rows }, (_, row) => {
      const line = make('tr');
      line.append(scoped('row', String(plane.window[0] + row)));
      for (let column = 0; column < columns; column++) {
        const cell = row * columns + column;
        const color = colorOf(scale, plane.numbers[cell]!, plane.marks[cell]!);
        const element = make('td', '', shortened(valueText(plane, row, column)));
        element.style.background = rgb(color);
        element.style.color = ink(color);
        element.addEventListener('mousemove', () => this.showPlace([row, column]));
        element.addEventListener('mouseleave', () => this.showPlace());
        element.addEventListener('click', () => this.pick(plane, row, column));
        if (plane.window[0] + row === this.state.cursor[0] && plane.window[1] + column === this.state.cursor[1]) element.className = 'cursor';
        line.append(element);
      }
      return line;
    });
    this.table.replaceChildren(head, ...body);
  }

  private drawCanvas(plane: Plane, scale: Scale): void {
    const [rows, columns] = plane.cells;
    const style = getComputedStyle(this);
    const [width, height] = cellSize(plane, this.clientWidth);
    this.canvas.width = MARGIN.left + Math.max(columns * width, 1) + 24;
    this.canvas.height = MARGIN.top + Math.max(rows * height, 1) + 4;
    const context = this.canvas.getContext('2d')!;
    if (rows * columns > 0) {
      const picture = new OffscreenCanvas(columns, rows);
      const pixels = new ImageData(columns, rows);
      const { low, high } = plane.statistics;
      for (let cell = 0; cell < rows * columns; cell++) {
        const color = this.channels ? imageColor(this.channels, cell, low ?? 0, high ?? 1) : colorOf(scale, plane.numbers[cell]!, plane.marks[cell]!);
        pixels.data.set([...color, 255], 4 * cell);
      }
      picture.getContext('2d')!.putImageData(pixels, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, MARGIN.left, MARGIN.top, columns * width, rows * height);
    }
    context.strokeStyle = style.getPropertyValue('--line');
    context.strokeRect(MARGIN.left - 0.5, MARGIN.top - 0.5, columns * width + 1, rows * height + 1);
    context.fillStyle = style.color;
    context.font = `11px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    const [top, left, tall, wide] = plane.window;
    context.textAlign = 'center';
    for (const tick of ticks(left, wide, Math.max(1, Math.floor((columns * width) / 56)))) {
      const x = MARGIN.left + ((tick - left + 0.5) / wide) * columns * width;
      context.fillText(String(tick), x, 9);
      context.fillRect(Math.round(x), MARGIN.top - 4, 1, 3);
    }
    context.textAlign = 'right';
    for (const tick of ticks(top, tall, Math.max(1, Math.floor((rows * height) / 22)))) {
      const y = MARGIN.top + ((tick - top + 0.5) / tall) * rows * height;
      context.fillText(String(tick), MARGIN.left - 6, y);
      context.fillRect(MARGIN.left - 4, Math.round(y), 3, 1);
    }
    const [row, column] = [cellOf(plane, 0, this.state.cursor[0]), cellOf(plane, 1, this.state.cursor[1])];
    for (const [grow, color] of [[2, '#000'], [1, '#fff']] as const) {
      context.strokeStyle = color;
      context.strokeRect(MARGIN.left + column * width - grow + 0.5, MARGIN.top + row * height - grow + 0.5, width + 2 * grow - 1, height + 2 * grow - 1);
    }
  }

  private drawLegend(statistics: Statistics, scale: Scale): void {
    if (this.channels) return this.legend.replaceChildren();
    const ramp = make('i', 'ramp');
    const colors = PALETTES[scale.palette];
    ramp.style.background = `linear-gradient(to right, ${Array.from({ length: 9 }, (_, part) => rgb(colors[Math.min(part * 32, 255)]!)).join(', ')})`;
    const range = make('span');
    range.append(numberText(scale.low, 4), ramp, numberText(scale.high, 4));
    const marks = [[MARK.nan, 'NaN', statistics.nans], [MARK.positive, '+Inf', statistics.positive_infinities], [MARK.negative, '-Inf', statistics.negative_infinities]] as const;
    const shown = marks.filter(([, , count]) => count > 0).map(([mark, name, count]) => {
      const swatch = make('i');
      swatch.style.background = rgb(MARK_COLORS[mark]!);
      const item = make('span');
      item.append(swatch, `${name} (${count})`);
      return item;
    });
    this.legend.replaceChildren(...(statistics.low === null ? [] : [range]), ...shown);
  }

  /** Says where the cursor is, or the mouse, and what is there. */
  private showPlace(cell?: readonly [number, number]): void {
    const { plane } = this;
    if (!plane || plane.cells.includes(0)) return void (this.place.textContent = plane ? 'no elements' : '');
    const [row, column] = cell ?? [cellOf(plane, 0, this.state.cursor[0]), cellOf(plane, 1, this.state.cursor[1])];
    if (this.channels) {
      const at = placeText({ ...plane, at: plane.at.map((each, axis) => (axis === channelAxis(plane.shape) ? ':' : each) as number) }, row, column);
      this.place.textContent = `${at} = (${this.channels.map((each) => valueText(each, row, column)).join(', ')})`;
      return;
    }
    this.place.textContent = `${placeText(plane, row, column)} ${isWhole(plane) ? '= ' : ''}${valueText(plane, row, column)}`;
  }

  private cellAt(event: MouseEvent): readonly [number, number] | undefined {
    const { plane } = this;
    if (!plane) return undefined;
    const box = this.canvas.getBoundingClientRect();
    const [width, height] = cellSize(plane, this.clientWidth);
    const row = Math.floor(((event.clientY - box.top) * (this.canvas.height / box.height) - MARGIN.top) / height);
    const column = Math.floor(((event.clientX - box.left) * (this.canvas.width / box.width) - MARGIN.left) / width);
    return row >= 0 && column >= 0 && row < plane.cells[0] && column < plane.cells[1] ? [row, column] : undefined;
  }

  private onHover(event: MouseEvent): void {
    this.showPlace(this.cellAt(event));
  }

  private onClick(event: MouseEvent): void {
    const cell = this.cellAt(event);
    if (cell && this.plane) this.pick(this.plane, ...cell);
  }

  /** Moves the cursor to a cell, and tells the page which element that is. */
  private pick(plane: Plane, row: number, column: number): void {
    this.become(movedTo(this.state, covered(plane, 0, row)[0], covered(plane, 1, column)[0]));
    this.tell(plane, row, column);
  }

  /** Tells the page which element a cell is; nothing of a cell that is many, or a colour. */
  private tell(plane: Plane, row: number, column: number): void {
    const index = elementAt(plane, row, column);
    if (index && !this.channels) this.dispatchEvent(new CustomEvent(ELEMENT_EVENT, { detail: { index }, bubbles: true, composed: true }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [, , height, width] = viewWindow(this.state);
    const [rows, columns] = this.plane?.cells ?? [1, 1];
    if (event.key === 'Enter' && this.plane && event.target === this.figure) {
      this.tell(this.plane, cellOf(this.plane, 0, this.state.cursor[0]), cellOf(this.plane, 1, this.state.cursor[1]));
      return;
    }
    const next = keyed(this.state, event.key, [Math.max(1, Math.ceil(height / Math.max(rows, 1))), Math.max(1, Math.ceil(width / Math.max(columns, 1)))]);
    if (next === undefined) return;
    event.preventDefault();
    this.become(next);
  }
}

/** The colour of a pixel: bytes as they are, other numbers from 0 to 1, or from the lowest to the highest. */
function imageColor(channels: readonly Plane[], cell: number, low: number, high: number): Color {
  const isBytes = channels[0]!.dtype === 'uint8';
  const [from, to] = isBytes ? [0, 255] : low >= 0 && high <= 1 ? [0, 1] : [low, high];
  const byte = (plane: Plane) => (plane.marks[cell] === MARK.number ? Math.round((255 * (plane.numbers[cell]! - from)) / (to - from || 1)) : NaN);
  const [red, green, blue] = channels.map(byte);
  const mark = channels.map((plane) => plane.marks[cell]!).find(Boolean);
  return mark ? MARK_COLORS[mark]! : [red!, green!, blue!];
}

/** The plane in words: which part of which cut is in view. */
function rangeText(plane: Plane): string {
  const [row, column, height, width] = plane.window;
  const parts = plane.at.map((at, axis) => (axis === plane.rows ? `${row}:${row + height}` : axis === plane.columns ? `${column}:${column + width}` : String(at)));
  return `[${parts.join(', ')}]`;
}

/** Width and height of a cell on the screen. */
function cellSize(plane: Plane, available: number): readonly [number, number] {
  const [rows, columns] = plane.cells;
  const widest = Math.max(32, Math.min(available - MARGIN.left - 32, WIDEST));
  const size = Math.min(LARGEST_CELL, Math.max(1, Math.min(Math.floor(widest / Math.max(columns, 1)), Math.floor(HIGHEST / Math.max(rows, 1)))));
  return [rows === 1 ? Math.max(1, Math.min(LARGEST_CELL, Math.floor(widest / Math.max(columns, 1)))) : size, rows === 1 ? LARGEST_CELL : size];
}

function drawHistogram(canvas: HTMLCanvasElement, { histogram, every = 1 }: Statistics, style: CSSStyleDeclaration): void {
  canvas.hidden = !histogram || histogram.counts.length < 2;
  if (!histogram || canvas.hidden) return;
  const { counts, edges } = histogram;
  const [from, to] = [numberText(edges[0]!, 4), numberText(edges.at(-1)!, 4)];
  const most = Math.max(...counts);
  const at = counts.indexOf(most);
  canvas.setAttribute('aria-label', `Histogram${every > 1 ? ` of one element in ${every}` : ''} from ${from} to ${to}: most elements, ${most}, between ${numberText(edges[at]!, 4)} and ${numberText(edges[at + 1]!, 4)}`);
  Object.assign(canvas, { width: 14 * counts.length, height: 64 });
  const context = canvas.getContext('2d')!;
  context.fillStyle = style.color;
  counts.forEach((count, bin) => {
    const height = count ? Math.max(2, Math.round((44 * count) / most)) : 0;
    context.fillRect(14 * bin, 46 - height, 12, height);
  });
  context.fillRect(0, 46, canvas.width, 1);
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = 'alphabetic';
  context.fillText(from, 0, 59);
  if (every > 1) {
    context.textAlign = 'center';
    context.fillText(`1 in ${every}`, canvas.width / 2, 59);
  }
  context.textAlign = 'right';
  context.fillText(to, canvas.width, 59);
}

function shortened(text: string): string {
  return text.length > 8 && !Number.isNaN(Number(text)) ? numberText(Number(text), 6) : text;
}

function scoped(scope: string, text: string): HTMLElement {
  return Object.assign(make('th', '', text), { scope });
}

function chooser(name: string, values: readonly string[], chosen: string, choose: (value: string) => void): HTMLElement {
  const select = make('select');
  select.append(...values.map((value) => Object.assign(make('option', '', value), { value, selected: value === chosen })));
  select.addEventListener('change', () => choose(select.value));
  const label = make('label');
  label.append(name, select);
  return label;
}
