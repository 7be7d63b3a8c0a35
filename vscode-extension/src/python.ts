// Which Python a person has selected.

import * as os from 'node:os';
import * as vscode from 'vscode';
import { expanded } from './servers';

const EXTENSION = 'ms-python.python';

/** What we use of the API of Microsoft's Python extension. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/**
 * The interpreter of the Python extension, if it is installed; else the setting `python.defaultInterpreterPath`; else
 * what `python3` is on the path. Not to be asked in a folder without trust: the folder has a say in it.
 */
export async function selectedPython(): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return (await fromExtension(folder)) ?? fromSettings(folder) ?? (process.platform === 'win32' ? 'python' : 'python3');
}

/** Tells when another interpreter is selected. */
export async function onOtherPython(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await api())?.environments?.onDidChangeActiveEnvironmentPath(changed);
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(EXTENSION);
  return extension && Promise.resolve(extension.activate()).catch(() => undefined);
}

async function fromExtension(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const environments = (await api())?.environments;
  const selected = environments?.getActiveEnvironmentPath(folder);
  const environment = selected && (await environments?.resolveEnvironment(selected));
  return environment?.executable.uri?.fsPath;
}

function fromSettings(folder: vscode.Uri | undefined): string | undefined {
  const setting = vscode.workspace.getConfiguration('python', folder).get<unknown>('defaultInterpreterPath');
  return expanded(setting, folder?.fsPath, os.homedir());
}
