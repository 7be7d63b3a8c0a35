import { JupyterFrontEnd } from '@jupyterlab/application';
import { CommandToolbarButton, LabIcon, runIcon, stepOverIcon } from '@jupyterlab/ui-components';

import { kernelOf } from './places';

/** What of JupyterLab's debugger panel is needed here. */
interface DebuggerPanel {
  readonly callstack?: { readonly toolbar?: { addItem(name: string, widget: CommandToolbarButton): boolean } };
}

const TURNED = 'transform="matrix(-1 0 0 1 {} 0)"';

/** Moves that the panel of JupyterLab has no buttons for: a session of StableHLO goes back, too. */
const MOVES = [
  { command: 'shlo:step-back', label: 'Step Back (StableHLO)', request: 'stepBack', keys: 'Alt F10', like: stepOverIcon },
  { command: 'shlo:reverse', label: 'Continue Back (StableHLO)', request: 'reverseContinue', keys: 'Alt F9', like: runIcon }
] as const;

/** Adds commands, keys and buttons that go back to JupyterLab's debugger. */
export function addMovesBack(app: JupyterFrontEnd): void {
  let number = 0;
  const kernel = () => {
    const place = app.shell.currentWidget;
    return place ? kernelOf(app, place.node) : undefined;
  };
  for (const { command, label, request, keys, like } of MOVES) {
    app.commands.addCommand(command, {
      label,
      caption: label,
      icon: turned(command, like),
      isEnabled: () => kernel()?.name.includes('stablehlo') ?? false,
      execute: () =>
        kernel()?.requestDebug({ type: 'request', seq: ++number, command: request, arguments: { threadId: 1 } }).done
    });
    app.commands.addKeyBinding({ command, keys: [keys], selector: '.jp-Notebook' });
  }
  // A notebook that comes to the front may be another kernel's.
  document.addEventListener('focusin', () => MOVES.forEach(({ command }) => app.commands.notifyCommandChanged(command)));
  void app.restored.then(() => {
    for (const widget of app.shell.widgets('right')) {
      const toolbar = (widget as DebuggerPanel).callstack?.toolbar;
      for (const { command } of toolbar ? MOVES : []) {
        toolbar!.addItem(command, new CommandToolbarButton({ commands: app.commands, id: command, label: '' }));
      }
    }
  });
}

/** An icon that points to the left. */
function turned(name: string, icon: LabIcon): LabIcon {
  const width = Number(/viewBox="\S+ \S+ (\S+)/.exec(icon.svgstr)?.[1] ?? 24);
  const svgstr = icon.svgstr.replace(/(<svg[^>]*>)([\s\S]*)(<\/svg>)/, `$1<g ${TURNED.replace('{}', `${width}`)}>$2</g>$3`);
  return new LabIcon({ name, svgstr });
}
