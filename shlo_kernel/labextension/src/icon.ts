import { LabIcon } from '@jupyterlab/ui-components';

/** The kernel's picture, a heat map, for files. */
const CELLS = ['#2b5f75', '#3f8f7f', '#86b875', '#3f8f7f', '#86b875', '#e0d56f', '#86b875', '#e0d56f', '#fdf3b0'];
const squares = CELLS.map((fill, at) => `<rect x="${10 + 15.5 * (at % 3)}" y="${10 + 15.5 * Math.floor(at / 3)}" width="13" height="13" fill="${fill}"/>`);

/** What the file browser shows beside `.mlir` files. */
export const mlirIcon = new LabIcon({
  name: 'shlo:mlir',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="16"><rect width="64" height="64" rx="10" fill="#14213d"/>${squares.join('')}</svg>`
});
