import { type GlobItem, parseGlob } from "./parse-glob.ts";

/** A glob that can be asked about paths, or why it cannot be used: what follows its name in a sentence. */
export type CompiledGlob =
  | {
      /** Whether it matches the path, or with `below` a folder that the path stands in. */
      readonly matches: (path: string, options?: { readonly below: boolean }) => boolean;
    }
  | { readonly fault: string };

/**
 * A glob as in `.gitignore`: without a slash it matches at any depth, `*` also matches hidden files. In time proportional to the path, whatever the
 * glob is: patterns are chosen by a repository, and asked about on the main thread.
 */
export function compileGlob(glob: string): CompiledGlob {
  const trimmed = glob.replace(/^(?:\.?\/)+/, "").replace(/\/$/, "");
  const isAnchored = trimmed.includes("/") || glob.startsWith("/");
  const parsed = parseGlob(trimmed);
  if ("fault" in parsed) return parsed;
  const anyFolders = [{ is: "star" }, { is: "star" }, { is: "slash" }] as const;
  const ways = parsed.ways.filter((way) => way.length > 0);
  const automaton = new GlobAutomaton(isAnchored ? ways : ways.map((way) => [...anyFolders, ...way]));
  // An empty name means nothing.
  if (/^\.?$/.test(trimmed)) return { matches: () => false };
  return { matches: (path, { below } = { below: false }) => automaton.matches(path, below) };
}

/** A place of the automaton and what it takes; a loop takes it as often as it comes, and not at all. */
interface Step {
  readonly item: GlobItem | { readonly is: "anything" };
  /** `folders` is left only where a name begins. */
  readonly loops?: "anywhere" | "folders";
}

const ANYTHING = { is: "anything" } as const;

/**
 * All ways of a glob as one automaton whose places are bits: each letter of a path costs a few operations for every 32 places, whatever the
 * glob and the path are. Nothing is ever tried twice.
 */
class GlobAutomaton {
  readonly #steps: (Step | undefined)[] = [];
  readonly #words: number;
  readonly #begin: Uint32Array;
  readonly #end: Uint32Array;
  readonly #loops: Uint32Array;
  readonly #folders: Uint32Array;
  /** Where characters begin to be taken otherwise than those before them, in order: between two of these all are alike. */
  readonly #bounds: readonly number[];
  /** By such a span: the places that its characters move on from, and those that they stay in. */
  readonly #moves: ({ readonly on: Uint32Array; readonly stay: Uint32Array } | undefined)[] = [];

  constructor(ways: readonly (readonly GlobItem[])[]) {
    const begins: number[] = [];
    const ends: number[] = [];
    for (const way of ways) {
      begins.push(this.#steps.length);
      this.#steps.push(...stepsOf(way));
      ends.push(this.#steps.length);
      // The end takes nothing, so that no way runs into the next one.
      this.#steps.push(undefined);
    }
    this.#bounds = boundsOf(this.#steps);
    this.#words = Math.ceil(this.#steps.length / 32);
    this.#end = this.#bits((_, at) => ends.includes(at));
    this.#loops = this.#bits((step) => step?.loops === "anywhere");
    this.#folders = this.#bits((step) => step?.loops === "folders");
    this.#begin = this.#bits((_, at) => begins.includes(at));
    this.#skip(this.#begin, this.#folders);
    this.#skip(this.#begin, this.#loops);
  }

  /** @param below whether what stands below a folder that matches is matched too */
  matches(path: string, below: boolean): boolean {
    let here = Uint32Array.from(this.#begin);
    let next = new Uint32Array(this.#words);
    for (const character of path) {
      const isSlash = character === "/";
      if (isSlash && below && this.#meets(here)) return true;
      const { on, stay } = this.#movesOn(character);
      let carry = 0;
      let alive = 0;
      for (let word = 0; word < this.#words; word += 1) {
        const moved = here[word]! & on[word]!;
        const value = (moved << 1) | carry | (here[word]! & stay[word]!);
        carry = moved >>> 31;
        next[word] = value;
        alive |= value;
      }
      if (alive === 0) return false;
      if (isSlash) this.#skip(next, this.#folders);
      this.#skip(next, this.#loops);
      [here, next] = [next, here];
      if (isSlash && below && this.#meets(here)) return true;
    }
    return this.#meets(here);
  }

  #meets(places: Uint32Array): boolean {
    return places.some((word, at) => (word & this.#end[at]!) !== 0);
  }

  /** A state before a loop is also behind it. No two loops of a kind follow each other, so once is enough. */
  #skip(places: Uint32Array, loops: Uint32Array): void {
    let carry = 0;
    for (let word = 0; word < this.#words; word += 1) {
      const skipped = places[word]! & loops[word]!;
      places[word] = places[word]! | (skipped << 1) | carry;
      carry = skipped >>> 31;
    }
  }

  #movesOn(character: string) {
    const code = character.codePointAt(0)!;
    let span = 0;
    for (let above = this.#bounds.length; span < above; ) {
      const middle = (span + above) >>> 1;
      if (this.#bounds[middle]! <= code) span = middle + 1;
      else above = middle;
    }
    const known = this.#moves[span];
    if (known) return known;
    const moves = {
      on: this.#bits((step) => step?.loops === undefined && takes(step, code)),
      stay: this.#bits((step) => step?.loops !== undefined && takes(step, code)),
    };
    this.#moves[span] = moves;
    return moves;
  }

  #bits(holds: (step: Step | undefined, at: number) => boolean): Uint32Array {
    const bits = new Uint32Array(this.#words);
    for (const [at, step] of this.#steps.entries()) {
      if (holds(step, at)) bits[at >>> 5] = bits[at >>> 5]! | (1 << (at & 31));
    }
    return bits;
  }
}

const SLASH = codeOf("/");

function takes(step: Step | undefined, code: number): boolean {
  if (step === undefined) return false;
  const { item } = step;
  if (item.is === "anything") return true;
  if (item.is === "slash" || code === SLASH) return item.is === "slash" && code === SLASH;
  if (item.is === "character") return codeOf(item.character) === code;
  if (item.is !== "set") return true;
  return item.ranges.some(([from, to]) => codeOf(from) <= code && code <= codeOf(to)) !== item.negated;
}

function boundsOf(steps: readonly (Step | undefined)[]): number[] {
  const bounds = new Set([SLASH, SLASH + 1]);
  for (const step of steps) {
    const item = step?.item;
    if (item?.is === "character") bounds.add(codeOf(item.character)).add(codeOf(item.character) + 1);
    if (item?.is === "set") for (const [from, to] of item.ranges) bounds.add(codeOf(from)).add(codeOf(to) + 1);
  }
  return [...bounds].sort((a, b) => a - b);
}

function codeOf(character: string): number {
  return character.codePointAt(0)!;
}

/** Folder by folder: empty names and `.` are nothing, `**` alone stands for any folders. */
function stepsOf(way: readonly GlobItem[]): Step[] {
  const names = namesOf(way);
  const steps: Step[] = [];
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    if (isAnyFolders(name)) {
      // Behind everything else it stands for at least one name.
      if (isLast) steps.push({ item: ANYTHING }, { item: ANYTHING, loops: "anywhere" });
      else if (!isAnyFolders(names[at + 1]!)) steps.push({ item: ANYTHING, loops: "folders" });
      continue;
    }
    // No name is empty.
    if (name.every(isStar)) steps.push({ item: { is: "any" } });
    for (const [place, item] of name.entries()) {
      if (!isStar(item)) steps.push({ item });
      else if (place === 0 || !isStar(name[place - 1]!)) steps.push({ item: { is: "any" }, loops: "anywhere" });
    }
    if (!isLast) steps.push({ item: { is: "slash" } });
  }
  // Braces may leave a slash at the end: what stands before it is a folder.
  if (names.length > 0 && way.at(-1)!.is === "slash") steps.push({ item: { is: "slash" } });
  return steps;
}

function namesOf(way: readonly GlobItem[]): GlobItem[][] {
  const names: GlobItem[][] = [[]];
  for (const item of way) {
    if (item.is === "slash") names.push([]);
    else names.at(-1)!.push(item);
  }
  const isDot = (name: GlobItem[]) => name.length === 1 && name[0]!.is === "character" && name[0]!.character === ".";
  return names.filter((name) => name.length > 0 && !isDot(name));
}

function isStar({ is }: GlobItem): boolean {
  return is === "star";
}

function isAnyFolders(name: readonly GlobItem[]): boolean {
  return name.length === 2 && name.every(isStar);
}
