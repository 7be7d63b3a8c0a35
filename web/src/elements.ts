// Elements with text, without markup.

export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = ''): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export function button(text: string, title: string, act: () => void): HTMLElement {
  const made = Object.assign(make('button', '', text), { type: 'button', title });
  if (!/\p{L}/u.test(text)) made.setAttribute('aria-label', title); // words name themselves
  made.addEventListener('click', act);
  return made;
}

/** Keeps the keys that are pressed in an element from the shortcuts of JupyterLab around it: `0` twice restarts a kernel there. */
export function keepKeys(element: HTMLElement): void {
  element.setAttribute('data-lm-suppress-shortcuts', 'true');
}

/** The style sheets of an element, from their texts. */
export function sheetsOf(...texts: readonly string[]): CSSStyleSheet[] {
  return texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}
