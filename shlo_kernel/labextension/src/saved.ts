import { IRenderMime, IRenderMimeRegistry } from '@jupyterlab/rendermime';

/** What of the renderer of widgets is needed here: a panel, which has a child once its widget is there. */
type WidgetRenderer = IRenderMime.IRenderer & { readonly widgets: readonly unknown[] };

const WIDGET = 'application/vnd.jupyter.widget-view+json';
const HTML = 'text/html';
const OURS = 'class="shlo-snapshot"';
const PATIENCE_MS = 3000;
const NOTE = 'The kernel of this stepper has ended: here are the steps that were saved. Run the cell for a new stepper.';

/**
 * Shows the HTML of a stepper's output where its widget is not there, as its kernel has ended or none was started.
 * Every notebook has a registry of its own, whose renderer of widgets changes with the kernel; all make renderers here.
 */
export function showSavedSteppers(rendermime: IRenderMimeRegistry): void {
  const registry = Object.getPrototypeOf(rendermime) as IRenderMimeRegistry;
  const create = registry.createRenderer;
  registry.createRenderer = function (this: IRenderMimeRegistry, mimeType: string): IRenderMime.IRenderer {
    const renderer = create.call(this, mimeType);
    if (mimeType === WIDGET) withSaved(renderer as WidgetRenderer, () => create.call(this, HTML));
    return renderer;
  };
}

function withSaved(renderer: WidgetRenderer, createHtml: () => IRenderMime.IRenderer): void {
  const renderWidget = renderer.renderModel.bind(renderer);
  let saved: IRenderMime.IRenderer | undefined;

  function hide(): void {
    saved?.node.parentElement?.remove();
    saved?.dispose();
    saved = undefined;
  }

  function show(model: IRenderMime.IMimeModel): void {
    if (renderer.isDisposed || renderer.widgets.length) return;
    if (saved) return renderer.node.replaceChildren(saved.node.parentElement!); // in place of an error that came late
    saved = createHtml();
    const note = document.createElement('small');
    note.textContent = NOTE;
    const box = document.createElement('div');
    box.append(note, saved.node);
    renderer.node.replaceChildren(box);
    void saved.renderModel(model);
  }

  renderer.renderModel = async model => {
    if (!String(model.data[HTML] ?? '').includes(OURS)) return renderWidget(model);
    hide();
    // Without a kernel the renderer waits for ever.
    const wait = setTimeout(() => show(model), PATIENCE_MS);
    await renderWidget(model);
    if (renderer.widgets.length) {
      clearTimeout(wait);
      hide();
    } else if (renderer.node.textContent?.startsWith('Error')) show(model);
  };
}
