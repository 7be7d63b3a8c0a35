// Where a stepper of a notebook is: each step puts another element of a name into the page, and the views that it is for
// look at it.

/** A view that goes to the place that the page says for it. */
export interface Follower extends HTMLElement {
  follow(): void;
}

/** Makes an element known that has the views of the same attribute `view` follow it. */
export function definePlace(name: string, views: string): void {
  const element = class extends HTMLElement {
    connectedCallback(): void {
      for (const view of document.querySelectorAll<Follower>(views)) if (view.getAttribute('view') === this.getAttribute('view')) view.follow();
    }
  };
  customElements.define(name, element);
}

/** The element that says the place of a view; nothing where the page has none. */
export function placeFor(name: string, view: Element): Element | null {
  const key = view.getAttribute('view');
  return key === null ? null : document.querySelector(`${name}[view="${CSS.escape(key)}"]`);
}
