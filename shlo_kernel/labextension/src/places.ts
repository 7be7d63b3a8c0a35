import { JupyterFrontEnd } from '@jupyterlab/application';

import { Kernel } from './channel';

/** What of a notebook's cell is needed here. */
interface Cell {
  readonly node: HTMLElement;
  readonly model: { readonly type: string; readonly sharedModel: { readonly source: string } };
}

/** What of the widget of a notebook or a console is needed here. */
interface Place {
  readonly node: HTMLElement;
  readonly sessionContext?: { readonly ready: Promise<void>; readonly session?: { readonly kernel?: Kernel | null } | null };
  readonly content?: { readonly widgets?: readonly Cell[] };
}

/** The kernel of the notebook or console that a node is in. */
export function kernelOf(app: JupyterFrontEnd, node: Node): Kernel | undefined {
  return placeOf(app, node)?.sessionContext?.session?.kernel ?? undefined;
}

/** The kernel of the notebook or console that a node is in, once it is there and answers. */
export async function readyKernelOf(app: JupyterFrontEnd, node: Node): Promise<Kernel | undefined> {
  await placeOf(app, node)?.sessionContext?.ready;
  const kernel = kernelOf(app, node);
  await kernel?.info;
  return kernel;
}

/** The texts of the code cells above the one that a node is in; undefined where that is no code cell. */
export function cellsAbove(app: JupyterFrontEnd, node: Node): string[] | undefined {
  const above: string[] = [];
  for (const cell of placeOf(app, node)?.content?.widgets ?? []) {
    if (cell.node.contains(node)) return cell.model.type === 'code' ? above : undefined;
    if (cell.model.type === 'code') above.push(cell.model.sharedModel.source);
  }
  return undefined;
}

function placeOf(app: JupyterFrontEnd, node: Node): Place | undefined {
  const host = node.getRootNode() instanceof ShadowRoot ? (node.getRootNode() as ShadowRoot).host : node;
  for (const widget of app.shell.widgets('main')) {
    const place = widget as unknown as Place;
    if (place.sessionContext && place.node.contains(host)) return place;
  }
  return undefined;
}
