import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ink } from '../src/colormap';
import { coloring, colorings, elementType } from '../src/graph_colors';
import { Layout } from '../src/graph_layout';
import { GraphModel, LEVEL, ROOT, type GraphData } from '../src/graph_model';

type Node = readonly [kind: string, label: string, parent: number, over?: { type?: string; nonfinite?: string; line?: number }];

function graph(nodes: readonly Node[], edges: readonly (readonly [number, number, string])[] = [], measures: GraphData['measures'] = {}): GraphData {
  const strings = [''];
  const number = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const blank = nodes.map(() => 0);
  return {
    title: 'a program',
    parent: nodes.map(([, , parent]) => parent),
    line: nodes.map(([, , , over], at) => over?.line ?? at + 1),
    kind: nodes.map(([kind]) => number(kind)),
    label: nodes.map(([, label]) => number(label)),
    name: blank,
    type: nodes.map(([, , , over]) => number(over?.type ?? '')),
    text: blank,
    sharding: blank,
    value: blank,
    nonfinite: nodes.map(([, , , over]) => number(over?.nonfinite ?? '')),
    edges: edges.flatMap(([source, target, type]) => [source, target, number(type)]),
    measures,
    strings,
  };
}

/** @main with two scopes: a { add, log } and b { multiply }, an argument, and a return. */
const small = graph(
  [['function', '@main', -1], ['argument', 'argument', 0], ['scope', 'a', 0], ['op', 'add', 2, { type: 'tensor<3xf32>' }], ['op', 'log', 2, { nonfinite: 'NaN', type: 'tensor<3xf32>' }], ['scope', 'b', 0], ['op', 'multiply', 5, { type: 'tensor<3xbf16>' }], ['op', 'return', 0]],
  [[1, 3, 'tensor<3xf32>'], [3, 4, 'tensor<3xf32>'], [4, 6, 'tensor<3xf32>'], [3, 6, 'tensor<3xf32>'], [6, 7, 'tensor<3xbf16>']],
  { FLOPs: [[3, 10], [4, 5]] },
);

test('edges join what is visible of both ends', () => {
  const model = new GraphModel(small);
  assert.deepEqual(model.edgesOf(0).map(({ source, target, types }) => [source, target, types.length]), [[1, 2, 1], [2, 5, 2], [5, 7, 1]]);
  assert.deepEqual(model.edgesOf(2).map(({ source, target }) => [source, target]), [[3, 4]]);
  assert.deepEqual(model.neighbours(6, 'from').map(({ node }) => node), [4, 3]);
});

test('groups count operations, add measures up, and tell of NaN inside', () => {
  const model = new GraphModel(small);
  assert.deepEqual([model.counts[0], model.counts[2], model.measure('FLOPs', 0), model.special(0), model.special(5)], [4, 2, 15, 'NaN', '']);
});

test('what is expanded is laid out inside of its group, and nothing else', () => {
  const model = new GraphModel(small);
  const layout = new Layout(model);
  assert.equal(layout.place(3), undefined);
  layout.reveal(3);
  const [group, inner, other] = [layout.place(2)!, layout.place(3)!, layout.place(4)!];
  for (const box of [inner, other]) assert.ok(box.x >= group.x && box.y > group.y && box.x + box.width <= group.x + group.width + 1e-6 && box.y + box.height <= group.y + group.height + 1e-6);
  assert.ok(other.y > inner.y, 'an operation is below what it uses');
  const before = layout.level(ROOT);
  layout.toggle(2);
  assert.equal(layout.place(3), undefined);
  assert.notEqual(layout.level(ROOT), before);
});

test('at first the scopes of the first function are open as long as few nodes are drawn, and arguments are closed', () => {
  const model = new GraphModel(graph([['function', '@main', -1], ['scope', 'arguments', 0], ['argument', 'argument', 1], ['scope', 'a', 0], ['op', 'add', 3], ['scope', 'b', 0], ['op', 'log', 5], ['op', 'log', 5], ['function', '@other', -1], ['op', 'add', 8]]));
  const layout = new Layout(model);
  layout.open(6);
  assert.deepEqual([...layout.expanded], [0, 3]);
  const [first, other] = [layout.place(0)!, layout.place(8)!];
  assert.ok(other.x >= first.x + first.width || other.y >= first.y + first.height, 'functions that nothing joins do not overlap');
});

test('a group of many operations is cut into parts that can be looked at', () => {
  const count = 20_000;
  const nodes: Node[] = [['function', '@main', -1], ...Array.from({ length: count }, () => ['op', 'add', 0] as const)];
  const model = new GraphModel(graph(nodes, Array.from({ length: count - 1 }, (_, at) => [at + 1, at + 2, 'tensor<f32>'] as const)));
  const sizes = [ROOT, ...Array.from({ length: model.size }, (_, node) => node)].map((node) => model.childrenOf(node).length);
  assert.ok(Math.max(...sizes) <= LEVEL);
  assert.equal(model.counts[0], count);
  const leaf = model.atLine(15_000)!;
  assert.equal(model.line(leaf), 15_000);
  const layout = new Layout(model);
  layout.reveal(leaf);
  assert.ok(layout.place(leaf));
});

test('a family of operations has the same colour in all programs', () => {
  const colors = (...labels: string[]) => new Map(coloring(new GraphModel(graph(labels.map((label) => ['op', label, -1]))), 'operation').legend.map(({ text, color }) => [text, color]));
  const [one, other] = [colors('add', 'constant', 'dot_general'), colors('constant', 'custom_call', 'dot', 'exponential')];
  for (const family of ['constant', 'contraction', 'elementwise and others']) assert.deepEqual(one.get(family), other.get(family));
  assert.equal(new Set([...one.values(), ...other.values()].map(String)).size, 4);
});

test('letters can be read on every colour of every colouring', () => {
  const model = new GraphModel(small);
  const luminance = (color: readonly number[]) => color.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index]!, 0);
  for (const name of colorings(model)) {
    const { colorOf, legend } = coloring(model, name);
    for (const color of [...legend.map((each) => each.color), ...Array.from({ length: model.size }, (_, node) => colorOf(node))]) {
      const contrast = ink(color) === '#000' ? (luminance(color) + 0.05) / 0.05 : 1.05 / (luminance(color) + 0.05);
      assert.ok(contrast >= 4.5, `${name} ${color}: ${contrast}`);
    }
  }
  assert.notDeepEqual(coloring(model, 'NaN and Inf').colorOf(4), coloring(model, 'NaN and Inf').colorOf(3));
  assert.notDeepEqual(coloring(model, 'element type').colorOf(6), coloring(model, 'element type').colorOf(3));
});

test('words are found from the selected node on, round about', () => {
  const model = new GraphModel(small);
  assert.deepEqual([model.find('MULT', -1), model.find('add', 3), model.find('nothing', 0)], [6, 3, undefined]);
  assert.deepEqual(['tensor<3x?xbf16>', 'tensor<f32>', 'tensor<2xcomplex<f32>>', 'token'].map(elementType), ['bf16', 'f32', 'complex<f32>', '']);
});
