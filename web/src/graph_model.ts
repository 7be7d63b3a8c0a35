// A program as a graph: a tree of groups with operations in them, and edges between these. Of it a view draws what
// is expanded. Large groups are cut into parts, so that no level has more nodes than one can lay out and look at.

/** What Python gives (shlo/pages/graph.py): columns of the nodes; strings by their number in a table. */
export interface GraphData {
  readonly title: string;
  readonly parent: readonly number[];
  readonly line: readonly number[];
  readonly kind: readonly number[];
  readonly label: readonly number[];
  readonly name: readonly number[];
  readonly type: readonly number[];
  readonly text: readonly number[];
  readonly sharding: readonly number[];
  readonly value: readonly number[];
  readonly nonfinite: readonly number[];
  /** Source, target and the type's string, in turn. */
  readonly edges: readonly number[];
  readonly measures: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  readonly strings: readonly string[];
}

/** A value, or several, between two nodes of one level. */
export interface LevelEdge {
  readonly source: number;
  readonly target: number;
  readonly types: readonly string[];
}

export const ROOT = -1;
/** How many nodes a level has at most; a group with more is cut into parts. */
export const LEVEL = 120;

export type TextColumn = 'kind' | 'label' | 'name' | 'type' | 'text' | 'sharding' | 'value' | 'nonfinite';

export class GraphModel {
  readonly parents: number[];
  /** How many operations are in a node, itself included. */
  readonly counts: number[];
  private readonly children = new Map<number, number[]>();
  private readonly parts = new Map<number, string>();
  private readonly byLevel = new Map<number, Map<string, { source: number; target: number; types: string[] }>>();
  private readonly sums = new Map<string, Float64Array>();
  private readonly specials: string[];

  constructor(readonly data: GraphData) {
    this.parents = [...data.parent];
    this.parents.forEach((parent, node) => this.childrenOf(parent).push(node));
    for (const group of [ROOT, ...data.parent.keys()]) this.cut(group);
    const count = this.parents.length;
    const bottomUp = this.topDown().reverse();
    this.counts = new Array<number>(count).fill(0);
    this.specials = new Array<string>(count).fill('');
    for (const node of bottomUp) {
      if (this.text(node, 'kind') === 'op') this.counts[node]!++;
      this.specials[node] = worse(this.specials[node]!, this.text(node, 'nonfinite'));
      const parent = this.parents[node]!;
      if (parent !== ROOT) {
        this.counts[parent]! += this.counts[node]!;
        this.specials[parent] = worse(this.specials[parent]!, this.specials[node]!);
      }
    }
    for (const [name, found] of Object.entries(data.measures)) {
      const sums = new Float64Array(count);
      for (const [node, number] of found) sums[node] = number;
      for (const node of bottomUp) if (this.parents[node]! !== ROOT) sums[this.parents[node]!]! += sums[node]!;
      this.sums.set(name, sums);
    }
    this.place(count);
  }

  get size(): number {
    return this.parents.length;
  }

  get measures(): string[] {
    return [...this.sums.keys()];
  }

  childrenOf(group: number): number[] {
    let found = this.children.get(group);
    if (!found) this.children.set(group, (found = []));
    return found;
  }

  isGroup(node: number): boolean {
    return (this.children.get(node)?.length ?? 0) > 0;
  }

  /** How many nodes that are no groups are in a node. */
  leaves(node: number): number {
    return this.isGroup(node) ? this.childrenOf(node).reduce((sum, child) => sum + this.leaves(child), 0) : 1;
  }

  text(node: number, column: TextColumn): string {
    if (node >= this.data.parent.length) return column === 'kind' ? 'part' : column === 'label' ? this.parts.get(node)! : '';
    return this.data.strings[this.data[column][node]!] ?? '';
  }

  line(node: number): number {
    return this.data.line[node] ?? 0;
  }

  /** NaN or Inf where a run saw one in the node or below it. */
  special(node: number): string {
    return this.specials[node]!;
  }

  measure(name: string, node: number): number {
    return this.sums.get(name)?.[node] ?? 0;
  }

  /** The groups that a node is in, outer ones first. */
  ancestors(node: number): number[] {
    const found: number[] = [];
    for (let at = this.parents[node] ?? ROOT; at !== ROOT; at = this.parents[at]!) found.unshift(at);
    return found;
  }

  /** The edges between the nodes that are directly in a group: those of what is in them count as theirs. */
  edgesOf(group: number): LevelEdge[] {
    return [...(this.byLevel.get(group)?.values() ?? [])];
  }

  /** The operations that a node's values come from, or go to, with the types. */
  neighbours(node: number, direction: 'from' | 'to'): { readonly node: number; readonly type: string }[] {
    const { edges, strings } = this.data;
    const found: { node: number; type: string }[] = [];
    for (let at = 0; at < edges.length; at += 3) if (edges[at + (direction === 'from' ? 1 : 0)] === node) found.push({ node: edges[at + (direction === 'from' ? 0 : 1)]!, type: strings[edges[at + 2]!]! });
    return found;
  }

  /** The node of an operation on a line, or of the last one before it. */
  atLine(line: number): number | undefined {
    let found: number | undefined;
    this.data.line.forEach((each, node) => {
      if (each > 0 && each <= line && this.text(node, 'kind') === 'op' && (found === undefined || each >= this.line(found))) found = node;
    });
    return found;
  }

  /** The next node whose label, name or text has words in it, round about. */
  find(words: string, after: number): number | undefined {
    const wanted = words.toLowerCase();
    const count = this.data.parent.length;
    for (let step = 1; step <= count; step++) {
      const node = (after + step + count) % count;
      if ((['label', 'name', 'text'] as const).some((column) => this.text(node, column).toLowerCase().includes(wanted))) return node;
    }
    return undefined;
  }

  private topDown(): number[] {
    const order = [...this.childrenOf(ROOT)];
    for (let at = 0; at < order.length; at++) order.push(...(this.children.get(order[at]!) ?? []));
    return order;
  }

  /** Cuts a group's nodes into parts, in order, until there are few. */
  private cut(group: number): void {
    while (this.childrenOf(group).length > LEVEL) {
      const nodes = this.childrenOf(group);
      const size = Math.max(2, Math.min(LEVEL, Math.ceil(nodes.length / LEVEL) < 8 ? 60 : LEVEL));
      const parts: number[] = [];
      for (let at = 0; at < nodes.length; at += size) {
        const part = this.parents.length;
        const inside = nodes.slice(at, at + size);
        this.parents.push(group);
        this.children.set(part, inside);
        for (const node of inside) this.parents[node] = part;
        const lines = inside.map((node) => this.line(node)).filter(Boolean);
        const [first, last] = [inside[0]!, inside.at(-1)!].map((node) => this.text(node, 'label'));
        this.parts.set(part, inside.some((node) => this.text(node, 'kind') === 'scope') ? `${first} … ${last}` : lines.length ? `lines ${Math.min(...lines)} to ${Math.max(...lines)}` : `${at + 1} to ${at + inside.length}`);
        parts.push(part);
      }
      this.children.set(group, parts);
    }
  }

  /** Puts each edge to the level at which it joins two nodes of one group. */
  private place(count: number): void {
    const depths = new Int32Array(count);
    for (const node of this.topDown()) depths[node] = this.parents[node] === ROOT ? 0 : depths[this.parents[node]!]! + 1;
    const { edges, strings } = this.data;
    for (let at = 0; at < edges.length; at += 3) {
      let [source, target] = [edges[at]!, edges[at + 1]!];
      while (depths[source]! > depths[target]!) source = this.parents[source]!;
      while (depths[target]! > depths[source]!) target = this.parents[target]!;
      while (this.parents[source] !== this.parents[target]) [source, target] = [this.parents[source]!, this.parents[target]!];
      if (source === target) continue;
      const group = this.parents[source]!;
      let level = this.byLevel.get(group);
      if (!level) this.byLevel.set(group, (level = new Map()));
      const key = `${source} ${target}`;
      const known = level.get(key);
      if (known) known.types.push(strings[edges[at + 2]!]!);
      else level.set(key, { source, target, types: [strings[edges[at + 2]!]!] });
    }
  }
}

function worse(one: string, other: string): string {
  return one === 'NaN' || other === 'NaN' ? 'NaN' : one || other;
}
