/** Names that people give a script which only checks types. */
const SCRIPTS = ["typecheck", "type-check", "check-types", "check:types", "types", "tsc"];

/** A program of the repository, as `run_command` takes it. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * How this project checks its types; undefined where there is nothing to check them with. Reads the
 * manifest, never runs it.
 * @param textOf text of a file at the root
 * @param configured `tools.typecheck` of the configuration, which stands above what is found
 */
export function findTypeCheck(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  configured?: readonly string[],
): ProgramCall | undefined {
  const [program, ...args] = configured ?? [];
  if (program !== undefined) return callOf(program, args);
  const known = new Set(paths);
  const { scripts, packages } = readManifest(textOf("package.json"));
  const script = SCRIPTS.find((name) => scripts.has(name));
  if (script !== undefined) return callOf("npm", ["run", script]);
  if (known.has("tsconfig.json") && packages.has("typescript")) return callOf("tsc", ["--noEmit"]);
  if (/\[tool\.mypy|\[mypy\]/.test(`${textOf("pyproject.toml") ?? ""}\n${textOf("mypy.ini") ?? ""}`))
    return callOf("mypy", ["."]);
  if (known.has("go.mod")) return callOf("go", ["vet", "./..."]);
  if (known.has("Cargo.toml")) return callOf("cargo", ["check", "--offline"]);
  return undefined;
}

/** How types and style are checked here: what the configuration says, and of types what is found. */
export function findChecks(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  { typecheck, lint = [] }: { readonly [Tool in "typecheck" | "lint"]?: readonly string[] | undefined },
): { readonly typeCheck: ProgramCall | undefined; readonly lint: ProgramCall | undefined } {
  const [program, ...args] = lint;
  return {
    typeCheck: findTypeCheck(paths, textOf, typecheck),
    lint: program === undefined ? undefined : callOf(program, args),
  };
}

function callOf(program: string, args: readonly string[]): ProgramCall {
  return { program, args };
}

/** The call in words for a model. */
export function sayCall({ program, args }: ProgramCall): string {
  return `run_command with program ${JSON.stringify(program)} and args ${JSON.stringify(args)}`;
}

function readManifest(text: string | undefined): { scripts: ReadonlySet<string>; packages: ReadonlySet<string> } {
  try {
    const manifest = JSON.parse(text ?? "{}") as Record<string, object | undefined> | null;
    const keys = (...names: readonly string[]) => new Set(names.flatMap((name) => Object.keys(manifest?.[name] ?? {})));
    return { scripts: keys("scripts"), packages: keys("dependencies", "devDependencies") };
  } catch {
    return { scripts: new Set(), packages: new Set() };
  }
}
