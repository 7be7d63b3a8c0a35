// What the Git extension of VS Code tells.

import * as vscode from 'vscode';

/** What we use of its API. */
interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  getRepository(file: vscode.Uri): Repository | null;
  toGitUri(file: vscode.Uri, ref: string): vscode.Uri;
}

interface Repository {
  readonly state: { readonly onDidChange: vscode.Event<void> };
  getObjectDetails(ref: string, path: string): Promise<unknown>;
}

async function api(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): Git }>('vscode.git');
  return (await extension?.activate())?.getAPI(1);
}

/** The version of a file in git's last commit; nothing where it has none. */
export async function headOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const git = await api().catch(() => undefined); // it may be switched off
  const isThere = await git?.getRepository(file)?.getObjectDetails('HEAD', file.fsPath).then(() => true, () => false);
  return isThere ? git?.toGitUri(file, 'HEAD') : undefined;
}

/** Tells when a repository has another state: a commit, a staged file. Says nothing where there is no Git extension. */
export function onOtherRepositoryState(changed: () => void): vscode.Disposable {
  const subscriptions: vscode.Disposable[] = [];
  void listen(changed, subscriptions).catch(() => undefined); // it may be switched off
  return new vscode.Disposable(() => subscriptions.forEach((each) => each.dispose()));
}

async function listen(changed: () => void, subscriptions: vscode.Disposable[]): Promise<void> {
  const git = await api();
  const follow = ({ state }: Repository) => subscriptions.push(state.onDidChange(changed));
  git?.repositories.forEach(follow);
  if (git) subscriptions.push(git.onDidOpenRepository(follow));
}
