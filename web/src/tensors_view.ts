// The tensors of a debug session: the one that is followed, those that are pinned or kept as they were, and the view
// of the one that is chosen, or of its difference to another.

import type { Listed } from './debug_messages';
import { button, make } from './elements';
import type { Plane, Slice } from './plane';
import { TensorView } from './tensor_view';

/** What the page asks for: planes, and other lists. */
export interface TensorActions {
  plane(tensor: string, other: string, slice: Slice): Promise<Plane>;
  pin(tensor: string): void;
  keep(tensor: string): void;
  remove(tensor: string): void;
  newest(): void;
}

/** What is chosen of a list: the same as before where that is there, else the one that is followed. */
export function chosenOf(tensors: readonly Listed[], before: string): string {
  const keys = tensors.map(keyOf);
  return keys.includes(before) ? before : (keys[0] ?? '');
}

/** By what a row is known: the followed one changes its name from step to step. */
export function keyOf({ kind, tensor }: Listed): string {
  return kind === 'followed' ? 'followed' : tensor;
}

export class TensorsView {
  readonly element = make('section', 'tensors');
  private readonly list = make('ul');
  private readonly others = make('select');
  private readonly label = make('label');
  private readonly note = make('p', 'note');
  private readonly view = document.createElement('shlo-tensor-view') as TensorView;
  private tensors: readonly Listed[] = [];
  private chosen = 'followed';
  private other = '';
  private isNewest = true;

  constructor(private readonly actions: TensorActions) {
    this.label.append('compare with', this.others);
    this.others.addEventListener('change', () => {
      this.other = this.others.value;
      this.showChosen();
    });
    this.element.append(this.list, this.label, this.note, this.view);
  }

  show(tensors: readonly Listed[], isNewest: boolean): void {
    this.tensors = tensors;
    this.isNewest = isNewest;
    this.chosen = chosenOf(tensors, this.chosen);
    const focused = this.list.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['key'] : undefined;
    this.list.replaceChildren(...tensors.map((each) => this.row(each)));
    if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-key=${JSON.stringify(focused)}]`)?.focus();
    this.showChosen();
  }

  /** Draws again: the theme has changed. */
  draw(): void {
    this.view.redraw();
  }

  private row(tensor: Listed): HTMLElement {
    const key = keyOf(tensor);
    const name = make('button', 'tensor');
    name.setAttribute('aria-pressed', String(key === this.chosen));
    name.dataset['key'] = key;
    name.append(make('strong', '', tensor.title), ' ', make('code', '', [tensor.type, tensor.note].filter(Boolean).join(' ')));
    name.addEventListener('click', () => {
      this.chosen = key;
      for (const each of this.list.querySelectorAll('.tensor')) each.setAttribute('aria-pressed', String(each === name));
      this.showChosen();
    });
    const line = make('li');
    line.append(name);
    const act = (text: string, title: string, does: () => void) => line.append(button(text, `${title} ${tensor.title}`, does));
    if (tensor.kind === 'followed' && !this.isNewest) act('newest', 'follow the newest value, and no longer', () => this.actions.newest());
    if (tensor.kind === 'followed' && tensor.tensor) act('pin', 'keep in this list', () => this.actions.pin(tensor.tensor));
    if (tensor.kind !== 'kept' && tensor.shape) act('keep', 'keep as it is at this step:', () => this.actions.keep(tensor.tensor));
    if (tensor.kind !== 'followed') act('remove', 'remove', () => this.actions.remove(tensor.tensor));
    return line;
  }

  private showChosen(): void {
    const chosen = this.tensors.find((each) => keyOf(each) === this.chosen);
    const shape = chosen?.shape;
    const comparable = this.tensors.filter((each) => each !== chosen && each.tensor !== chosen?.tensor && each.shape && each.shape.join() === shape?.join());
    if (!comparable.some(({ tensor }) => tensor === this.other)) this.other = '';
    this.others.replaceChildren(...[{ tensor: '', title: 'nothing' }, ...comparable].map(({ tensor, title }) => Object.assign(make('option', '', title), { value: tensor, selected: tensor === this.other })));
    this.label.hidden = comparable.length === 0;
    this.view.hidden = !shape;
    this.note.hidden = !!shape;
    this.note.textContent = chosen?.note || 'There is no tensor yet: take a step, or choose a value.';
    if (!chosen || !shape) return;
    const { tensor, title, type } = chosen;
    const { other } = this;
    const subtracted = comparable.find((each) => each.tensor === other)?.title;
    this.view.show({ name: subtracted ? `${title} − ${subtracted}` : title, type, shape }, (slice) => this.actions.plane(tensor, other, slice));
  }
}
