// A saved stepper: makes <shlo-replay-view> known, which steps through what the page holds, without a kernel.

import { button, keepKeys, make, sheetsOf } from './elements';
import { embeddedPlanes } from './embedded';
import { GraphView, SELECT_EVENT } from './graph_view';
import { fillEmbedded } from './packing';
import css from './replay.css';
import { linesOfPython, moved, newestOf, newestValues, shownStep, timelineOf, type BlameRow, type BoundValue, type Move, type Replay } from './replay_model';
import { ASK_EVENT, SourceView } from './source_view';
import base from './style.css';
import { TensorView } from './tensor_view';
import timelineCss from './timeline.css';
import { TimelineView } from './timeline_view';

const COLUMNS = 400;
const LISTED = 200;

class ReplayView extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly tools = make('div', 'tools');
  private readonly story = make('pre', 'story');
  private readonly blame = make('details', 'blame');
  private readonly fileName = make('small');
  private readonly python = document.createElement('shlo-source-view') as SourceView;
  private readonly source = document.createElement('shlo-source-view') as SourceView;
  private readonly values = make('div', 'values');
  /** The values that are shown at every step, by name. */
  private readonly pinned = new Set<string>();
  private readonly pins = make('div', 'pins');
  private readonly graph = document.createElement('shlo-graph-view') as GraphView;
  private readonly showsGraph = button('graph', 'the program as a graph that follows the steps', () => this.toggleGraph());
  private readonly tensor = document.createElement('shlo-tensor-view') as TensorView;
  private readonly timeline = new TimelineView((position) => this.goTo(position));
  private readonly error = make('p', 'error');
  private readonly breakpoints = new Set<number>();
  private replay: Replay | undefined;
  private at = 0;
  /** The number of the Python file that is shown. */
  private file = -1;
  private chosen: BoundValue | undefined;
  /** The value whose elements are shown. */
  private shown: BoundValue | undefined;

  constructor() {
    super();
    this.root.adoptedStyleSheets = sheetsOf(base, timelineCss, css);
    const panes = make('div', 'panes');
    panes.append(this.source, this.values);
    this.error.setAttribute('role', 'alert');
    this.tensor.hidden = this.graph.hidden = true;
    this.graph.addEventListener(SELECT_EVENT, (event) => this.onSelect(event as CustomEvent<{ readonly line: number }>));
    this.source.addEventListener(ASK_EVENT, (event) => this.onAsk(event as CustomEvent<{ readonly words: string }>));
    this.python.addEventListener(ASK_EVENT, (event) => this.onAskPython(event as CustomEvent<{ readonly words: string }>));
    this.root.append(this.tools, this.timeline.element, this.error, this.story, this.blame, this.fileName, this.python, panes, this.pins, this.graph, this.tensor);
  }

  connectedCallback(): void {
    keepKeys(this);
    this.showEmbedded();
  }

  showEmbedded(): void {
    fillEmbedded(this, (data) => this.show(data as Replay), (reason) => (this.error.textContent = `the saved stepper cannot be read: ${reason}`));
  }

  private show(replay: Replay): void {
    this.replay = replay;
    this.tools.replaceChildren(...replay.controls.flatMap(({ text, tooltip, command }) => (text ? [button(text, tooltip, () => this.move(command))] : [])));
    this.tools.append(button('pin', 'show the chosen value at every step', () => this.pinChosen()));
    if (replay.graph) this.tools.append(this.showsGraph);
    this.showsGraph.setAttribute('aria-pressed', 'false');
    replay.breakpoints.forEach((line) => this.breakpoints.add(line));
    this.story.textContent = replay.text;
    this.story.classList.toggle('bad', replay.blame.length > 0 || (replay.steps[replay.position - replay.first]?.is_nonfinite ?? false));
    this.blame.hidden = replay.blame.length === 0;
    this.blame.replaceChildren(make('summary', '', 'what made it'), ...replay.blame.map((row) => this.blameRow(replay, row)));
    if (replay.source.lines) this.source.show(replay.source);
    else this.source.hidden = true;
    this.at = replay.position - replay.first;
    const cut = [replay.first > 0 ? `steps before ${replay.first.toLocaleString('en')}` : '', replay.first + replay.steps.length <= replay.last ? `steps behind ${(replay.first + replay.steps.length - 1).toLocaleString('en')}` : ''].filter(Boolean);
    this.error.textContent = cut.length ? `left out of this page: ${cut.join(', ')}` : '';
    this.draw();
  }

  private goTo(at: number): void {
    this.at = at;
    this.draw();
  }

  private move(move: Move, line = 0): void {
    if (this.replay) this.goTo(moved(this.replay.steps, this.at, move, this.breakpoints, line));
  }

  private onAsk(event: CustomEvent<{ readonly words: string }>): void {
    event.stopPropagation();
    const [what, ...rest] = event.detail.words.split(' ');
    const line = Number(rest.at(-1));
    if (what === 'break') {
      if (!this.breakpoints.delete(line)) this.breakpoints.add(line);
      this.draw();
      return;
    }
    const control = this.replay?.controls.find(({ key }) => key === rest[0]);
    if (control) this.move(control.command, line);
  }

  private draw(): void {
    const { replay, at } = this;
    const step = replay?.steps[at];
    if (!replay || !step) return;
    this.timeline.show(timelineOf(replay, at, this.breakpoints, COLUMNS));
    this.drawPython(replay);
    this.source.goTo({ at: `${at}`, here: shownStep(replay.steps, at)?.line ?? 0, isDone: step.depth === 0, breakpoints: this.breakpoints, chosen: 0 });
    this.story.hidden = at !== replay.position - replay.first;
    this.follow();
    this.drawPins();
    this.list(newestValues(replay.steps, at, LISTED));
  }

  /** Shows the Python that the operation comes from; a line has a breakpoint where an operation of it has one. */
  private drawPython(replay: Replay): void {
    const [file, line] = shownStep(replay.steps, this.at)?.python ?? [-1, 0];
    const shown = replay.python[file];
    this.python.hidden = !shown;
    this.fileName.textContent = shown?.name ?? '';
    if (!shown) return;
    if (file !== this.file) this.python.show({ lines: shown.lines, labels: null, origins: null, keys: {}, file: shown.name });
    this.file = file;
    const lines = new Set(replay.steps.flatMap(({ python, line: ours }) => (python?.[0] === file && this.breakpoints.has(ours) ? [python[1]] : [])));
    this.python.goTo({ at: `${this.at}`, here: line, isDone: replay.steps[this.at]?.depth === 0, breakpoints: lines, chosen: 0 });
  }

  private onAskPython(event: CustomEvent<{ readonly words: string }>): void {
    event.stopPropagation();
    const lines = linesOfPython(this.replay?.steps ?? [], this.file, Number(event.detail.words.split(' ').at(-1)));
    const isSet = lines.some((line) => this.breakpoints.has(line));
    for (const line of lines) if (isSet) this.breakpoints.delete(line); else this.breakpoints.add(line);
    this.draw();
  }

  private toggleGraph(): void {
    this.graph.hidden = !this.graph.hidden;
    this.showsGraph.setAttribute('aria-pressed', `${!this.graph.hidden}`);
    if (!this.graph.hidden && !this.graph.hasGraph) this.graph.show(this.replay!.graph!);
    this.follow();
  }

  /** Selects the operation of the step in the graph, if that is open. */
  private follow(): void {
    if (!this.graph.hidden) this.graph.chooseLine(shownStep(this.replay!.steps, this.at)?.line ?? 0);
  }

  /** Shows in the source the line of what was selected in the graph. */
  private onSelect(event: CustomEvent<{ readonly line: number }>): void {
    event.stopPropagation();
    this.source.markLine(event.detail.line);
  }

  private pinChosen(): void {
    if (this.shown) this.pinned.add(this.shown.name);
    this.drawPins();
  }

  private drawPins(): void {
    this.pins.replaceChildren(...[...this.pinned].map((name) => {
      const row = make('div');
      const value = newestOf(this.replay!.steps, this.at, name);
      row.append(button('×', `unpin ${name}`, () => {
        this.pinned.delete(name);
        this.drawPins();
      }), make('code', 'pinned', value ? `${name} : ${value.type} = ${value.summary}` : `${name} has no value yet`));
      return row;
    }));
  }

  private blameRow(replay: Replay, { depth, text, position }: BlameRow): HTMLElement {
    const row = button(text, position === null ? '' : 'go to where this was bound', () => this.goTo(position! - replay.first)) as HTMLButtonElement;
    row.disabled = position === null || position - replay.first >= replay.steps.length;
    row.style.paddingLeft = `${4 + 16 * depth}px`;
    return row;
  }

  /** Lists values, and shows the newest with elements: that of the name that was chosen, where it is there. */
  private list(values: readonly BoundValue[]): void {
    const shown = this.shown = values.find(({ name, tensor }) => name === this.chosen?.name && tensor !== null) ?? values.find(({ tensor }) => tensor !== null);
    const rows = values.map((value) => {
      const row = button(`${value.name} : ${value.type}`, value.tensor === null ? 'its elements are not in this page' : 'show its elements', () => {
        this.chosen = value;
        this.list(values);
      }) as HTMLButtonElement;
      row.disabled = value.tensor === null;
      row.setAttribute('aria-pressed', `${value === shown}`);
      row.append(make('small', /NaN|Inf|nan|inf/.test(value.summary) ? 'bad' : '', value.summary));
      return row;
    });
    this.values.replaceChildren(make('small', '', values.length ? 'values that were bound last, the newest first' : 'no values yet'), ...rows);
    this.showTensor(shown);
  }

  private showTensor(value: BoundValue | undefined): void {
    const tensor = value?.tensor == null ? undefined : this.replay?.tensors[value.tensor];
    this.tensor.hidden = tensor === undefined;
    if (tensor) this.tensor.show(tensor, embeddedPlanes(tensor, this.tensor));
  }
}

for (const [name, view] of [['shlo-source-view', SourceView], ['shlo-tensor-view', TensorView], ['shlo-graph-view', GraphView], ['shlo-replay-view', ReplayView]] as const) if (!customElements.get(name)) customElements.define(name, view);
// The element may be that of another copy of this script, earlier in the page.
for (const view of document.querySelectorAll<ReplayView>('shlo-replay-view')) view.showEmbedded();
