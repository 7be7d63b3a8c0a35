// Data that Python puts into a page (shlo/pages/bundle.py): JSON, deflated, in Base64.

/** The elements whose data was found in the page. */
const filled = new WeakSet<Element>();

/** Shows the data that the page has inside of an element, once that is there; a second call shows nothing again. */
export function fillEmbedded(element: Element, show: (data: unknown) => void, fail: (reason: string) => void): void {
  const script = filled.has(element) ? null : element.querySelector(':scope > script[type="application/json"]');
  if (!script) return;
  filled.add(element);
  unpack(script.textContent ?? '').then(show, (error: unknown) => fail(String(error)));
}

export async function unpack(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}
