/** One place of a glob: what it takes of a name, never a slash. */
export type GlobItem =
  | { readonly is: "character"; readonly character: string }
  | { readonly is: "any" }
  /** Any run of characters, none too. */
  | { readonly is: "star" }
  | { readonly is: "slash" }
  | { readonly is: "set"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** The ways to read a glob whose braces are written out, or why it cannot be used: what follows its name in a sentence. */
export type ParsedGlob = { readonly ways: readonly (readonly GlobItem[])[] } | { readonly fault: string };

/** Characters of a glob. */
export const LONGEST_GLOB = 300;
/** Ways that braces may come to, and items of all ways together: what one glob may cost for each letter of a path. */
const MOST_WAYS = 100;
const MOST_ITEMS = 1_000;

type Part = GlobItem | { readonly is: "choice"; readonly options: readonly (readonly Part[])[] };

class GlobFault extends Error {}

/**
 * Reads a glob with `*`, `?`, `[a-z]`, `[!a]`, `{a,b}` and a backslash before what is meant as it stands. `**` is two stars here. Braces are
 * written out within limits; what shells know beyond that is refused, for it would be taken for something else.
 */
export function parseGlob(glob: string): ParsedGlob {
  try {
    if (glob.length > LONGEST_GLOB) throw new GlobFault(`has more than ${LONGEST_GLOB} characters`);
    return { ways: writeOut(new GlobReader(glob).parts()) };
  } catch (error) {
    if (error instanceof GlobFault) return { fault: error.message };
    throw error;
  }
}

/** Reads from left to right; as deep as braces stand in one another, which the length of a glob bounds. */
class GlobReader {
  readonly #glob: readonly string[];
  #at = 0;

  constructor(glob: string) {
    // By characters: a name may hold what UTF-16 writes as two.
    this.#glob = [...glob];
  }

  parts(): Part[] {
    const parts: Part[] = [];
    while (this.#at < this.#glob.length) parts.push(this.#part());
    return parts;
  }

  #part(): Part {
    const character = this.#glob[this.#at]!;
    this.#refuseGroup(character);
    if (character === "{") return this.#choice();
    this.#at += 1;
    if (character === "*") return { is: "star" };
    if (character === "?") return { is: "any" };
    if (character === "/") return { is: "slash" };
    if (character === "[") return this.#set() ?? { is: "character", character };
    return { is: "character", character: character === "\\" ? this.#escaped() : character };
  }

  #escaped(): string {
    const character = this.#glob[this.#at];
    if (character === undefined) throw new GlobFault("ends with a backslash");
    if (character === "/") throw new GlobFault("has a backslash before a slash");
    this.#at += 1;
    return character;
  }

  /** `+(a|b)` and the like: shells mean a group by it, and names are not written so. */
  #refuseGroup(character: string): void {
    if ("?*+@!".includes(character) && this.#glob[this.#at + 1] === "(")
      throw new GlobFault(`has a group \`${character}(…)\`, which is not known here: write \`{a,b}\`, or \`[(]\``);
  }

  #choice(): Part {
    const from = this.#at;
    this.#at += 1;
    const options: Part[][] = [[]];
    while (this.#glob[this.#at] !== "}") {
      if (this.#at >= this.#glob.length)
        throw new GlobFault("has a brace that is not closed: write `[{]` for the character");
      if (this.#glob[this.#at] === ",") {
        options.push([]);
        this.#at += 1;
      } else options.at(-1)!.push(this.#part());
    }
    this.#at += 1;
    if (options.length > 1) return { is: "choice", options };
    const inside = this.#glob.slice(from + 1, this.#at - 1).join("");
    if (/^[^{}]*\.\.[^{}]*$/.test(inside))
      throw new GlobFault(`has a range \`{${inside}}\`, which is not known here: write \`{a,b}\``);
    const brace = (character: string): Part => ({ is: "character", character });
    return { is: "choice", options: [[brace("{"), ...options[0]!, brace("}")]] };
  }

  /** From behind the bracket; undefined, and nothing read, where it is not closed. */
  #set(): GlobItem | undefined {
    let at = this.#at;
    const negated = this.#glob[at] === "!" || this.#glob[at] === "^";
    if (negated) at += 1;
    const ranges: [string, string][] = [];
    for (const first = at; at < this.#glob.length; ) {
      const character = this.#glob[at]!;
      if (character === "]" && at > first) {
        this.#at = at + 1;
        return { is: "set", negated, ranges };
      }
      if (character === "/") return undefined;
      if (character === "[" && /[:.=]/.test(this.#glob[at + 1] ?? ""))
        throw new GlobFault("has a named class such as `[[:alpha:]]`, which is not known here: write `[a-zA-Z]`");
      const from = this.#inSet(at);
      at = from.next;
      const isRange = this.#glob[at] === "-" && (this.#glob[at + 1] ?? "]") !== "]" && this.#glob[at + 1] !== "/";
      const to = isRange ? this.#inSet(at + 1) : from;
      at = to.next;
      ranges.push([from.character, to.character]);
    }
    return undefined;
  }

  #inSet(at: number): { character: string; next: number } {
    const isEscape = this.#glob[at] === "\\" && this.#glob[at + 1] !== undefined;
    return { character: this.#glob[isEscape ? at + 1 : at]!, next: at + (isEscape ? 2 : 1) };
  }
}

/** Counted before anything is written out: 18 braces are a quarter of a million ways. */
function writeOut(parts: readonly Part[]): GlobItem[][] {
  const { ways, items } = measure(parts);
  if (ways > MOST_WAYS) throw new GlobFault(`has braces with more than ${MOST_WAYS} combinations`);
  if (items > MOST_ITEMS) throw new GlobFault("has braces that come to too much when they are written out");
  return waysOf(parts);
}

function measure(parts: readonly Part[]): { ways: number; items: number } {
  let ways = 1;
  let items = 0;
  for (const part of parts) {
    const options = part.is === "choice" ? part.options.map(measure) : [{ ways: 1, items: 1 }];
    const moreWays = options.reduce((sum, option) => sum + option.ways, 0);
    const moreItems = options.reduce((sum, option) => sum + option.items, 0);
    items = items * moreWays + moreItems * ways;
    ways *= moreWays;
  }
  return { ways, items };
}

function waysOf(parts: readonly Part[]): GlobItem[][] {
  let ways: GlobItem[][] = [[]];
  for (const part of parts) {
    const options: GlobItem[][] = part.is === "choice" ? part.options.flatMap(waysOf) : [[part]];
    ways = ways.flatMap((way) => options.map((option) => [...way, ...option]));
  }
  return ways;
}
