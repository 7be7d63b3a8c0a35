// Reports in notebooks and pages (shlo/pages/report.py): tables sort by the column whose name is clicked, links open
// what they lead to, trees are searched. Without this script both are read all the same.

import { make } from './elements';
import { keyedPlanes } from './embedded';
import type { TensorView } from './tensor_view';

const LARGE = 30;

function sortBy(head: HTMLTableCellElement): void {
  const table = head.closest('table');
  const body = table?.tBodies[0];
  if (!table || !body) return;
  const order = head.getAttribute('aria-sort') === 'descending' ? 1 : -1;
  for (const other of table.tHead?.rows[0]?.cells ?? []) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', order > 0 ? 'ascending' : 'descending');
  const rows = [...body.rows];
  rows.sort((one, other) => order * compared(one.cells[head.cellIndex], other.cells[head.cellIndex]));
  body.append(...rows);
}

function compared(one: HTMLElement | undefined, other: HTMLElement | undefined): number {
  const [left, right] = [one?.dataset['n'], other?.dataset['n']];
  if (left !== undefined && right !== undefined) return Number(left) - Number(right);
  return (one?.textContent ?? '').localeCompare(other?.textContent ?? '');
}

function prepareHeads(report: Element): void {
  for (const head of report.querySelectorAll<HTMLTableCellElement>('th[aria-sort]')) {
    head.tabIndex = 0;
    head.onclick = () => sortBy(head);
    head.onkeydown = (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      sortBy(head);
    };
  }
}

/** Adds a field that shows the leaves whose path has a text, and opens the parts above them. */
function addSearch(tree: Element): void {
  const leaves = [...tree.querySelectorAll<HTMLElement>(':scope > details .leaf, :scope > .leaf')];
  if (leaves.length < LARGE || tree.querySelector('input[type=search]')) return;
  const field = make('input');
  Object.assign(field, { type: 'search', placeholder: 'search leaves' });
  field.setAttribute('aria-label', 'search leaves');
  const paths = new Map(leaves.map((leaf) => [leaf, pathOf(leaf)]));
  const groups = [...tree.querySelectorAll<HTMLDetailsElement>(':scope > details:not(.leaf), :scope details details:not(.leaf)')];
  const before = new Map(groups.map((group) => [group, group.open]));
  field.oninput = () => {
    const text = field.value.trim().toLowerCase();
    for (const [leaf, path] of paths) leaf.hidden = !path.includes(text);
    for (const group of groups) {
      const matches = text === '' || group.querySelector('.leaf:not([hidden])') !== null;
      group.hidden = !matches;
      group.open = text === '' ? (before.get(group) ?? false) : matches;
    }
  };
  tree.querySelector(':scope > details, :scope > .leaf')?.before(field);
}

function pathOf(leaf: Element): string {
  const names: string[] = [leaf.querySelector('b')?.textContent ?? ''];
  for (let part = leaf.parentElement?.closest('details'); part; part = part.parentElement?.closest('details')) names.unshift(part.querySelector('summary b')?.textContent ?? '');
  return names.join('/').toLowerCase();
}

/** Opens a leaf as a tensor view, whose planes the kernel answers for (embedded.ts); the view is another script's. */
function openView(leaf: HTMLElement): void {
  const { key, shape } = leaf.dataset;
  const below = leaf.querySelector(':scope > .more');
  if (!key || shape === undefined || !below || below.querySelector('shlo-tensor-view')) return;
  const view = document.createElement('shlo-tensor-view') as TensorView;
  below.append(view);
  const sizes = shape.split(' ').filter(Boolean).map(Number);
  view.show({ name: '', type: '', shape: sizes }, keyedPlanes(key, view));
}

/** Goes to the part of its own report that a link names: another copy of the report in the notebook has the same names. */
function follow(event: MouseEvent): void {
  const [at] = event.composedPath();
  const link = at instanceof Element ? at.closest<HTMLAnchorElement>('.shlo-report a[href^="#"]') : null;
  const target = link?.closest('.shlo-report')?.querySelector<HTMLElement>(`[id="${link.hash.slice(1)}"]`);
  if (!target) return;
  event.preventDefault();
  for (let part = target.closest('details'); part; part = part.parentElement?.closest('details') ?? null) part.open = true;
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
}

document.addEventListener('click', follow);
document.addEventListener('toggle', (event) => {
  const leaf = event.target;
  if (leaf instanceof HTMLDetailsElement && leaf.open && customElements.get('shlo-tensor-view')) openView(leaf);
}, true);
for (const report of document.querySelectorAll('.shlo-report')) {
  prepareHeads(report);
  for (const tree of report.querySelectorAll('.shlo-tree')) addSearch(tree);
}
