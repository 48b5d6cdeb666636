/** Parts of Vite's settings that are its own: it says itself what their folders are for, and none brings code into other code. */
const KNOWN = /\b(?:test|resolve|build|server|preview|define|optimizeDeps|ssr|css|coverage)\s{0,20}:\s{0,20}\{/g;
/** So many are looked at: each may hold all that come behind it. */
const MOST_PARTS = 200;
/** A part with these has plugins again. */
const PLUGS = /\bplugins\b|\bextends\b|\.\.\./;

/**
 * Settings of Vite and Vitest without the parts whose folders are known to be no plugin's. What is not closed stays.
 */
export function withoutKnownParts(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let looked = 0;
  for (const found of text.matchAll(KNOWN)) {
    if (found.index < from) continue;
    looked += 1;
    if (looked > MOST_PARTS) break;
    const start = found.index + found[0].length;
    const end = endOfBlock(text, start);
    if (end === undefined) break;
    if (PLUGS.test(text.slice(start, end))) continue;
    kept.push(text.slice(from, start));
    from = end;
  }
  return kept.join("") + text.slice(from);
}

/** Where a block ends whose brace was opened before; brackets in texts and comments do not count. */
function endOfBlock(text: string, start: number): number | undefined {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === '"' || character === "'" || character === "`") at = endOfText(text, at, character);
    else if (character === "/" && text[at + 1] === "/") at = endOf(text, "\n", at);
    else if (character === "/" && text[at + 1] === "*") at = endOf(text, "*/", at + 2);
    if (depth === 0) return at;
  }
  return undefined;
}

function endOfText(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function endOf(text: string, what: string, start: number): number {
  const end = text.indexOf(what, start);
  return end === -1 ? text.length : end;
}
