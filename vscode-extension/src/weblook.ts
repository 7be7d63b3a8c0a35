// What can be said of a file of bytecode without a server: what its header says. Nothing here knows VS Code or Node.

const MAGIC = [0x4d, 0x4c, 0xef, 0x52] as const;
/** How many bytes of a producer are shown. */
const SHOWN = 80;

/** A file of bytecode in words, as comments of MLIR. */
export function bytecodeInWords(name: string, bytes: Uint8Array, where: string): string {
  const shown = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '_');
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) return comment([`${shown} is no MLIR bytecode: ${bytes.length} bytes.`]);
  const { version, next } = varint(bytes, MAGIC.length);
  const end = bytes.indexOf(0, next);
  const producer = new TextDecoder().decode(bytes.subarray(next, Math.min(end < 0 ? next : end, next + SHOWN)));
  return comment([
    `${shown} is MLIR bytecode version ${version}, ${bytes.length} bytes.`,
    `Producer: "${producer.replace(/[\p{C}\p{Zl}\p{Zp}"\\]/gu, '_')}"`,
    '',
    'Its text comes from the language server of shlo. That is a Python program, which needs',
    `${where}.`,
  ]);
}

/** A number as MLIR's bytecode writes it: the zeros at the end of the first byte say how many bytes follow. */
function varint(bytes: Uint8Array, start: number): { version: string; next: number } {
  const first = bytes[start] ?? 0;
  const more = first === 0 ? 8 : Math.log2(first & -first);
  if (more === 8 || start + more >= bytes.length) return { version: 'unknown', next: bytes.length };
  let value = 0n;
  for (let index = more; index >= 0; index--) value = (value << 8n) | BigInt(bytes[start + index] ?? 0);
  return { version: String(value >> BigInt(more + 1)), next: start + more + 1 };
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => `// ${line}`.trimEnd() + '\n').join('');
}
