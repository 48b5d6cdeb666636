import { readRequirement } from "./read-requirement.ts";
import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

const ARGUMENT =
  /\b(install_requires|setup_requires|tests_require|extras_require|dependency_links)\s{0,20}=(?!=)\s{0,200}/g;
const TOKEN = /#[^\n]*|[rRuUbBfF]{0,2}(?:"""|'''|"|')|[[({]|[\])}]|[,:+\n]|[A-Za-z_][\w.]*|\S/g;
/** Real lists are shorter. What is longer is named as not read. */
const LONGEST_VALUE = 50_000;
const MOST_ARGUMENTS = 20;

interface Value {
  readonly texts: readonly string[];
  /** What else it is made of: names and calls, which only running it would tell. */
  readonly rest: string;
}

/**
 * What `setup.py` asks for in plain lists, also where they have a name in the same file. A list that is computed is named with what computes it:
 * a change elsewhere in the file asks for nothing.
 */
export function readSetupPy(text: string): WantedPackage[] {
  return [...text.matchAll(ARGUMENT)].slice(0, MOST_ARGUMENTS).flatMap(({ 0: whole, 1: key = "", index }) => {
    const value = readValue(text, index + whole.length);
    const named = /^[A-Za-z_]\w{0,100}$/.test(value.rest) ? assigned(text, value.rest) : undefined;
    const { texts, rest } = named === undefined ? value : { texts: [...value.texts, ...named.texts], rest: named.rest };
    const computed = rest === "" ? [] : [wantedPackage("PyPI", key, rest.slice(0, 100), undefined)];
    const links =
      key === "dependency_links"
        ? texts.map((each) => wantedPackage("PyPI", key, each, undefined))
        : texts.flatMap(readRequirement);
    return [...links, ...computed];
  });
}

function assigned(text: string, name: string): Value | undefined {
  const start = text.startsWith(`${name} =`) ? 0 : text.indexOf(`\n${name} =`) + 1;
  const isThere = text.startsWith(`${name} =`, start) && text[start + name.length + 2] !== "=";
  return isThere ? readValue(text, start + name.length + 2) : undefined;
}

/** One expression, to the comma, bracket or end of line that ends it; without what its brackets are. */
function readValue(text: string, from: number): Value {
  const source = text.slice(from, from + LONGEST_VALUE);
  const [texts, rest]: [string[], string[]] = [[], []];
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(source); found !== null; found = TOKEN.exec(source)) {
    const [token] = found;
    if (/["']$/.test(token)) {
      const quote = token.replace(/^[a-zA-Z]{1,2}/, "");
      const end = source.indexOf(quote, TOKEN.lastIndex);
      if (end === -1) return { texts, rest: [...rest, "…"].join(" ") };
      const written = source.slice(TOKEN.lastIndex, end);
      TOKEN.lastIndex = end + quote.length;
      // The keys of extras are no packages.
      if (!/^\s{0,20}:/.test(source.slice(TOKEN.lastIndex, TOKEN.lastIndex + 30))) texts.push(written);
    } else if (/^[[({]$/.test(token)) depth += 1;
    else if (/^[\])}]$/.test(token)) {
      depth -= 1;
      if (depth < 0) break;
    } else if (depth === 0 && /^[,\n]$/.test(token)) break;
    else if (!/^(?:#|[,:+\n]$)/.test(token)) rest.push(token);
  }
  return { texts, rest: rest.join(" ") };
}
