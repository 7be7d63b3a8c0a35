/** Errors in dark themes: the box is dark brown there, and JupyterLab's red and green of bold words are dark, too. */
const ERRORS = `
body[data-jp-theme-light='false'] .jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr'] .ansi-red-intense-fg { color: #ff9d96; }
body[data-jp-theme-light='false'] .jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr'] .ansi-green-intense-fg { color: #8ae6a5; }
`;

/** Gives the words of errors colours that can be read on the theme's box. */
export function addLook(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ERRORS);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
