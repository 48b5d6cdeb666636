/** A value from a context that an expression can yield. */
export interface Yielded {
  /** `["github", "event", "issue", "title"]`, in small letters as GitHub compares them. `*` stands for any name or number. */
  readonly path: readonly string[];
  /** It is written out with all that it contains: `toJSON(github.event)`. */
  readonly whole: boolean;
}

/**
 * What is known of the values at a place: `env.title`, `matrix.os.name`, `steps.id.outputs.x`, `needs.job.outputs.x` and `inputs.x`, in
 * small letters as GitHub compares them, each part ended by a line break, with what they yield from `github` or `inputs`. `*` stands for
 * any name. `$TITLE` is the variable that scripts read, in their spelling. What yields nothing of that kind is not listed.
 */
export type Values = ReadonlyMap<string, readonly Yielded[]>;

/** So many values a workflow has at most. Names that refer to all the others, and those again, would multiply them. */
const MOST_YIELDS = 200;

/** How many names lead to a value of these contexts. Those of a matrix can lie deeper. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ["env", 2],
  ["inputs", 2],
  ["matrix", 2],
  ["steps", 4],
  ["needs", 4],
]);

/** A value with the names that lead to it; none takes away what was known. */
export type NamedValue = readonly [path: readonly string[], yields: readonly Yielded[]];

export function variableKey(name: string): string {
  return `$${name}`;
}

function keyOf(path: readonly string[]): string {
  return path.map((part) => `${part.toLowerCase()}\n`).join("");
}

/** The values with these put in place of those of the same name. */
export function withValues(known: Values, more: readonly NamedValue[]): Values {
  if (more.length === 0) return known;
  const all = new Map(known);
  for (const [path, yields] of more) {
    all.set(keyOf(path), yields);
    if (path[0] === "env") all.set(variableKey(path[1] ?? ""), yields);
  }
  return bounded(all);
}

function bounded(all: ReadonlyMap<string, readonly Yielded[]>): Values {
  let left = MOST_YIELDS;
  const kept = new Map<string, readonly Yielded[]>();
  for (const [key, yields] of all) {
    if (left > 0 && yields.length > 0) kept.set(key, yields.slice(0, left));
    // A variable is another name of the same value.
    if (!key.startsWith("$")) left -= yields.length;
  }
  return kept;
}

/** What a path yields; itself where its context is not followed, or where it names an object. Takes a path in small letters. */
export function valuesAt(values: Values, path: readonly string[]): Yielded[] {
  const [context = ""] = path;
  const depth = DEPTHS.get(context);
  if (depth === undefined || path.length < depth) return [{ path, whole: false }];
  // Only a matrix has values with parts; all others are texts.
  const found = path.length > depth && context !== "matrix" ? [] : matching(values, path);
  return context === "inputs" && path.length === depth ? [...found, { path, whole: false }] : found;
}

/** All values below a path that names an object: what `toJSON(env)` writes out. Undefined for other paths. */
export function valuesBelow(values: Values, path: readonly string[]): Yielded[] | undefined {
  const depth = DEPTHS.get(path[0] ?? "");
  if (depth === undefined || (path.length >= depth && path[0] !== "matrix")) return undefined;
  const below = matching(values, path);
  return path[0] === "inputs" ? [...below, { path, whole: true }] : below;
}

function matching(values: Values, path: readonly string[]): Yielded[] {
  const exact = path.includes("*") ? undefined : values.get(keyOf(path));
  if (exact !== undefined) return [...exact];
  return [...values].flatMap(([key, yields]) => (!key.startsWith("$") && meets(key.split("\n"), path) ? yields : []));
}

/** Whether one of the two leads to the other, or to a part of it. @param key with an empty last part */
function meets(key: readonly string[], path: readonly string[]): boolean {
  const length = Math.min(key.length - 1, path.length);
  for (let at = 0; at < length; at += 1) if (key[at] !== path[at] && key[at] !== "*" && path[at] !== "*") return false;
  return true;
}
