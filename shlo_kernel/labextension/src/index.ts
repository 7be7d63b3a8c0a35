import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { EditorExtensionRegistry, IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { ILauncher } from '@jupyterlab/launcher';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';

import { mlirIcon } from './icon';
import { liveCells } from './live';
import { addLook } from './look';
import { addFileTile } from './launcher';
import { cellMagic } from './magic';
import { mlir } from './mlir';
import { answerPlanes } from './planes';
import { showSavedSteppers } from './saved';
import { addMovesBack } from './stepping';

const MIME = 'text/x-mlir';

/**
 * Colours for cells of the kernel `stablehlo`, for cells `%%stablehlo` of Python, for `.mlir` files and fences of Markdown;
 * findings and explanations in cells; planes of large tensors; steppers of kernels that have ended; a tile for new `.mlir` files.
 */
const plugin: JupyterFrontEndPlugin<void> = {
  id: 'shlo-jupyterlab:language',
  description: 'Colours StableHLO and other MLIR.',
  autoStart: true,
  requires: [IEditorLanguageRegistry, IEditorExtensionRegistry, IRenderMimeRegistry],
  optional: [ILauncher],
  activate(
    app: JupyterFrontEnd,
    languages: IEditorLanguageRegistry,
    editors: IEditorExtensionRegistry,
    rendermime: IRenderMimeRegistry,
    launcher: ILauncher | null
  ) {
    languages.addLanguage({
      name: 'mlir',
      displayName: 'MLIR',
      alias: ['stablehlo'],
      mime: MIME,
      extensions: ['mlir'],
      support: mlir()
    });
    app.docRegistry.addFileType({
      name: 'mlir',
      displayName: 'MLIR File',
      extensions: ['.mlir'],
      mimeTypes: [MIME],
      fileFormat: 'text',
      icon: mlirIcon
    });
    if (launcher) {
      addFileTile(app, launcher);
    }
    answerPlanes(app);
    showSavedSteppers(rendermime);
    addMovesBack(app);
    addLook();
    editors.addExtension({
      name: 'shlo-jupyterlab:cell-magic',
      factory: () => EditorExtensionRegistry.createImmutableExtension(cellMagic)
    });
    const live = liveCells(app, rendermime);
    editors.addExtension({
      name: 'shlo-jupyterlab:live-cells',
      factory: () => EditorExtensionRegistry.createImmutableExtension(live)
    });
  }
};

export default plugin;
