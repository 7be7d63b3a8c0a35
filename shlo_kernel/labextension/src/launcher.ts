import { JupyterFrontEnd } from '@jupyterlab/application';
import { ILauncher } from '@jupyterlab/launcher';

import { mlirIcon } from './icon';

const COMMAND = 'shlo:new-mlir-file';

/** Puts a tile into JupyterLab's launcher that makes an `.mlir` file in the folder shown, and opens it. */
export function addFileTile(app: JupyterFrontEnd, launcher: ILauncher): void {
  app.commands.addCommand(COMMAND, {
    label: 'MLIR File',
    caption: 'Create a file of StableHLO or other MLIR',
    icon: mlirIcon,
    execute: async args => {
      const path = typeof args['cwd'] === 'string' ? args['cwd'] : '';
      const made = (await app.commands.execute('docmanager:new-untitled', { path, type: 'file', ext: 'mlir' })) as { readonly path: string };
      return app.commands.execute('docmanager:open', { path: made.path, factory: 'Editor' });
    }
  });
  launcher.add({ command: COMMAND, category: 'Other', rank: 1 });
}
