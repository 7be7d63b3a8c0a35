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
