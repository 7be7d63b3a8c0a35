// Where the nodes of a graph's expanded groups are: each level is laid out in layers by dagre, inner ones first.

import { Graph, layout } from '@dagrejs/dagre';
import { ROOT, type GraphModel, type LevelEdge } from './graph_model';

export interface Box {
  /** Left and top, in the group that it is in. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Line extends LevelEdge {
  readonly points: readonly Point[];
  /** The type that it carries, and the middle of where that stands. */
  readonly text: string;
  readonly at: Point;
}
export interface Level {
  readonly boxes: ReadonlyMap<number, Box>;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

export const HEADER = 24;
const PADDING = 12;
const HEIGHT = 36;
const GAP = 16;
/** How wide a row of boxes that nothing joins may be, at least. */
const ROW = 600;
/** From how many nodes on layers are found by the quick way. */
const MANY = 50;

/** The levels that were laid out, each as long as nothing in it is expanded or collapsed. */
export class Layout {
  private readonly levels = new Map<number, Level>();
  private readonly shapes = new Map<string, Shape>();
  readonly expanded = new Set<number>();

  constructor(private readonly model: GraphModel) {}

  /** Expands a group, or collapses it. */
  toggle(node: number, isExpanded = !this.expanded.has(node)): void {
    if (!this.model.isGroup(node) || this.expanded.has(node) === isExpanded) return;
    if (isExpanded) this.expanded.add(node);
    else this.expanded.delete(node);
    for (const group of [ROOT, ...this.model.ancestors(node)]) this.levels.delete(group);
  }

  /** Expands the first function, what is alone in it, and the groups in that, in order, as long as `most` nodes are drawn. */
  open(most: number): void {
    const { model } = this;
    let [groups, drawn] = [model.childrenOf(ROOT).slice(0, 1), 1];
    while (groups.length) {
      for (const group of groups) {
        drawn += model.childrenOf(group).length;
        if (drawn > most && this.expanded.size) return;
        this.toggle(group, true);
      }
      const inside = groups.length === 1 ? model.childrenOf(groups[0]!) : [];
      groups = inside.filter((node) => model.isGroup(node) && model.counts[node] && model.text(node, 'kind') !== 'op');
    }
  }

  /** Expands all that a node is in. */
  reveal(node: number): void {
    for (const group of this.model.ancestors(node)) this.toggle(group, true);
  }

  level(group: number): Level {
    let found = this.levels.get(group);
    if (!found) this.levels.set(group, (found = this.arrange(group)));
    return found;
  }

  /** Where a node is in the whole picture; nothing where it is not drawn. */
  place(node: number): Box | undefined {
    let [x, y] = [0, 0];
    const groups = this.model.ancestors(node);
    if (groups.some((group) => !this.expanded.has(group))) return undefined;
    groups.forEach((group, index) => {
      const box = this.level(groups[index - 1] ?? ROOT).boxes.get(group)!;
      x += box.x + PADDING;
      y += box.y + HEADER;
    });
    const box = this.level(groups.at(-1) ?? ROOT).boxes.get(node);
    return box && { ...box, x: box.x + x, y: box.y + y };
  }

  /** Where what is in a group begins, in the group's box. */
  get inset(): { readonly x: number; readonly y: number } {
    return { x: PADDING, y: HEADER };
  }

  private size(node: number): { width: number; height: number } {
    if (this.expanded.has(node)) {
      const { width, height } = this.level(node);
      return { width: Math.max(width, this.textWidth(node)) + 2 * PADDING, height: height + HEADER + PADDING };
    }
    return { width: this.textWidth(node), height: HEIGHT };
  }

  private textWidth(node: number): number {
    const [label, below] = nodeTexts(this.model, node);
    const special = this.model.special(node).length;
    const title = label.length + (this.model.isGroup(node) ? 2 : 0) + (special && special + 2);
    return Math.max(64, Math.min(260, 16 + 7 * Math.max(title, below.length)));
  }

  private arrange(group: number): Level {
    const nodes = this.model.childrenOf(group);
    const edges = this.model.edgesOf(group);
    const sizes = nodes.map((node) => this.size(node));
    if (!edges.length) return rows(nodes.map((node, at) => [node, sizes[at]!]));
    const places = new Map(nodes.map((node, at) => [node, at]));
    const isMany = nodes.length > MANY;
    const joins = edges.map((edge) => [places.get(edge.source)!, places.get(edge.target)!, isMany ? 0 : edgeText(edge).length] as const);
    const key = JSON.stringify([sizes, joins]);
    let shape = this.shapes.get(key);
    if (!shape) this.shapes.set(key, (shape = shapeOf(sizes, joins, isMany)));
    const { boxes, routes, width, height } = shape;
    return { boxes: new Map(nodes.map((node, at) => [node, boxes[at]!])), lines: edges.map((edge, at) => ({ ...edge, ...routes[at]!, text: edgeText(edge) })), width, height };
  }
}

/** Where boxes and edges are that are joined alike, as those of a model's layers are. */
interface Shape {
  readonly boxes: readonly Box[];
  readonly routes: readonly { readonly points: readonly Point[]; readonly at: Point }[];
  readonly width: number;
  readonly height: number;
}
/** Source, target, and how many letters stand on the edge. */
type Join = readonly [source: number, target: number, letters: number];

function shapeOf(sizes: readonly { readonly width: number; readonly height: number }[], joins: readonly Join[], isMany: boolean): Shape {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 16, ranksep: 34, edgesep: 8, marginx: 0, marginy: 8, ranker: isMany ? 'longest-path' : 'network-simplex' });
  graph.setDefaultEdgeLabel(() => ({}));
  sizes.forEach((size, at) => graph.setNode(String(at), { ...size }));
  for (const [source, target, letters] of joins) graph.setEdge(String(source), String(target), isMany ? {} : { width: 6 * letters, height: 12, labelpos: 'c' });
  layout(graph);
  const centers = sizes.map((_, at) => graph.node(String(at)) as { x: number; y: number; width: number; height: number });
  const boxes = centers.map(({ x, y, width, height }) => ({ x: x - width / 2, y: y - height / 2, width, height }));
  const layers = new Map<number, readonly [top: number, bottom: number]>();
  centers.forEach(({ y }, at) => {
    const [top, bottom] = layers.get(Math.round(y)) ?? [Infinity, -Infinity];
    layers.set(Math.round(y), [Math.min(top, boxes[at]!.y), Math.max(bottom, boxes[at]!.y + boxes[at]!.height)]);
  });
  const routes = joins.map(([source, target]) => {
    const { points = [], x, y } = graph.edge(String(source), String(target)) as { points?: Point[]; x?: number; y?: number };
    const at = x === undefined || y === undefined ? (points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 }) : { x, y };
    const isDown = centers[source]!.y < centers[target]!.y;
    return { points: isDown ? routed(points, boxes[source]!, boxes[target]!, layers) : points, at };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { boxes, routes, width: Math.max(0, width), height: Math.max(0, height) };
}

/** An edge from the lower side of a box to the upper side of another that goes straight down through each layer, however high its boxes are: between layers nothing is in its way. */
function routed(points: readonly Point[], source: Box, target: Box, layers: ReadonlyMap<number, readonly [top: number, bottom: number]>): Point[] {
  const inner = points.slice(1, -1).flatMap(({ x, y }) => (layers.get(Math.round(y)) ?? [y]).map((each) => ({ x, y: each })));
  const within = (x: number, box: Box) => Math.max(box.x + Math.min(8, box.width / 2), Math.min(x, box.x + box.width - Math.min(8, box.width / 2)));
  const layerOf = (box: Box) => layers.get(Math.round(box.y + box.height / 2))!;
  const from = within((inner[0] ?? points.at(-1)!).x, source);
  const to = within((inner.at(-1) ?? points[0]!).x, target);
  return [{ x: from, y: source.y + source.height }, { x: from, y: layerOf(source)[1] }, ...inner, { x: to, y: layerOf(target)[0] }, { x: to, y: target.y }];
}

/** Boxes that nothing joins, in rows as wide as the widest. */
function rows(sizes: readonly (readonly [number, { readonly width: number; readonly height: number }])[]): Level {
  const boxes = new Map<number, Box>();
  const width = Math.max(ROW, ...sizes.map(([, size]) => size.width));
  let [x, y, bottom] = [0, GAP / 2, 0];
  for (const [node, size] of sizes) {
    if (x > 0 && x + size.width > width) [x, y] = [0, bottom + GAP];
    boxes.set(node, { ...size, x, y });
    x += size.width + GAP;
    bottom = Math.max(bottom, y + size.height);
  }
  return { boxes, lines: [], width: Math.max(0, ...[...boxes.values()].map((box) => box.x + box.width)), height: bottom + GAP / 2 };
}

/** What an edge carries, in words. */
function edgeText({ types }: LevelEdge): string {
  return shortType(types[0]!) + (types.length > 1 ? ` and ${types.length - 1} more` : '');
}

/** A type without what every type has: `3x4xf32`. */
export function shortType(type: string): string {
  const found = /^tensor<(.*)>$/.exec(type)?.[1] ?? type;
  return found.length > 28 ? `${found.slice(0, 27)}…` : found;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The two lines of text of a node. */
export function nodeTexts(model: GraphModel, node: number): readonly [string, string] {
  const label = model.text(node, 'label');
  const kind = model.text(node, 'kind');
  if (kind === 'argument') return [model.text(node, 'name'), model.text(node, 'type')];
  if (model.isGroup(node)) return [label, model.counts[node] ? plural(model.counts[node], 'op') : plural(model.leaves(node), 'value')];
  return [label, model.text(node, 'type')];
}
