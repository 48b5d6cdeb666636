import type { Severity } from "../../domain/findings.ts";

/** A step of a way through another file: offsets in UTF-16 units of that file's text. */
export interface ForeignStep {
  readonly path: string;
  readonly offset: number;
  readonly text: string;
}

/** What is done with a parameter, or with what is given back, on its way. */
interface Passage {
  /** Place in the list of parameters, and the members by which it is taken out of the argument; none for a source. */
  readonly parameter?: number;
  readonly access?: readonly (string | undefined)[];
  /** Bits of the dangers for which it was made harmless. */
  readonly clean: number;
  readonly joined: boolean;
  readonly sure: boolean;
  readonly resolved?: true;
  readonly steps: readonly ForeignStep[];
}

/** A parameter of an exported function gets to a place where foreign input does harm. */
export interface Inlet extends Passage {
  readonly rule: string;
  /** The row of the rule, by its key. */
  readonly row: string;
  readonly severity: Severity;
  /** The bit of its danger. */
  readonly bit: number;
  /** Harmful only where other text stands beside it. */
  readonly onlyJoined: boolean;
  readonly parameter: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Files between the caller and that place. */
  readonly hops: number;
}

/** A part of what an exported function gives back. */
export interface Outlet extends Passage {
  readonly label: string;
  readonly source?: { readonly id: string; readonly what: string; readonly remote: boolean };
}

interface FunctionSummary {
  readonly inlets: readonly Inlet[];
  /** Nothing in it: what it gives back is its own or harmless. */
  readonly returns: readonly Outlet[];
}

/**
 * All that files which import a file have to know of it. Names as an importer says them behind the module: `find`, empty for the
 * module itself, `Store().find` for a method of what an exported class makes. Lists of pairs, as it goes through JSON.
 */
export interface FileSummary {
  readonly path: string;
  readonly functions: readonly (readonly [string, FunctionSummary])[];
  /** Names that are other things: of packages (`pg:Pool()`), or of other files of the repository. */
  readonly others: readonly (readonly [string, string])[];
  /** Modules of which everything is passed on. */
  readonly passedOn: readonly string[];
  /** Files by the modules that this one asks for. */
  readonly imports: Readonly<Record<string, string>>;
}

/** How far a value is followed through files. */
const DEEPEST = 4;

/** A module's name for a file. No import is written so. */
function fileName(path: string): string {
  return `././${path}`;
}

/** Files also by the names that paths give those which an alias, a workspace or a package of Python names. */
function withTargets(imports: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.entries(imports).filter(([module, path]) => !module.startsWith(".") || path.endsWith(".py"));
  return named.length === 0
    ? imports
    : { ...imports, ...Object.fromEntries(named.map(([, path]) => [fileName(path), path])) };
}

/**
 * A path of a module of Python by that module's file: `app:db.run` where `app.db` was asked for as well, by `from app import db` or
 * `import app.db`.
 */
function submoduleOf(path: string, imports: Readonly<Record<string, string>>): string | undefined {
  const at = path.indexOf(":");
  if (at === -1) return undefined;
  const [module, member] = [path.slice(0, at), path.slice(at + 1)];
  const [names = ""] = member.split("(", 1);
  const parts = names.split(".", DEEPEST + 1);
  const target = Object.hasOwn(imports, module) ? imports[module] : undefined;
  const folder = target?.endsWith("/__init__.py") ? target.slice(0, -"/__init__.py".length) : undefined;
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count);
    const asked = [`${module}.${name.join(".")}`, `${module.replace(/\/$/, "")}/${name.join("/")}`];
    const files = [".py", "/__init__.py"].map((ending) => fileName(`${folder}/${name.join("/")}${ending}`));
    const key = [...asked, ...(folder === undefined ? [] : files)].find((each) => Object.hasOwn(imports, each));
    const file = key === undefined ? undefined : imports[key];
    if (!file?.endsWith(".py")) continue;
    return `${fileName(file)}:${member.slice(name.join(".").length).replace(/^\./, "")}`;
  }
  return undefined;
}

/** A function, or the path of something else. */
type Known = FunctionSummary | { readonly other: string };

/** What is known of other files, while one is read. */
export class Imports {
  readonly #files: ReadonlyMap<string, KnownFile>;
  readonly #own: Readonly<Record<string, string>>;

  constructor(files: ReadonlyMap<string, KnownFile>, own: Readonly<Record<string, string>>) {
    this.#files = files;
    this.#own = withTargets(own);
  }

  /** Whether a file imports any that are known, or by a name that a package could have: the others cost nothing. */
  get any(): boolean {
    return Object.entries(this.#own).some(([module, path]) => !module.startsWith(".") || this.#files.has(path));
  }

  /** What an imported function does. @param path as `Names.pathOf` gives it: `./store:find` */
  functionOf(path: string): FunctionSummary | undefined {
    const found = this.#find(path, this.#own, 0);
    return found !== undefined && "inlets" in found ? found : undefined;
  }

  /**
   * A path of a package instead, where an imported name is something of one: `pg:Pool().query` for `./db:query`. What is a file of the
   * repository is never taken for a package: `@repo/db:query` becomes a path of that file.
   */
  canonical(path: string): string {
    const at = path.indexOf(":");
    const module = path.slice(0, at);
    const target = at === -1 || !Object.hasOwn(this.#own, module) ? undefined : this.#own[module];
    const found = target === undefined ? undefined : this.#find(path, this.#own, 0);
    if (found !== undefined && "other" in found) return found.other;
    const within = found === undefined ? submoduleOf(path, this.#own) : undefined;
    if (within !== undefined) return this.canonical(within);
    if (target === undefined || module.startsWith(".")) return path;
    return `${fileName(target)}${path.slice(at)}`;
  }

  #find(path: string, imports: Readonly<Record<string, string>>, depth: number): Known | undefined {
    const found = this.#findIn(path, imports, depth);
    const within = found === undefined && depth <= DEEPEST ? submoduleOf(path, imports) : undefined;
    return within === undefined ? found : this.#find(within, imports, depth + 1);
  }

  #findIn(path: string, imports: Readonly<Record<string, string>>, depth: number): Known | undefined {
    const at = path.indexOf(":");
    if (at === -1 || depth > DEEPEST) return undefined;
    const module = path.slice(0, at);
    if (!Object.hasOwn(imports, module)) return depth === 0 || module.startsWith(".") ? undefined : { other: path };
    const file = this.#files.get(imports[module] ?? "");
    if (file === undefined) return undefined;
    const member = path.slice(at + 1);
    const known = file.functions.get(member);
    if (known !== undefined) return known;
    // The longest name that is something else, and what stands behind it.
    for (let name = member; ; name = name.slice(0, Math.max(name.search(/(?:\.[^.()]*|\(\))$/), 0))) {
      const other = file.others.get(name);
      if (other !== undefined) {
        const rest = member.slice(name.length).replace(/^\./, "");
        const dot = rest === "" || rest.startsWith("(") || other.endsWith(":") ? "" : ".";
        return this.#find(`${other}${dot}${rest}`, file.imports, depth + 1);
      }
      if (name === "") break;
    }
    for (const passed of file.passedOn) {
      const found = this.#find(`${passed}:${member}`, file.imports, depth + 1);
      if (found !== undefined && !("other" in found && found.other.startsWith(`${passed}:`))) return found;
    }
    return undefined;
  }
}

/** A summary made ready to be asked. */
export interface KnownFile {
  readonly functions: ReadonlyMap<string, FunctionSummary>;
  readonly others: ReadonlyMap<string, string>;
  readonly passedOn: readonly string[];
  readonly imports: Readonly<Record<string, string>>;
}

export function readSummary({ functions, others, passedOn, imports }: FileSummary): KnownFile {
  return { functions: new Map(functions), others: new Map(others), passedOn, imports: withTargets(imports) };
}
