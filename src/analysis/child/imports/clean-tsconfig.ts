import { posix } from "node:path";
import { Fields, type Literal, readData } from "./read-literals.ts";

/** As much of a `tsconfig.json` as says what an import leads to; nothing in it leads out of the repository. */
export interface CleanTsconfig {
  readonly path: string;
  readonly options: CleanOptions;
  /** As they are written: others like it, and packages. */
  readonly extended: readonly string[];
  /** From the root. */
  readonly references: readonly string[];
  readonly files: Readonly<Record<string, readonly string[]>>;
}

interface CleanOptions {
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  readonly rootDirs?: readonly string[];
}

const MOST_LISTED = 300;
const MOST_TARGETS = 10;
const CONFIG_FOLDER = `\${configDir}`;

export function cleanTsconfig(path: string, text: string): CleanTsconfig {
  const folder = posix.dirname(path);
  const data = readData(text);
  const fields = data instanceof Fields ? data.entries : new Map<string, Literal>();
  const given = fields.get("compilerOptions");
  const options = given instanceof Fields ? given.entries : new Map<string, Literal>();
  const baseUrl = texts(options.get("baseUrl")).find((each) => isWithin(folder, each));
  const from = baseUrl === undefined || baseUrl.startsWith(CONFIG_FOLDER) ? folder : posix.join(folder, baseUrl);
  const paths = options.get("paths");
  const rootDirs = texts(options.get("rootDirs")).filter((each) => isWithin(folder, each));
  const references = fields.get("references");
  return {
    path,
    options: {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(paths instanceof Fields ? { paths: cleanPaths(paths, from) } : {}),
      ...(rootDirs.length === 0 ? {} : { rootDirs }),
    },
    extended: texts(fields.get("extends")),
    references: (Array.isArray(references) ? (references as readonly Literal[]) : [])
      .slice(0, MOST_LISTED)
      .flatMap((each) => (each instanceof Fields ? texts(each.entries.get("path")) : []))
      .map((each) => posix.join(folder, each)),
    files: Object.fromEntries(
      ["files", "include", "exclude"].flatMap((name) => {
        const value = fields.get(name);
        return Array.isArray(value) ? [[name, texts(value).filter((each) => isWithin(folder, each))]] : [];
      }),
    ),
  };
}

/** Without what is given to packages of others: types of them, most often. */
function cleanPaths(paths: Fields, from: string): Record<string, string[]> {
  const kept = [...paths.entries].slice(0, MOST_LISTED).flatMap(([name, value]) => {
    const targets = texts(value).filter((each) => isWithin(from, each) && !each.split("/").includes("node_modules"));
    return targets.length === 0 ? [] : [[name, targets.slice(0, MOST_TARGETS)] as const];
  });
  return Object.fromEntries(kept) as Record<string, string[]>;
}

function texts(value: Literal): string[] {
  const list = Array.isArray(value) ? (value as readonly Literal[]) : [value];
  return list.slice(0, MOST_LISTED).filter((each) => typeof each === "string");
}

function isWithin(folder: string, path: string): boolean {
  if (path.startsWith(CONFIG_FOLDER)) return !posix.normalize(path.slice(CONFIG_FOLDER.length + 1)).startsWith("..");
  return !posix.isAbsolute(path) && !path.includes("\\") && !posix.join(folder, path).startsWith("..");
}
