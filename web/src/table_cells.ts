// Tables of the elements of small tensors, which Python writes (shlo/pages/tensor.py).

/** The index of the element that a part of a page shows; nothing where it shows none. */
export function cellIndex(target: Element): readonly number[] | undefined {
  const shown = target.closest<HTMLElement>('[data-at]');
  if (!shown) return undefined;
  const places = (shown.dataset['at'] ?? '').split(' ').filter(Boolean);
  const cell = target.closest('td');
  if (!cell) return places.some((place) => /\D/.test(place)) ? undefined : places.map(Number);
  const row = (cell.parentElement as HTMLTableRowElement).rowIndex - 1; // below the places of the columns
  const column = cell.cellIndex - 1;
  return row < 0 || column < 0 ? undefined : places.map((place) => (place === 'r' ? row : place === 'c' ? column : Number(place)));
}
