import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { EditorExtensionRegistry, IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';

import { cellMagic } from './magic';
import { mlir } from './mlir';

const MIME = 'text/x-mlir';

/** Colours for cells of the kernel `stablehlo`, for cells `%%stablehlo` of Python, and for `.mlir` files. */
const plugin: JupyterFrontEndPlugin<void> = {
  id: 'shlo-jupyterlab:language',
  description: 'Colours StableHLO and other MLIR.',
  autoStart: true,
  requires: [IEditorLanguageRegistry, IEditorExtensionRegistry],
  activate(app: JupyterFrontEnd, languages: IEditorLanguageRegistry, editors: IEditorExtensionRegistry) {
    languages.addLanguage({ name: 'mlir', displayName: 'MLIR', mime: MIME, extensions: ['mlir'], support: mlir() });
    app.docRegistry.addFileType({
      name: 'mlir',
      displayName: 'MLIR File',
      extensions: ['.mlir'],
      mimeTypes: [MIME],
      fileFormat: 'text'
    });
    editors.addExtension({
      name: 'shlo-jupyterlab:cell-magic',
      factory: () => EditorExtensionRegistry.createImmutableExtension(cellMagic)
    });
  }
};

export default plugin;
