import { posix } from "node:path";

/** Endings that an import may leave out: code before declarations. */
export const ENDINGS = [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json", ".d.ts"];

/** By the ending of a built file: the endings that its source may have. */
export const SOURCE_ENDINGS: Readonly<Record<string, string[]>> = {
  ".js": [".js", ".ts", ".tsx", ".jsx", ".d.ts"],
  ".jsx": [".jsx", ".tsx"],
  ".mjs": [".mjs", ".mts", ".ts", ".tsx", ".d.mts"],
  ".cjs": [".cjs", ".cts", ".ts", ".tsx", ".d.cts"],
};

/** More files that begin alike are not looked through for one that ends as it is asked for. */
const MOST_ALIKE = 2_000;
/** Of all questions together: some 0.1 s. A manifest may ask 500 of them. */
const MOST_LOOKS = 2_000_000;

/** The files of a repository by their names. */
export class KnownFiles {
  readonly #index: ReadonlyMap<string, number>;
  readonly #sorted: readonly string[];
  #looks = MOST_LOOKS;

  constructor(paths: readonly string[]) {
    this.#index = new Map(paths.map((path, at) => [path, at]));
    this.#sorted = paths.toSorted();
  }

  has(path: string): boolean {
    return this.#index.has(path);
  }

  /** Its place in the list. */
  placeOf(path: string): number | undefined {
    return this.#index.get(path);
  }

  /** Whether there is a file that begins and ends so. */
  hasLike(before: string, after: string): boolean {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < before) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < Math.min(low + MOST_ALIKE, this.#sorted.length); at += 1) {
      const path = this.#sorted[at]!;
      this.#looks -= 1;
      if (this.#looks < 0) return false;
      if (!path.startsWith(before)) return false;
      if (path.endsWith(after) && path.length >= before.length + after.length) return true;
    }
    return false;
  }

  /** The file that is meant by a path that may leave out its ending, name what is built, or a folder. */
  fileOf(path: string): string | undefined {
    const ending = posix.extname(path);
    const stem = path.slice(0, path.length - ending.length);
    const built = (SOURCE_ENDINGS[ending] ?? []).map((each) => stem + each);
    const whole = [path, ...built, ...ENDINGS.map((each) => path + each)];
    return [...whole, ...ENDINGS.map((each) => posix.join(path, `index${each}`))].find((each) => this.has(each));
  }
}

const BUILT_FOLDERS = new Set(["dist", "build", "lib", "out", "es", "esm", "cjs"]);
const FORMAT_FOLDERS = new Set(["es", "esm", "cjs", "src"]);

/** Where the source of what is built may stand, the likeliest first, the path itself among it: another folder than what is built. */
export function sourcesOf(path: string): string[] {
  const parts = posix.normalize(path).split("/");
  if (!BUILT_FOLDERS.has(parts[0] ?? "") || parts.length < 2) return [path];
  let at = 1;
  while (at < parts.length - 1 && FORMAT_FOLDERS.has(parts[at]!)) at += 1;
  const rest = withoutDeclaration(parts.slice(at).join("/"));
  return [path, `src/${rest}`, rest];
}

/** A declaration is built from what is called as the code is. */
function withoutDeclaration(path: string): string {
  for (const [declaration, code] of [
    [".d.ts", ".js"],
    [".d.mts", ".mjs"],
    [".d.cts", ".cjs"],
  ] as const)
    if (path.endsWith(declaration)) return path.slice(0, -declaration.length) + code;
  return path;
}
