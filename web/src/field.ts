// Words to a kernel from a page of widgets: a text field that the page hides carries them, in every notebook that has
// widgets. The field is in an element of the class shlo-picked-KEY, KEY being the name of the view.

let told = 0;

/** Tells the kernel words about a view; nothing where the page has no field for it. */
export function tellKernel(view: Element, words: string): void {
  const key = view.getAttribute('view');
  const field = key === null ? null : document.querySelector<HTMLInputElement>(`.shlo-picked-${CSS.escape(key)} input`);
  if (!field) return;
  field.value = `${words} ${++told}`; // the number lets the same words be told again
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
