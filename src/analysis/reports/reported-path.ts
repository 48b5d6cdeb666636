import { posix } from "node:path";
import { pathFromBytes } from "../../workspace/path-text.ts";

/** A path with one character for each byte, so that names that are not UTF-8 survive. */
type ByteText = string;

/** Where relative URIs of a report begin, by the name of the base (SARIF `originalUriBaseIds`). */
export type UriBases = Readonly<
  Record<string, { readonly uri?: string | undefined; readonly uriBaseId?: string | undefined } | undefined>
>;

/**
 * A path that a tool printed, as a path of the repository; undefined when it lies outside the checkout. Decided by the names alone: no
 * link is followed, and nothing is looked up.
 */
export function pathInCheckout(given: string, root: string): string | undefined {
  if (/^file:/i.test(given)) return uriInCheckout(given, undefined, {}, root);
  return inside(joined(bytesOf(root), slashed(bytesOf(given))), bytesOf(root));
}

/** The same for a URI of a report: percent-decoded once, relative to its base, or to the checkout when the base is not known. */
export function uriInCheckout(
  uri: string,
  baseId: string | undefined,
  bases: UriBases,
  root: string,
): string | undefined {
  const path = resolveUri(uri, baseId, bases, bytesOf(root), MOST_BASES);
  return path === undefined ? undefined : inside(path, bytesOf(root));
}

/** Bases may stand on other bases; a chain this long is a circle. */
const MOST_BASES = 10;

function resolveUri(
  uri: string,
  baseId: string | undefined,
  bases: UriBases,
  root: ByteText,
  depth: number,
): ByteText | undefined {
  if (depth === 0) return undefined;
  const file = /^file:(?:\/\/([^/\\]*))?/i.exec(uri);
  if (file !== null) {
    const host = file[1] ?? "";
    if (host !== "" && host.toLowerCase() !== "localhost") return undefined;
    return joined("/", slashed(decodePercent(uri.slice(file[0].length))));
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(uri) || /^[/\\]{2}/.test(uri)) return undefined;
  const base = baseId !== undefined && Object.hasOwn(bases, baseId) ? bases[baseId] : undefined;
  const start = base === undefined ? root : resolveUri(base.uri ?? "", base.uriBaseId, bases, root, depth - 1);
  return start === undefined ? undefined : joined(start, slashed(decodePercent(uri)));
}

/** Fragments and queries are not split off: in a report `#` and `?` are letters that a tool did not encode. */
function decodePercent(text: string): ByteText {
  return bytesOf(text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function bytesOf(text: string): ByteText {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Tools on Windows write backslashes, which are hardly ever part of a name elsewhere. */
function slashed(path: ByteText): ByteText {
  return path.replaceAll("\\", "/");
}

function joined(base: ByteText, path: ByteText): ByteText {
  return path.startsWith("/") || isDrive(path) ? path : posix.join(base, path);
}

function isDrive(path: ByteText): boolean {
  return /^[a-z]:/i.test(path);
}

function inside(path: ByteText, root: ByteText): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(path) || isDrive(path)) return undefined;
  const relative = posix.relative(posix.normalize(root), posix.normalize(path));
  if (relative === "" || relative === ".." || relative.startsWith("../")) return undefined;
  return pathFromBytes(Buffer.from(relative, "latin1"));
}
