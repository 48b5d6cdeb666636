import { isUtf8 } from "node:buffer";
import { relative, sep } from "node:path";

/**
 * Paths in a repository are bytes; in Forge they are strings. A path in valid UTF-8 that does not begin with a double quote stands for
 * itself. Any other is written in double quotes, with `\` and three octal digits for each byte outside printable ASCII and for `"` and
 * `\`, much as git prints it: `"caf\351"`. So nothing is lost, and no two paths look the same.
 */
export function pathFromBytes(bytes: Buffer): string {
  if (isUtf8(bytes) && bytes[0] !== DOUBLE_QUOTE) return bytes.toString("utf8");
  return `"${Array.from(bytes, writtenByte).join("")}"`;
}

/** The bytes of a path that `pathFromBytes` wrote. */
export function pathToBytes(path: string): Buffer {
  if (!path.startsWith('"')) return Buffer.from(path, "utf8");
  const inner = path.slice(1, -1).replace(/\\([0-3][0-7]{2})/g, (_, octal: string) => {
    return String.fromCharCode(Number.parseInt(octal, 8));
  });
  return Buffer.from(inner, "latin1");
}

const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

function writtenByte(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f && byte !== DOUBLE_QUOTE && byte !== BACKSLASH;
  return plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
}

/** Whether a path is the folder or lies in it, by its text alone: both are resolved already. */
export function contains(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps !== ".." && !steps.startsWith(`..${sep}`);
}

/** A path as a relative URI: what is neither a letter, a digit nor one of `-._~/` is percent-encoded byte by byte. */
export function pathUri(path: string): string {
  return Array.from(pathToBytes(path), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~/]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
