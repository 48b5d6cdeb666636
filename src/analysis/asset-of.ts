import { namePath } from "./name-path.ts";

/** A kind of file that programs show or play and do not execute. */
interface Asset {
  readonly called: string;
  readonly extensions: readonly string[];
  /** Whether the bytes are of that kind from the first to the last: what stands behind its end is somebody's payload. */
  readonly holds: (bytes: Buffer) => boolean;
}

const ASSETS: readonly Asset[] = [
  { called: "a picture", extensions: ["png"], holds: isPng },
  { called: "a picture", extensions: ["jpg", "jpeg"], holds: isJpeg },
  { called: "a picture", extensions: ["gif"], holds: isGif },
  { called: "a picture", extensions: ["webp"], holds: (bytes) => isRiff(bytes, "WEBP") },
  { called: "a picture", extensions: ["ico", "cur"], holds: isIcon },
  {
    called: "a picture",
    extensions: ["bmp"],
    holds: (bytes) => starts(bytes, "BM") && at32(bytes, 2) === bytes.length,
  },
  { called: "a picture", extensions: ["avif", "heic"], holds: isBoxed },
  { called: "a sound", extensions: ["wav"], holds: (bytes) => isRiff(bytes, "WAVE") },
  { called: "a film", extensions: ["mp4", "m4v", "m4a", "mov"], holds: isBoxed },
  { called: "a font", extensions: ["woff"], holds: (bytes) => isSized(bytes, "wOFF") },
  { called: "a font", extensions: ["woff2"], holds: (bytes) => isSized(bytes, "wOF2") },
  { called: "a font", extensions: ["ttf", "otf"], holds: isFont },
];

/** What a binary file is, where name and bytes agree that it is a picture, a sound, a film or a font; undefined for anything else. */
export function assetOf(path: string, bytes: Buffer): string | undefined {
  const name = namePath(path);
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const asset = ASSETS.find(({ extensions }) => extensions.includes(extension));
  return asset?.holds(bytes) && !PROGRAM.test(bytes.toString("latin1")) ? asset.called : undefined;
}

/** Every kind has room for a text within its form (comments, metadata, free boxes), which an interpreter runs when it is told to. */
const PROGRAM =
  /<\?php\b|<script\b|(?:eval|exec|system|require|import|Function|atob) {0,3}\(["'\w]|\bchild_process\b|\bprocess\.(?:argv|env)\b|#!\/(?:usr|bin)/;

function starts(bytes: Buffer, text: string, at = 0): boolean {
  return bytes.length >= at + text.length && bytes.toString("latin1", at, at + text.length) === text;
}

function at32(bytes: Buffer, at: number): number {
  return bytes.length >= at + 4 ? bytes.readUInt32LE(at) : -1;
}

function big32(bytes: Buffer, at: number): number {
  return bytes.length >= at + 4 ? bytes.readUInt32BE(at) : -1;
}

/** Chunks, each with its length, the last one `IEND` and nothing behind it. */
function isPng(bytes: Buffer): boolean {
  if (!starts(bytes, "\x89PNG\r\n\x1a\n")) return false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + big32(bytes, at);
    if (starts(bytes, "IEND", at + 4)) return end === bytes.length;
    at = end;
  }
  return false;
}

/** It ends where a picture ends; a second end before the last one may be that of a preview inside. */
function isJpeg(bytes: Buffer): boolean {
  return starts(bytes, "\xff\xd8\xff") && bytes.length > 100 && starts(bytes, "\xff\xd9", bytes.length - 2);
}

function isGif(bytes: Buffer): boolean {
  return (starts(bytes, "GIF87a") || starts(bytes, "GIF89a")) && bytes.length > 14 && bytes.at(-1) === 0x3b;
}

function isRiff(bytes: Buffer, kind: string): boolean {
  const length = at32(bytes, 4) + 8;
  return starts(bytes, "RIFF") && starts(bytes, kind, 8) && (length === bytes.length || length + 1 === bytes.length);
}

function isIcon(bytes: Buffer): boolean {
  if (!starts(bytes, "\0\0\x01\0") && !starts(bytes, "\0\0\x02\0")) return false;
  const count = bytes.length >= 6 ? bytes.readUInt16LE(4) : 0;
  let end = 6 + 16 * count;
  for (let at = 0; at < count; at += 1) end = Math.max(end, at32(bytes, 18 + 16 * at) + at32(bytes, 14 + 16 * at));
  return count > 0 && end === bytes.length;
}

/** Boxes of MP4 and its relatives, each with its length, until the end of the file. */
function isBoxed(bytes: Buffer): boolean {
  if (!starts(bytes, "ftyp", 4)) return false;
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = big32(bytes, at);
    if (length === 0) return true;
    if (length < 8) return false;
    at += length;
  }
  return at === bytes.length;
}

function isSized(bytes: Buffer, mark: string): boolean {
  return starts(bytes, mark) && big32(bytes, 8) === bytes.length;
}

/** Tables, none of which ends behind the file, and the last of which ends within the four bytes that fill it up. */
function isFont(bytes: Buffer): boolean {
  if (!["\0\x01\0\0", "OTTO", "true"].some((mark) => starts(bytes, mark)) || bytes.length < 12) return false;
  const count = bytes.readUInt16BE(4);
  let end = 12 + 16 * count;
  for (let at = 0; at < count; at += 1) end = Math.max(end, big32(bytes, 20 + 16 * at) + big32(bytes, 24 + 16 * at));
  return count > 0 && end <= bytes.length && bytes.length - end < 4;
}
