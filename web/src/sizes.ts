// The size of an element, also of one that is shown again in the size that it had.

/** Calls `changed` when an element has another size, and when it has one again after `miss`. */
export class SizeObserver {
  private readonly observer: ResizeObserver;
  /** Whether the observer would report any size that the element gets. */
  private isFresh = true;

  constructor(
    private readonly element: Element,
    changed: () => void,
  ) {
    this.observer = new ResizeObserver((entries) => {
      this.isFresh = entries.at(-1)!.contentRect.width === 0;
      changed();
    });
    this.observer.observe(element);
  }

  /**
   * Notes that the element had no width when it was to be drawn. Where it is seen again before the browser renders, in
   * the size that it had, an observer reports nothing: it has to begin anew.
   */
  miss(): void {
    if (this.isFresh) return;
    this.isFresh = true;
    this.observer.unobserve(this.element);
    this.observer.observe(this.element);
  }
}
