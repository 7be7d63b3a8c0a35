// What colours tell of a node: what it is, its element type, its sharding, a measure, NaN.

import { MARK_COLORS, PALETTES, type Color } from './colormap';
import type { GraphModel } from './graph_model';
import { MARK, numberText } from './plane';

export interface Legend {
  readonly color: Color;
  readonly text: string;
}
export interface Coloring {
  colorOf(node: number): Color;
  readonly legend: readonly Legend[];
}

const PLAIN: Color = [232, 232, 232];
const GROUP: Color = [208, 214, 222];
/** Light colours that people tell apart who confuse red with green; black letters can be read on all of them. */
const CATEGORIES: readonly Color[] = [[158, 202, 233], [247, 201, 121], [143, 215, 187], [240, 228, 140], [228, 175, 204], [200, 200, 238], [242, 171, 140], [190, 214, 143], [222, 208, 186]];
const SPECIAL: Readonly<Record<string, Color>> = { NaN: MARK_COLORS[MARK.nan]!, Inf: MARK_COLORS[MARK.positive]! };

/** The families of operations, by the words that are in their names; each has the same colour in all programs. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['argument', /^argument$/],
  ['contraction', /^(dot|convolution|cholesky|triangular)/],
  ['movement', /^(reshape|transpose|broadcast|slice|concatenate|pad|gather|scatter|dynamic|reverse|iota|convert|bitcast|get_tuple|tuple)/],
  ['control flow', /^(while|if|case|call|func|return|composite)/],
  ['reduction', /^(reduce|sort|all_reduce|reduce_window|select_and_scatter)/],
  ['constant', /^constant/],
  ['communication', /^(all_|collective|send|recv|infeed|outfeed|partition_id|replica_id|after_all)/],
  ['custom call', /^custom_call/],
  ['elementwise and others', /./],
];

export function colorings(model: GraphModel): string[] {
  return ['operation', 'element type', 'sharding', 'NaN and Inf', ...model.measures];
}

/** How a node is coloured by one of `colorings`. */
export function coloring(model: GraphModel, name: string): Coloring {
  if (name === 'NaN and Inf') return { colorOf: (node) => SPECIAL[model.special(node)] ?? plain(model, node), legend: Object.entries(SPECIAL).map(([text, color]) => ({ color, text })) };
  if (model.measures.includes(name)) return measured(model, name);
  const known = new Map<string, Color>();
  const category = (node: number) => (name === 'operation' ? familyOf(model, node) : name === 'sharding' ? model.text(node, 'sharding') : elementType(model.text(node, 'type')));
  for (let node = 0; node < model.data.parent.length; node++) {
    const found = category(node);
    if (!found || known.has(found)) continue;
    const number = name === 'operation' ? FAMILIES.findIndex(([family]) => family === found) : known.size;
    known.set(found, CATEGORIES[number % CATEGORIES.length]!);
  }
  return {
    colorOf: (node) => known.get(category(node)) ?? plain(model, node),
    legend: [...known].slice(0, 16).map(([text, color]) => ({ color, text })),
  };
}

function measured(model: GraphModel, name: string): Coloring {
  let most = 0;
  for (let node = 0; node < model.size; node++) if (!model.isGroup(node)) most = Math.max(most, model.measure(name, node));
  // The light half of the palette, so that black letters can be read; a group may have more than one operation.
  const colorOf = (number: number): Color => PALETTES.sequential[128 + Math.round(127 * (most > 0 ? Math.min(number / most, 1) : 0))]!;
  return {
    colorOf: (node) => (model.measure(name, node) > 0 ? colorOf(model.measure(name, node)) : plain(model, node)),
    legend: [0, most / 2, most].map((number) => ({ color: colorOf(number), text: numberText(number, 3) })),
  };
}

function plain(model: GraphModel, node: number): Color {
  return model.isGroup(node) ? GROUP : PLAIN;
}

function familyOf(model: GraphModel, node: number): string {
  const kind = model.text(node, 'kind');
  const words = kind === 'op' ? model.text(node, 'label') : kind === 'argument' ? kind : '';
  return FAMILIES.find(([, family]) => family.test(words))?.[0] ?? '';
}

/** The element type of a tensor's type: `f32` of `tensor<3x4xf32>`. */
export function elementType(type: string): string {
  return /tensor<(?:[0-9?]+x)*([^,<>]+(?:<[^<>]*>)?)/.exec(type)?.[1] ?? '';
}

