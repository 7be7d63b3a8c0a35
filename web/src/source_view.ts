// The element <shlo-source-view>: a program's whole text, of which only the lines in view are drawn. The margin sets and
// clears breakpoints; the line of a stepper is marked and kept in view; beside each line is the line of Python that it
// came from. Arrows, PageUp, PageDown, Home and End move a cursor, `b` sets and clears a breakpoint at it, and the
// debugger's keys are told to the page, as all that is asked for here is.

import { tokenAt } from '../../shlo_kernel/labextension/src/tokens';
import { keepKeys, make, sheetsOf } from './elements';
import { fillEmbedded } from './packing';
import { placeFor } from './places';
import { SizeObserver } from './sizes';
import css from './source.css';
import { drawnLines, placeIn, scrolledTo, type SourceData, type SourcePlace } from './source_model';
import base from './style.css';

/** Says what is asked for at a line: `detail.words`, such as `break 12` and `key n 12`. */
export const ASK_EVENT = 'shlo-ask';
/** The element of a page that says where the stepper of a view is (source_index.ts). */
export const PLACE = 'shlo-source-place';
/** The height of a line. */
const ROW = 18;
/** How many lines are drawn above and below those in view. */
const AROUND = 12;
/** How far the cursor goes: a number of lines, or as many as are in view, or all. */
const MOVES: Readonly<Record<string, readonly [direction: 1 | -1, unit: 'line' | 'page' | 'all']>> = { ArrowUp: [-1, 'line'], ArrowDown: [1, 'line'], PageUp: [-1, 'page'], PageDown: [1, 'page'], Home: [-1, 'all'], End: [1, 'all'] };
const NOWHERE: SourcePlace = { at: '', here: 0, isDone: false, breakpoints: new Set(), chosen: 0 };

export class SourceView extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly box = make('div', 'box');
  private readonly rows = make('div', 'rows');
  private readonly spoken = make('div', 'spoken');
  private readonly size = new SizeObserver(this.box, () => this.appear());
  private data: SourceData | undefined;
  private place = NOWHERE;
  private cursor = 0;
  /** The line that is to be in view as soon as there is a height. */
  private wanted = 0;

  constructor() {
    super();
    this.root.adoptedStyleSheets = sheetsOf(base, css);
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'region');
    this.spoken.setAttribute('aria-live', 'polite');
    this.box.append(this.rows);
    this.box.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('keydown', (event) => this.onKey(event));
    this.rows.addEventListener('mousedown', (event) => this.onPress(event));
    this.rows.addEventListener('click', (event) => this.onClick(event));
    this.root.append(this.box, this.spoken);
  }

  connectedCallback(): void {
    keepKeys(this);
    this.showEmbedded();
  }

  /** Shows the text that the page has inside of the element, once that is there. */
  showEmbedded(): void {
    fillEmbedded(this, (data) => this.show(data as SourceData), (reason) => (this.spoken.textContent = `the source cannot be read: ${reason}`));
  }

  show(data: SourceData): void {
    this.data = data;
    this.box.classList.add('shlo-source');
    this.box.setAttribute('aria-label', `${data.file ?? 'source of the program'}; arrows move, b sets and clears a breakpoint`);
    this.box.title = Object.entries(data.keys).map(([key, what]) => `${key}: ${what}`).join('\n');
    this.rows.style.height = `${data.lines.length * ROW}px`;
    this.box.style.height = `${Math.min(data.lines.length, data.file === undefined ? 20 : 12) * ROW + 10}px`;
    this.follow();
  }

  /** Goes to the place that the page says for this view, and takes what the page shows instead of a view away. */
  follow(): void {
    const element = placeFor(PLACE, this);
    if (!element || !this.data) return;
    element.replaceChildren();
    this.goTo(placeIn(element));
  }

  /** Shows a place, and its line where the stepper moved. */
  goTo(place: SourcePlace): void {
    const { at } = this.place;
    this.place = place;
    if (this.place.at === at) {
      this.draw();
      return;
    }
    this.cursor = this.place.chosen || this.place.here || 1;
    this.reveal(this.cursor);
  }

  /** Marks a line as chosen, and shows it. */
  markLine(line: number): void {
    this.goTo({ ...this.place, at: `${this.place.at} ${line}`, chosen: line });
  }

  private reveal(line: number): void {
    this.wanted = line;
    if (this.box.clientHeight === 0) this.size.miss();
    else this.appear();
  }

  /** Draws what is in view, which now has a height, and the line that is wanted. */
  private appear(): void {
    const height = this.box.clientHeight;
    if (height === 0) return;
    if (this.wanted) this.box.scrollTop = scrolledTo(this.wanted, this.box.scrollTop, height, ROW);
    this.wanted = 0;
    this.draw();
  }

  private draw(): void {
    const { data, place } = this;
    if (!data || this.box.clientHeight === 0) return;
    const [first, end] = drawnLines(data.lines.length, this.box.scrollTop, this.box.clientHeight, ROW, AROUND);
    this.rows.replaceChildren(...Array.from({ length: end - first }, (_, at) => this.row(data, place, first + at + 1)));
  }

  private row(data: SourceData, place: SourcePlace, line: number): HTMLElement {
    const isHere = line === place.here && !place.isDone;
    const row = make('div', ['row', isHere ? 'shlo-here' : '', line === place.chosen && !isHere ? 'shlo-chosen' : '', line === this.cursor ? 'cursor' : ''].filter(Boolean).join(' '));
    row.style.top = `${(line - 1) * ROW}px`;
    row.dataset['line'] = `${line}`;
    const hasBreakpoint = place.breakpoints.has(line);
    const label = data.labels?.[line - 1] ?? `${line}`;
    const margin = make('button', 'margin', hasBreakpoint ? '●' : '');
    margin.type = 'button';
    margin.tabIndex = -1;
    margin.setAttribute('aria-pressed', `${hasBreakpoint}`);
    margin.setAttribute('aria-label', `breakpoint at line ${label}`);
    const code = make('code');
    const text = data.lines[line - 1] ?? '';
    code.append(...(data.file === undefined ? words(text) : [text]));
    row.append(margin, make('span', 'line', label), make('span', 'mark', isHere ? '▶' : ''), code);
    const origin = data.origins?.[line - 1];
    if (origin) row.append(make('span', 'origin', origin));
    return row;
  }

  /** Keeps the keyboard's focus where the keys are: the button that is pressed is soon another one. */
  private onPress(event: MouseEvent): void {
    if (!(event.target as HTMLElement).closest('.margin')) return;
    event.preventDefault();
    this.box.focus({ preventScroll: true });
  }

  private onClick(event: MouseEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>('.row');
    const line = Number(row?.dataset['line'] ?? 0);
    if (!line || !getSelection()?.isCollapsed) return; // a text is being selected
    this.cursor = line;
    if ((event.target as HTMLElement).closest('.margin')) this.ask(`break ${line}`);
    else this.draw();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.data) return;
    const move = MOVES[event.key];
    if (move) this.move(...move);
    else if (event.key === 'b') this.ask(`break ${this.cursor}`);
    else if (event.key in this.data.keys) this.ask(`key ${event.key} ${this.cursor}`);
    else return;
    event.preventDefault();
  }

  private move(direction: 1 | -1, unit: 'line' | 'page' | 'all'): void {
    const count = this.data?.lines.length ?? 0;
    const length = { line: 1, page: Math.max(Math.floor(this.box.clientHeight / ROW) - 2, 1), all: count }[unit];
    this.cursor = Math.max(1, Math.min(this.cursor + direction * length, count));
    this.spoken.textContent = `${this.data?.labels?.[this.cursor - 1] ?? this.cursor}: ${this.data?.lines[this.cursor - 1] ?? ''}`;
    this.reveal(this.cursor);
  }

  private ask(words: string): void {
    this.dispatchEvent(new CustomEvent(ASK_EVENT, { detail: { words }, bubbles: true, composed: true }));
  }
}

/** The words of a line in their colours. */
function words(line: string): Node[] {
  const nodes: Node[] = [];
  for (let start = 0; start < line.length; ) {
    const { end, colour } = tokenAt(line, start);
    const text = line.slice(start, end);
    nodes.push(colour === null ? document.createTextNode(text) : make('span', colour.replaceAll('.', ' '), text));
    start = end;
  }
  return nodes;
}
