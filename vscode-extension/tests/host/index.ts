// What VS Code calls to run the tests in its extension host: mocha, on the installed extension.

import * as fs from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';

/** Runs all tests; leaves what they found in `host-tests.txt` of the folder that is open. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: false });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, null as never, mocha);
  await import('./features.test');
  await import('./bytecode.test');
  await import('./embedded.test');
  const lines: string[] = [];
  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', (test) => lines.push(`passed ${test.fullTitle()}`))
      .on('fail', (test, error: Error) => lines.push(`FAILED ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '.';
  fs.writeFileSync(path.join(folder, 'host-tests.txt'), `${lines.join('\n')}\n`);
  if (failures) throw new Error(`${failures} failed`);
}
