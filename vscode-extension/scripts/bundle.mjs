// Bundles the extension into dist/extension.js, with the licences of what is bundled beside it.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

process.chdir(path.join(import.meta.dirname, '..'));
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

const folders = Object.keys(metafile.inputs).map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
const notices = [...new Set(folders)].filter(Boolean).sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
});
fs.writeFileSync('dist/LICENSES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
