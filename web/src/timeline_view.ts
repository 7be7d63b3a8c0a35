// The timeline of a debug session: how deep calls and regions were, where it is, where it stopped, breakpoints and
// rounds of the loop. A slider moves through the run, a click in the picture goes there.

import type { Timeline, TimelineScope } from './debug_messages';
import { button, make } from './elements';
import { SizeObserver } from './sizes';

const HEIGHT = 66;
/** Where bars end and marks begin. */
const BARS = 34;
/** How high the parts of the model are, which are between the two. */
const BAND = 18;

/** How far from the sides marks are at least, so that all of each is seen. */
const EDGE = 6;

/** What marks below the bars mean. */
const MARKS = [['point', 'breakpoint'], ['stop', 'stop'], ['round', 'round of the loop']] as const;

/** Which column a position is in, of so many. */
export function columnOf({ last, depths }: Timeline, position: number): number {
  return Math.min(Math.floor((position * depths.length) / (last + 1)), depths.length - 1);
}

/** The first position of a column. */
export function positionOf({ last, depths }: Timeline, column: number): number {
  return Math.max(0, Math.min(Math.ceil((column * (last + 1)) / depths.length), last));
}

/** The stop before a position, or the one behind it; nothing where there is none. */
export function neighbouringStop({ stops }: Timeline, position: number, direction: 1 | -1): number | undefined {
  return direction < 0 ? stops.filter((stop) => stop < position).at(-1) : stops.find((stop) => stop > position);
}

/** The part of the model in which a column is. */
function scopeAt({ scopes }: Timeline, column: number): string {
  const scope = scopes?.find(({ from, to }) => from <= column && column < to);
  return scope ? `${scope.name}${scope.isBackward ? ', backward' : ''}` : '';
}

export function positionText(timeline: Timeline, shown = timeline.position): string {
  const { position, last, isDone, round, process } = timeline;
  const all = `step ${shown.toLocaleString('en')} of ${last.toLocaleString('en')}${isDone && position === last ? ' (the end)' : isDone ? '' : ' so far'}`;
  return [all, round !== null && shown === position ? `round ${round}` : '', process ? `process ${process}` : '', scopeAt(timeline, columnOf(timeline, shown))].filter(Boolean).join(', ');
}

export class TimelineView {
  readonly element = make('section', 'timeline');
  private readonly words = make('span', 'words');
  readonly canvas = make('canvas');
  readonly legend = make('p', 'legend');
  private readonly size = new SizeObserver(this.canvas, () => this.draw());
  readonly slider = Object.assign(make('input'), { type: 'range', min: '0', step: '1' });
  private readonly buttons: readonly HTMLElement[];
  private timeline: Timeline | undefined;
  private wanted: number | undefined;
  private isMoving = false;

  constructor(private readonly goTo: (position: number) => void) {
    const to = (choose: (timeline: Timeline) => number | undefined) => () => {
      const position = this.timeline && choose(this.timeline);
      if (position !== undefined) this.move(position);
    };
    this.buttons = [
      button('|◀', 'go to the beginning', to(() => 0)),
      button('◀', 'go to the stop before', to((timeline) => neighbouringStop(timeline, timeline.position, -1))),
      button('▶', 'go to the next stop that was reached', to((timeline) => neighbouringStop(timeline, timeline.position, 1))),
      button('▶|', 'go as far as the program was run', to(({ last }) => last)),
    ];
    const bar = make('div', 'bar');
    bar.append(...this.buttons, this.words);
    this.canvas.setAttribute('role', 'img');
    this.slider.setAttribute('aria-label', 'step');
    this.slider.addEventListener('input', () => this.move(Number(this.slider.value)));
    this.canvas.addEventListener('click', (event) => {
      const box = this.canvas.getBoundingClientRect();
      if (this.timeline) this.move(positionOf(this.timeline, Math.floor(((event.clientX - box.left) / box.width) * this.timeline.depths.length)));
    });
    this.canvas.addEventListener('mousemove', (event) => {
      const { timeline } = this;
      if (timeline) this.canvas.title = scopeAt(timeline, Math.floor((event.offsetX / this.canvas.clientWidth) * timeline.depths.length));
    });
    for (const [mark, name] of MARKS) this.explain(mark, name);
    this.element.append(bar, this.canvas, this.slider, this.legend);
  }

  private explain(mark: string, name: string): void {
    const item = make('span');
    item.append(make('i', mark), name);
    this.legend.append(item);
  }

  show(timeline: Timeline): void {
    if (timeline.nonfinite && !this.timeline?.nonfinite) this.explain('nonfinite', 'NaN or infinity that was found');
    if (timeline.scopes?.length && !this.timeline?.scopes?.length) for (const name of ['forward', 'backward']) this.explain(name, name);
    this.timeline = timeline;
    this.isMoving = false;
    const { position, last } = timeline;
    if (this.wanted === undefined || this.wanted === position || this.wanted > last) {
      this.wanted = undefined;
      this.slider.max = String(last);
      this.slider.value = String(position);
    } else {
      const { wanted } = this;
      this.wanted = undefined;
      this.move(wanted);
    }
    this.say();
    this.canvas.setAttribute('aria-label', `${positionText(timeline)}; breakpoints in ${timeline.breakpoints.length} of ${timeline.depths.length} columns, ${timeline.stops.length} stops${timeline.nonfinite ? `, NaN or infinities found at ${timeline.nonfinite.length} places` : ''}`);
    this.draw();
  }

  /** Draws again: the theme has changed. */
  draw(): void {
    const { canvas, timeline } = this;
    const width = canvas.clientWidth;
    if (!timeline) return;
    if (width === 0) return this.size.miss();
    const ratio = devicePixelRatio || 1;
    const band = timeline.scopes?.length ? BAND : 0;
    canvas.style.height = `${HEIGHT + band}px`;
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round((HEIGHT + band) * ratio) });
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(canvas);
    const color = (name: string) => style.getPropertyValue(name).trim() || style.color;
    const count = timeline.depths.length;
    const deepest = Math.max(1, ...timeline.depths);
    const here = columnOf(timeline, timeline.position);
    const left = (column: number) => Math.round((column * width * ratio) / count) / ratio;
    timeline.depths.forEach((depth, column) => {
      const height = Math.max(3, (depth / deepest) * (BARS - 4));
      context.fillStyle = color(column <= here ? '--passed' : '--ahead');
      const [from, to] = [left(column), left(column + 1)];
      context.fillRect(from, BARS - height, Math.max(to - from - (to - from > 8 ? 1 : 0), 1), height);
    });
    const middle = (column: number) => Math.max(EDGE, Math.min(left(column) + width / count / 2, width - EDGE));
    context.fillStyle = color('--nonfinite');
    for (const position of timeline.nonfinite ?? []) context.fillRect(Math.round(middle(columnOf(timeline, position))) - 1, 0, 3, BARS);
    for (const scope of timeline.scopes ?? []) label(context, scope, left(scope.from), left(scope.to), color);
    context.fillStyle = color('--round');
    for (const column of timeline.rounds) context.fillRect(Math.round(middle(column)) - 1, BARS + band + 2, 2, 7);
    context.fillStyle = color('--point');
    for (const column of timeline.breakpoints) disc(context, middle(column), BARS + band + 15);
    context.fillStyle = color('--stop');
    for (const stop of timeline.stops) diamond(context, middle(columnOf(timeline, stop)), BARS + band + 26);
    const x = middle(here);
    context.fillStyle = color('--here');
    context.fillRect(x - 1, 0, 2, HEIGHT + band);
    context.beginPath();
    context.moveTo(x - 6, 0);
    context.lineTo(x + 6, 0);
    context.lineTo(x, 8);
    context.fill();
  }

  /** Goes to a position: one move at a time, then to the newest that is wanted. */
  private move(position: number): void {
    if (!this.timeline || position === this.timeline.position) return;
    this.wanted = position;
    this.slider.value = String(position);
    this.say();
    if (this.isMoving) return;
    this.isMoving = true;
    this.goTo(position);
  }

  private say(): void {
    if (!this.timeline) return;
    const text = positionText(this.timeline, this.wanted);
    if (this.words.textContent !== text) this.words.textContent = text;
    this.slider.setAttribute('aria-valuetext', text);
  }
}

/** Draws a part of the model, with its name where that fits, a little condensed if need be. */
function label(context: CanvasRenderingContext2D, { name, isBackward }: TimelineScope, from: number, to: number, color: (name: string) => string): void {
  context.fillStyle = color(isBackward ? '--backward' : '--forward');
  context.fillRect(from, BARS + 2, Math.max(to - from - 1, 1), BAND - 4);
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = '#000';
  const room = to - from - 5;
  if (context.measureText(name).width <= 1.5 * room) context.fillText(name, from + 2, BARS + BAND - 6, room);
}

function disc(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.arc(x, y, 4, 0, 2 * Math.PI);
  context.fill();
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x + 5, y);
  context.lineTo(x, y + 5);
  context.lineTo(x - 5, y);
  context.fill();
}
