import { findUnseen } from "./invisible.ts";
import { likenessOf } from "./look-alikes.ts";
import { escapeHidden } from "./show.ts";

/** What in the name of a file is not what it looks like, in sentences. */
export function odditiesOfPath(path: string): string[] {
  const shown = escapeHidden(path);
  if (/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/u.test(path) || findUnseen(path).length > 0)
    return [`The name of this file has characters that nobody sees: ${shown}`];
  const words = path.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
  return words.some((word) => likenessOf(word) === "mixed")
    ? [`The name of this file mixes letters of different scripts that look alike: ${shown}`]
    : [];
}
