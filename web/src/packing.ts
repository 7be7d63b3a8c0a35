// Data that Python puts into a page (shlo/pages/packing.py): JSON, deflated, in Base64.

/** Reads the data inside of an element of a page; nothing where it has none, or not yet. */
export function embeddedData(element: Element): Promise<unknown> | undefined {
  const script = element.querySelector(':scope > script[type="application/json"]');
  return script ? unpack(script.textContent ?? '') : undefined;
}

export async function unpack(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}
