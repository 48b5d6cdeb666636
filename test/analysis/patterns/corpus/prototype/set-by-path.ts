type Tree = Record<string, unknown>;

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

export function setByPath(target: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let node = target;
  for (const key of keys) {
    node = (node[key] ??= {}) as Tree;
  }
  // wrong: CWE-1321 walks through __proto__
  node[last] = value;
}

export function setByPathGuarded(target: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  if (keys.some((key) => FORBIDDEN.has(key))) throw new TypeError("forbidden key");
  const last = keys.pop()!;
  let node = target;
  for (const key of keys) {
    node = (node[key] ??= {}) as Tree;
  }
  // right: CWE-1321 forbidden keys throw
  node[last] = value;
}

export function setByPathHalf(target: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  if (keys.includes("__proto__")) return;
  const last = keys.pop()!;
  let node = target;
  for (const key of keys) {
    node = (node[key] ??= {}) as Tree;
  }
  // wrong: CWE-1321 constructor.prototype is left open
  node[last] = value;
}

export function parseQuery(search: string): Tree {
  const out: Tree = {};
  for (const pair of search.slice(1).split("&")) {
    const [path, value] = pair.split("=") as [string, string];
    const [outer, inner] = path.split("[") as [string, string | undefined];
    if (inner === undefined) {
      // right: CWE-1321 one level with a string value changes no prototype of others
      out[outer] = decodeURIComponent(value);
    } else {
      // wrong: CWE-1321 second level of a parsed query
      (((out[outer] as Tree) ??= {}) as Tree)[inner.slice(0, -1)] = value;
    }
  }
  return out;
}

export function count(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  // right: CWE-1321 counted in a Map
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function copy(source: Tree): Tree {
  // right: CWE-1321 a shallow spread sets own fields only
  return { ...source };
}

export function clone<T>(source: T): T {
  // right: CWE-1321 structuredClone keeps prototypes apart
  return structuredClone(source);
}

export function deepClone(source: Tree, target: Tree = {}): Tree {
  Object.keys(source).forEach((key) => {
    const value = source[key];
    // wrong: CWE-1321 recursive copy without a look at keys
    target[key] = value && typeof value === "object" ? deepClone(value as Tree, (target[key] as Tree) || {}) : value;
  });
  return target;
}
