// The processes of a debug session on their mesh: a cell each, with its state, where it is, for whom it waits; arrows
// for who waits for whom where there are few. A click selects the process; so do arrows and Enter.

import type { Cell, Grid } from './debug_messages';
import { button, make } from './elements';
import { SizeObserver } from './sizes';

const SIGNS: Readonly<Record<string, string>> = { ready: '●', waiting: '○', done: '✓', failed: '✗' };
/** Up to so many processes arrows show who waits for whom, up to so many from each. */
const ARROWS = { processes: 64, each: 4 } as const;
const NARROWEST = 128;
const SVG = 'http://www.w3.org/2000/svg';

/** A row of cells with what it is called, and the heading of the table that it begins. */
export interface Row {
  readonly heading: string;
  readonly label: string;
  readonly cells: readonly Cell[];
}

/** The axes along which there is more than one process, one at least, with the places of each process on them. */
export function shownAxes({ axes, cells }: Pick<Grid, 'axes' | 'cells'>): Pick<Grid, 'axes' | 'cells'> {
  const long = axes.map(({ size }, axis) => (size > 1 ? axis : -1)).filter((axis) => axis >= 0);
  const kept = long.length ? long : [axes.length - 1];
  return { axes: kept.map((axis) => axes[axis]!), cells: cells.map((cell) => ({ ...cell, coordinates: kept.map((axis) => cell.coordinates[axis]!) })) };
}

/** The cells in rows: the last axis goes across, the one before it down, each place on the others is a table. Long rows are cut in powers of two. */
export function rowsOf({ axes, cells }: Pick<Grid, 'axes' | 'cells'>, fitting: number): Row[] {
  const across = axes.at(-1)?.size ?? 1;
  const most = across <= fitting ? across : 2 ** Math.floor(Math.log2(Math.max(fitting, 1)));
  const rows: Row[] = [];
  let heading = '';
  let open: { key: string; cells: Cell[] } | undefined;
  for (const cell of cells) {
    const [outer, own] = [cell.coordinates.slice(0, -2), cell.coordinates.slice(0, -1)];
    const key = own.join();
    if (!open || open.key !== key || open.cells.length >= most) {
      const named = (places: readonly number[], from: number) => places.map((place, at) => `${axes[from + at]?.name ?? ''} ${place}`).join(', ');
      const title = named(outer, 0);
      const last = cell.coordinates.at(-1) ?? 0;
      const part = across > most ? `${axes.at(-1)!.name} from ${last}` : '';
      open = { key, cells: [] };
      rows.push({ heading: title === heading ? '' : title, label: [named(own.slice(-1), axes.length - 2), part].filter(Boolean).join(', '), cells: open.cells });
      heading = title;
    }
    open.cells.push(cell);
  }
  return rows;
}

/** All that is known of a cell, as its title. */
export function cellText(cell: Cell): string {
  const marks = [cell.isGuilty ? 'to blame' : '', cell.isNotThere ? 'not there yet' : '', cell.isInCycle ? 'in the cycle' : ''];
  const where = cell.operation ? `${cell.operation}${cell.line === null ? '' : ` on line ${cell.line}`}` : '';
  return [`process ${cell.label}`, cell.status, where, cell.awaited && `waits for ${cell.awaited}`, ...marks].filter(Boolean).join(', ');
}

export class GridView {
  readonly element = make('section', 'grid');
  private readonly lines = make('div', 'lines');
  private readonly pages = make('div', 'bar');
  private readonly box = make('div', 'box');
  private readonly arrows = document.createElementNS(SVG, 'svg');
  private readonly size = new SizeObserver(this.element, () => {
    if (!this.grid) return;
    if (this.howManyFit() !== this.fitting) this.show(this.grid);
    else this.draw(this.grid);
  });
  private readonly buttons = new Map<number, HTMLElement>();
  private rows: HTMLElement[][] = [];
  private grid: Grid | undefined;
  private fitting = 0;

  constructor(
    private readonly select: (process: number) => void,
    private readonly part: (start: number) => void,
  ) {
    this.lines.setAttribute('role', 'status');
    this.arrows.setAttribute('aria-hidden', 'true');
    this.element.append(this.lines, this.pages, this.box);
    this.box.addEventListener('keydown', (event) => this.onKey(event));
  }

  show(grid: Grid): void {
    this.grid = grid;
    const focused = this.box.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['process'] : undefined;
    this.lines.replaceChildren(...grid.lines.map((line, at) => make('p', at ? '' : 'wrong', line)));
    this.showPages(grid);
    this.fitting = this.howManyFit();
    this.buttons.clear();
    this.rows = [];
    const table = make('table');
    const { axes, cells: placed } = shownAxes(grid);
    const across = axes.at(-1)!;
    for (const { heading, label, cells } of rowsOf({ axes, cells: placed }, this.fitting)) {
      if (heading) {
        const title = Object.assign(make('th', 'heading', heading), { colSpan: Math.min(across.size, this.fitting) + 1, scope: 'colgroup' });
        table.append(rowWith(title));
      }
      if ((heading || !this.rows.length) && across.size <= this.fitting) {
        const names = cells.map((cell) => Object.assign(make('th', '', `${across.name} ${cell.coordinates.at(-1)}`), { scope: 'col' }));
        table.append(rowWith(make('td'), ...names));
      }
      const line = cells.map((cell) => this.makeCell(cell, grid));
      this.rows.push(line);
      const places = line.map((each) => {
        const place = make('td');
        place.append(each);
        return place;
      });
      table.append(rowWith(Object.assign(make('th', '', label), { scope: 'row' }), ...places));
    }
    this.box.replaceChildren(table, this.arrows);
    const current = this.buttons.get(Number(focused ?? grid.selected)) ?? this.rows[0]?.[0];
    if (current) current.tabIndex = 0;
    if (focused !== undefined) current?.focus();
    this.draw(grid);
  }

  private showPages({ start, cells, total }: Grid): void {
    this.pages.hidden = cells.length >= total;
    const [size, end] = [Math.max(cells.length, 1), start + cells.length];
    const parts = [make('span', '', `processes ${start.toLocaleString('en')} to ${(end - 1).toLocaleString('en')} of ${total.toLocaleString('en')}`)];
    if (start > 0) parts.unshift(button('before', 'show the processes before', () => this.part(Math.max(0, start - size))));
    if (end < total) parts.push(button('next', 'show the next processes', () => this.part(end)));
    this.pages.replaceChildren(...parts);
  }

  private makeCell(cell: Cell, grid: Grid): HTMLElement {
    const marks = { selected: cell.process === grid.selected, guilty: cell.isGuilty, cycle: cell.isInCycle, absent: cell.isNotThere };
    const made = Object.assign(make('button', ['cell', cell.status, ...Object.entries(marks).flatMap(([name, is]) => (is ? [name] : []))].join(' ')), { type: 'button', tabIndex: -1 });
    made.dataset['process'] = String(cell.process);
    made.setAttribute('aria-pressed', String(marks.selected));
    made.title = cellText(cell);
    const place = cell.operation ? `${cell.operation}${cell.line === null ? '' : `:${cell.line}`}` : `${cell.steps.toLocaleString('en')} steps`;
    const blame = cell.isGuilty ? 'to blame' : cell.isNotThere ? 'not there yet' : '';
    const [name, sign] = [make('strong'), make('span', '', SIGNS[cell.status] ?? '')];
    sign.setAttribute('aria-hidden', 'true'); // the title says the state
    name.append(sign, ` ${cell.label}`);
    made.append(name, make('code', '', place));
    made.append(make('span', blame ? 'blame' : '', blame || (cell.awaited ? `waits for ${cell.awaited}` : cell.status)));
    made.addEventListener('click', () => this.select(cell.process));
    for (const event of ['focus', 'mouseenter']) made.addEventListener(event, () => this.mark(cell));
    made.addEventListener('mouseleave', () => this.mark());
    this.buttons.set(cell.process, made);
    return made;
  }

  /** Marks those that a process waits for. */
  private mark(cell?: Cell): void {
    for (const [process, each] of this.buttons) each.classList.toggle('awaited', cell?.waitsFor.includes(process) ?? false);
  }

  /** Draws the arrows of the cycle and, where nothing is wrong, all. */
  private draw(grid: Grid): void {
    this.arrows.replaceChildren();
    if (this.element.clientWidth === 0) return this.size.miss();
    if (grid.total > ARROWS.processes) return;
    const outer = this.box.getBoundingClientRect();
    const box = new DOMRect(outer.left - this.box.scrollLeft, outer.top - this.box.scrollTop);
    this.arrows.setAttribute('width', String(this.box.scrollWidth));
    this.arrows.setAttribute('height', String(this.box.scrollHeight));
    const cycle = new Set((grid.cycle ?? []).map((process, at, all) => `${process} ${all[(at + 1) % all.length]}`));
    for (const { process, waitsFor } of grid.cells)
      for (const other of waitsFor.slice(0, ARROWS.each)) {
        const [from, to] = [process, other].map((each) => this.buttons.get(each)?.getBoundingClientRect());
        const isInCycle = cycle.has(`${process} ${other}`);
        if (from && to && process !== other && (isInCycle || cycle.size === 0)) this.arrows.append(...arrow(from, to, box, isInCycle));
      }
  }

  private howManyFit(): number {
    return Math.max(1, Math.floor((this.element.clientWidth - 90) / NARROWEST));
  }

  private onKey(event: KeyboardEvent): void {
    const row = this.rows.findIndex((line) => line.includes(document.activeElement as HTMLElement));
    const column = this.rows[row]?.indexOf(document.activeElement as HTMLElement) ?? -1;
    const moves: Record<string, readonly [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = moves[event.key];
    if (!move || row < 0) return;
    event.preventDefault();
    const line = this.rows[Math.max(0, Math.min(row + move[0], this.rows.length - 1))]!;
    const next = line[Math.max(0, Math.min(column + move[1], line.length - 1))]!;
    (document.activeElement as HTMLElement).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

function rowWith(...cells: readonly HTMLElement[]): HTMLElement {
  const row = make('tr');
  row.append(...cells);
  return row;
}

/** An arrow from one cell to another: over those between them in a row, under them backwards, beside them in a column. */
function arrow(from: DOMRect, to: DOMRect, box: DOMRect, isInCycle: boolean): SVGElement[] {
  const [dx, dy] = [Math.sign(to.left - from.left), Math.sign(to.top - from.top)];
  const [along, lift] = [0.15, 20];
  type Point = readonly [number, number];
  const middle = ({ left, top, width, height }: DOMRect, sideways: number, down: number): Point => [left + width * (0.5 + sideways) - box.left, top + height * (0.5 + down) - box.top];
  let points: readonly [Point, Point, Point, Point];
  let out: Point;
  if (dy === 0) {
    const side = dx > 0 ? -0.5 : 0.5;
    const [start, end] = [middle(from, along * dx, side), middle(to, -along * dx, side)];
    out = [0, Math.sign(side)];
    points = [start, [start[0], start[1] + lift * out[1]], [end[0], end[1] + lift * out[1]], end];
  } else if (dx === 0) {
    const side = dy > 0 ? 0.5 : -0.5;
    const [start, end] = [middle(from, side, along * dy), middle(to, side, -along * dy)];
    out = [Math.sign(side), 0];
    points = [start, [start[0] + lift * out[0], start[1]], [end[0] + lift * out[0], end[1]], end];
  } else {
    const [start, end] = [middle(from, along * dx, 0.5 * dy), middle(to, -along * dx, -0.5 * dy)];
    out = [0, -dy];
    points = [start, [start[0], start[1] + lift * dy], [end[0], end[1] - lift * dy], end];
  }
  const text = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [start, first, second, end] = points;
  const side: Point = [Math.abs(out[1]) * 4, Math.abs(out[0]) * 4];
  const base: Point = [end[0] + out[0] * 8, end[1] + out[1] * 8];
  const line = document.createElementNS(SVG, 'path');
  const head = document.createElementNS(SVG, 'path');
  line.setAttribute('d', `M${text(start)} C${text(first)} ${text(second)} ${text(end)}`);
  head.setAttribute('d', `M${text(end)} L${text([base[0] + side[0], base[1] + side[1]])} L${text([base[0] - side[0], base[1] - side[1]])} Z`);
  line.setAttribute('class', isInCycle ? 'line cycle' : 'line');
  head.setAttribute('class', isInCycle ? 'head cycle' : 'head');
  return [line, head];
}
