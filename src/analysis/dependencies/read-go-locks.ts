import { type LockedPackage, type LockReading, lockedPackage, lockReading } from "./locked-package.ts";

/** Directives of `go.mod`, each on a line of its own or followed by a block in parentheses. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  ...["module", "go", "toolchain", "godebug", "require", "exclude", "replace", "retract", "tool", "ignore"],
]);

interface Module {
  readonly path: string;
  readonly version?: string | undefined;
  readonly line: number;
  /** No package of the module itself imports from it. */
  readonly isIndirect?: boolean;
}

interface GoMod {
  readonly required: Module[];
  /** What stands in for a module, by its path, or by path and version where only one version is replaced. */
  readonly replaced: Map<string, Module>;
  strange: number;
}

/**
 * `go.mod`: since Go 1.17 it names every module of the build. A module that `replace` names is built from what stands behind the arrow:
 * another module, or a folder.
 */
export function readGoMod(text: string): LockReading {
  const { required, replaced, strange } = parseGoMod(text);
  const told = new Set<Module>();
  const packages = required.map(({ path, version, line }): LockedPackage => {
    const found = replaced.get(`${path} ${version}`) ?? replaced.get(path);
    const used = found ?? { path, version, line };
    told.add(used);
    const isFolder = used.version === undefined;
    return goPackage(
      isFolder ? path : used.path,
      used.version ?? version ?? "",
      used.line,
      isFolder ? "link" : "registry",
    );
  });
  // What is built need not be required here: a module that another one asks for may be replaced as well.
  for (const used of replaced.values()) {
    if (used.version !== undefined && !told.has(used))
      packages.push(goPackage(used.path, used.version, used.line, "registry"));
  }
  return lockReading(packages, strange);
}

/**
 * What `go.sum` needs of a `go.mod`: the hash of the manifest of each module that it requires, after replacements, and of those from which it
 * imports that of the content.
 */
export function neededSums(
  text: string,
): readonly { readonly path: string; readonly version: string; readonly isWhole: boolean }[] {
  const { required, replaced } = parseGoMod(text);
  return required.flatMap(({ path, version = "", isIndirect = false }) => {
    const used = replaced.get(`${path} ${version}`) ?? replaced.get(path) ?? { path, version };
    return used.version === undefined ? [] : [{ path: used.path, version: used.version, isWhole: !isIndirect }];
  });
}

function goPackage(name: string, version: string, line: number, source: LockedPackage["source"]): LockedPackage {
  return lockedPackage({ ecosystem: "Go", name, version, source, line, endLine: line });
}

function parseGoMod(text: string): GoMod {
  const found: GoMod = { required: [], replaced: new Map(), strange: Number.POSITIVE_INFINITY };
  let block = "";
  for (const [index, written] of text.split("\n").entries()) {
    const line = index + 1;
    const words = wordsOf(written);
    const isClosing = words.length === 1 && words[0] === ")";
    if (words.length === 0) continue;
    const isIndirect = /\/\/[ \t]{0,20}indirect/.test(written);
    if (isClosing && block !== "") block = "";
    else if (block !== "") readDirective(block, words, { line, isIndirect }, found);
    else if (words.length === 2 && words[1] === "(" && DIRECTIVES.has(words[0]!)) block = words[0]!;
    else readDirective(words[0]!, words.slice(1), { line, isIndirect }, found);
  }
  return found;
}

interface Written {
  readonly line: number;
  readonly isIndirect: boolean;
}

function readDirective(directive: string, words: readonly string[], { line, isIndirect }: Written, found: GoMod): void {
  const tell = () => {
    found.strange = Math.min(found.strange, line);
  };
  if (!DIRECTIVES.has(directive)) tell();
  if (directive === "require") {
    const [path, version] = words;
    if (path === undefined || version === undefined || words.length > 2 || !/^v\d/.test(version)) tell();
    else found.required.push({ path, version, line, isIndirect });
  }
  if (directive === "replace") {
    const arrow = words.indexOf("=>");
    const [path, version] = words.slice(0, Math.max(0, arrow));
    const [target, targetVersion] = words.slice(arrow + 1);
    if (path === undefined || target === undefined || arrow > 2 || words.length > arrow + 3) tell();
    else
      found.replaced.set(version === undefined ? path : `${path} ${version}`, {
        path: target,
        version: targetVersion,
        line,
      });
  }
}

/** The words of a line before its comment; those in quotes without them. */
function wordsOf(written: string): string[] {
  // No path of a module has two slashes in a row.
  const comment = written.indexOf("//");
  const content = (comment === -1 ? written : written.slice(0, comment)).trim();
  const words = content === "" ? [] : content.split(/[ \t\r]+/);
  return words.flatMap((word) => (word !== "(" && word.endsWith("(") ? [word.slice(0, -1), "("] : [unquoted(word)]));
}

function unquoted(word: string): string {
  const quote = word[0];
  return word.length > 1 && (quote === '"' || quote === "`") && word.endsWith(quote) ? word.slice(1, -1) : word;
}

/** `go.sum`: hashes only; which of the modules are built, `go.mod` says. */
export function readGoSum(text: string): LockReading {
  const packages: LockedPackage[] = [];
  let strange = Number.POSITIVE_INFINITY;
  for (const [index, written] of text.split("\n").entries()) {
    const words = written.trim().split(/[ \t]+/);
    if (words.length === 1 && words[0] === "") continue;
    const line = index + 1;
    const [name = "", version = "", integrity = ""] = words;
    if (
      words.length !== 3 ||
      !isModule(name) ||
      !/^v\d[\w.+/-]*$/.test(version) ||
      !/^h\d+:[\w+/=]+$/.test(integrity)
    ) {
      strange = Math.min(strange, line);
    } else if (!version.endsWith("/go.mod")) {
      packages.push(
        lockedPackage({ ecosystem: "Go", name, version, source: "registry", integrity, line, endLine: line }),
      );
    }
  }
  return lockReading(packages, strange, { text });
}

/** Go lets paths of modules have letters, digits and a few signs. */
function isModule(path: string): boolean {
  return /^[\w.~/!-]+$/.test(path);
}
