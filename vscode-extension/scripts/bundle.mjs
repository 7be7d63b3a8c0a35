// Bundles the extension into dist/extension.js, and what of it runs in a browser into dist/web.js, with the licences of what is bundled beside it.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

process.chdir(path.join(import.meta.dirname, '..'));
/** Views of tensors, from ../web: for our panel, and (`bundle.mjs web`) as a script for any other page. */
const views = { bundle: true, minify: true, platform: 'browser', target: 'es2022', loader: { '.css': 'text' }, logLevel: 'warning' };
/** The licences of the packages of which something is in a bundle. */
function notices(metafile) {
  const folders = Object.keys(metafile.inputs).map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders)].filter(Boolean).sort().map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
}

if (process.argv[2] === 'web') {
  for (const [name, entry] of [['tensor_view', 'index'], ['graph_view', 'graph_index'], ['source_view', 'source_index'], ['timeline_view', 'timeline_index'], ['report_view', 'report_index'], ['replay_view', 'replay_index']]) {
    const options = { ...views, entryPoints: { [name]: `../web/src/${entry}.ts` }, outdir: '../web/dist', format: 'iife', metafile: true, legalComments: 'none' };
    const { metafile } = await esbuild.build({ ...options, write: false });
    const licences = notices(metafile).join('\n');
    await esbuild.build({ ...options, banner: { js: licences ? `/*\n${licences.replaceAll('*/', '* /')}*/` : '' } });
  }
  process.exit();
}
const pages = ['panel', 'debug'].map((name) => {
  fs.mkdirSync('dist', { recursive: true });
  fs.copyFileSync(`../web/src/${name}.css`, `dist/${name}.css`);
  return esbuild.build({ ...views, entryPoints: [`../web/src/${name}.ts`], outfile: `dist/${name}.js`, format: 'iife', metafile: true });
});
const inPages = await Promise.all(pages);
const { metafile } = await esbuild.build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  metafile: true,
  logLevel: 'warning',
});

await esbuild.build({
  entryPoints: ['src/web.ts'],
  outfile: 'dist/web.js',
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  format: 'cjs',
  external: ['vscode'],
  logLevel: 'warning',
});

const inputs = Object.assign({}, metafile.inputs, ...inPages.map((page) => page.metafile.inputs));
fs.writeFileSync('dist/LICENSES.txt', notices({ inputs }).join(`\n${'-'.repeat(80)}\n\n`));
