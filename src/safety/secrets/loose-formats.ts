import { readUserAndPassword } from "./decode-secret.ts";
import { isPlaceholder } from "./placeholders.ts";
import { looksRandom, meanRun } from "./randomness.ts";
import type { SecretFormat } from "./secret-format.ts";

/** What is hidden and yet no finding: parts of tokens, what stands in a header, the password of an address. Hints in lower case. */
export interface LooseFormat extends Pick<SecretFormat, "hints" | "inside" | "accepts"> {
  /** Sticky; group 1, where there is one, is what is hidden. */
  readonly pattern: RegExp;
  /** Whether it is longer than what the pattern looks at: up to the first character that no token has. */
  readonly goesOn?: boolean;
}

/** What may stand in an address or a header without being code: no quotation mark, bracket or semicolon. */
const ADDRESS = String.raw`[^\s/?#"'\x60<>()[\]{};,\\]`;

/**
 * Wider than the formats of the scanner, and more careful with code: what words are made of is none. Nothing here can hold more than one
 * value, so that no code is ever hidden in one.
 */
export const LOOSE_FORMATS: readonly LooseFormat[] = [
  // Cut off, or of a kind to come; without a boundary on the left only where nothing but chance can be meant.
  {
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9_]{20,255}(?:\.[A-Za-z0-9_-]{1,4096}){0,2}/iy,
    accepts: (value) => looksLikeKey(value.slice(4)),
  },
  {
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,255}/y,
    accepts: (value) => looksLikeKey(value.slice(4)),
  },
  {
    hints: ["github_pat_"],
    pattern: /github_pat_[A-Za-z0-9_]{20,255}/y,
    accepts: (value) => looksLikeKey(value.slice(11)),
  },
  { hints: ["v1."], pattern: /(?<![A-Za-z0-9])v1\.[0-9a-f]{40}(?![0-9a-f])/y },
  {
    hints: ["eyj"],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/y,
    accepts: (value) => looksLikeKey(value) && holdsClaims(value),
  },
  {
    hints: ["sk-"],
    pattern: /(?<![A-Za-z0-9_-])sk-(?:ant-)?[A-Za-z0-9_-]{32,255}/y,
    accepts: (value) => looksLikeKey(value.slice(3)),
  },
  { hints: ["akia", "asia"], pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])/y },
  {
    hints: ["xox"],
    pattern: /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,255}/y,
    accepts: (value) => /\d/.test(value),
  },
  { hints: ["aiza"], pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/y },
  { hints: ["npm_"], pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/y, accepts: looksLikeKey },
  { hints: ["glpat-"], pattern: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,255}/y, accepts: looksLikeKey },
  {
    hints: ["authorization"],
    pattern:
      /authorization\\{0,2}["'`]?[ \t]{0,8}[:=][ \t]{0,8}\\{0,2}["'`]?(?:(?:basic|bearer|token|apikey|digest)[ \t]{1,8})?([A-Za-z0-9._~+/=-]{8,400})/iy,
    accepts: opensSomething,
    goesOn: true,
  },
  {
    hints: ["basic", "bearer"],
    pattern: /(?<![A-Za-z0-9_])(?:basic|bearer)[ \t]{1,8}([A-Za-z0-9._~+/=-]{12,400})/iy,
    accepts: opensSomething,
    goesOn: true,
  },
  { hints: ["://"], pattern: new RegExp(`://[^\\s:/?#@"'\`<>()[\\]{};]{0,256}:(${ADDRESS}{1,512})(?=@)`, "y") },
  { hints: ["://"], pattern: /:\/\/([^\s:/?#@"'`<>()[\]{};,\\$]{20,512})(?=@)/y },
];

/** Behind `Basic` or `Bearer`: what was made by chance, and passwords that are none of a manual; no name, word or placeholder. */
function opensSomething(value: string): boolean {
  const credentials = readUserAndPassword(value);
  if (credentials) return !isPlaceholder("basic-auth", credentials.password, credentials.password);
  return !isPlaceholder("", value, value) && looksLikeKey(value);
}

/** What the middle of a signed token is: claims in JSON, or encrypted bytes. Any other text in it may be code, which a reader has to see. */
function holdsClaims(token: string): boolean {
  const middle = Buffer.from(token.split(".")[1]!, "base64url");
  // Of what is encrypted every third byte looks like a letter.
  const letters = middle.filter((byte) => byte >= 9 && byte < 127).length;
  return letters < 0.7 * middle.length || middle.toString("latin1").startsWith('{"');
}

/** Letters and digits in no order that words have. */
function looksLikeKey(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return looksRandom(value) || meanRun(value) < 3.6;
}
