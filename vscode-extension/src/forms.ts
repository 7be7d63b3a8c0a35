// The forms that a program can have in a file, and what names go with them. Nothing here knows VS Code.

import * as crypto from 'node:crypto';
import * as path from 'node:path';

export type Form = 'text' | 'bytecode' | 'artifact';

/** The scheme of the texts of bytecode: the path is that of the file. */
export const VIEW_SCHEME = 'shlo-bytecode';

/** The scheme of other texts of programs: generic, folded, transformed. */
export const SHOWN_SCHEME = 'shlo-shown';

/** The scheme of programs that functions of Python files are lowered to. */
export const LOWERED_SCHEME = 'shlo-lowered';

/** The scheme of the two texts of a comparison by structure: both programs are named in the query. */
export const COMPARED_SCHEME = 'shlo-compared';

/** How a file of MLIR bytecode starts. */
const MAGIC = [0x4d, 0x4c, 0xef, 0x52] as const;

/** Endings of names, the longest first. */
const SUFFIXES = ['.mlir.bc', '.mlirbc', '.mlir', '.bc'] as const;

/** Whether bytes are the beginning of MLIR bytecode. */
export function isBytecode(start: Uint8Array): boolean {
  return MAGIC.every((byte, index) => start[index] === byte);
}

/** The name of a program's file in another form; artifacts have their version in it. */
export function nameFor(file: string, form: Form, target?: string): string {
  const suffix = SUFFIXES.find((each) => file.toLowerCase().endsWith(each)) ?? '';
  const stem = file.slice(0, file.length - suffix.length);
  if (form === 'artifact') return `${stem}.${(target ?? '').replaceAll('.', '_')}.mlir.bc`;
  return `${stem}${form === 'text' ? '.mlir' : '.mlirbc'}`;
}

/** What is wrong with what somebody wrote as a version; nothing if it can be one. */
export function versionFault(text: string): string | undefined {
  return /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(text.trim()) ? undefined : 'A version of StableHLO is three numbers, such as 1.4.0.';
}

/** What the server says about a conversion: why the form cannot hold the program, and which version can. */
export interface Conversion {
  readonly reasons: readonly string[];
  readonly first: string | null;
}

/** A refusal in words: the version that was asked for, the first reasons, the version that can. */
export function refusalText({ reasons, first }: Conversion, target: string | undefined, shown = 3): string {
  const what = target === undefined ? 'Bytecode' : `An artifact for StableHLO ${target}`;
  const more = reasons.length > shown ? ` (and ${reasons.length - shown} more)` : '';
  const since = first === null ? '' : ` The first version that can is ${first}.`;
  return `${what} cannot hold this program: ${reasons.slice(0, shown).join('; ')}${more}.${target === undefined ? '' : since}`;
}

/** What stands in the place of a text that no server makes. */
export function textWithoutServer(file: string, trusted: boolean): string {
  const name = path.basename(file).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '_');
  const lines = [
    `${name} is MLIR bytecode. Its text comes from the language server of shlo, and none is running.`,
    ...(trusted
      ? []
      : ["This folder is not trusted: only a server from your user settings or of the extension's own environment is used."]),
    '',
    '"StableHLO: Create Environment" makes one, "StableHLO: Restart Language Server" looks again,',
    '"StableHLO: Show Log" says what is missing.',
  ];
  return lines.map((line) => `// ${line}`.trimEnd() + '\n').join('');
}

/** What stands in a comparison for a file that is no MLIR bytecode: different files have different texts. */
export function otherText(file: string, bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  const name = path.basename(file).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '_');
  return `// ${name} is no MLIR bytecode: ${bytes.length} bytes, SHA-256 ${crypto.createHash('sha256').update(bytes).digest('hex')}\n`;
}

/** What the server says about two programs; `reason`: why it could not compare them by structure. */
export interface Compared {
  readonly before: string;
  readonly after: string;
  readonly differs: boolean;
  readonly lines: readonly string[];
  readonly reason: string | null;
}

/** The title of a comparison: what is compared, and how much differs. */
export function comparisonTitle(title: string, { lines }: Compared): string {
  const summary = lines.at(-1);
  return summary ? `${title}: ${summary}` : title;
}
