import type { ReportedPlace } from "./biome-rule.ts";

/** `list.map(…);` alone, after the end of a statement or the beginning of a block. */
export function isLeftLying({ before, above }: ReportedPlace): boolean {
  if (!/^\s*(?!(?:return|await|yield|throw|case|new|typeof|void)\b)[\w$]+[.[(?!][^=]*$|^\s*[\w$]+\.$/.test(before))
    return false;
  return /(?:^|[;{}]|\*\/)\s*$/.test(above.slice(0, above.length - before.length));
}

/** Functions that overwrite themselves at their first call are shorter. */
const LONGEST_BODY = 8_000;

/** `function now() { now = Date.now; … }`: the function itself puts another in its place, as compilers write helpers. */
export function redefinesItself({ code, rest }: ReportedPlace): boolean {
  const body = bodyAfter(rest.slice(0, LONGEST_BODY));
  for (let at = body.indexOf(code); at !== -1; at = body.indexOf(code, at + code.length)) {
    const isWhole = !/[\w$.]/.test(body[at - 1] ?? "");
    if (isWhole && /^\s{0,9}=(?![=>])/.test(body.slice(at + code.length, at + code.length + 12))) return true;
  }
  return false;
}

/** From the first brace to the one that closes it, or to the end. */
function bodyAfter(text: string): string {
  const from = text.indexOf("{");
  let depth = 0;
  for (let at = from; at !== -1 && at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && --depth === 0) return text.slice(from, at);
  }
  return from === -1 ? "" : text.slice(from);
}

/** By the numbers of its characters: each of them is meant. Halves of a character are not. */
export function isWrittenInNumbers({ code }: ReportedPlace): boolean {
  return /^[\x20-\x7e]*$/.test(code) && /\\[ux]/.test(code) && !/\\ud[89a-f]/i.test(code);
}
