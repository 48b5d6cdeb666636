/** Names that people give a script which only checks types. */
const SCRIPTS = ["typecheck", "type-check", "check-types", "check:types", "types", "tsc"];

/**
 * How this project checks its types, as a call of `run_command` in words; undefined where there is nothing to check them with. Reads the
 * manifest, never runs it.
 * @param textOf text of a file at the root
 * @param configured `tools.typecheck` of the configuration, which stands above what is found
 */
export function findTypeCheck(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  configured?: readonly string[],
): string | undefined {
  const [program, ...args] = configured ?? [];
  if (program !== undefined) return call(program, args);
  const known = new Set(paths);
  const { scripts, packages } = readManifest(textOf("package.json"));
  const script = SCRIPTS.find((name) => scripts.has(name));
  if (script !== undefined) return call("npm", ["run", script]);
  if (known.has("tsconfig.json") && packages.has("typescript")) return call("tsc", ["--noEmit"]);
  if (/\[tool\.mypy|\[mypy\]/.test(`${textOf("pyproject.toml") ?? ""}\n${textOf("mypy.ini") ?? ""}`))
    return call("mypy", ["."]);
  if (known.has("go.mod")) return call("go", ["vet", "./..."]);
  if (known.has("Cargo.toml")) return call("cargo", ["check", "--offline"]);
  return undefined;
}

/** How types and style are checked here, each as a call of `run_command` in words: what the configuration says, and of types what is found. */
export function findChecks(
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  { typecheck, lint = [] }: { readonly [Tool in "typecheck" | "lint"]?: readonly string[] | undefined },
): { readonly typeCheck: string | undefined; readonly lint: string | undefined } {
  const [program, ...args] = lint;
  return {
    typeCheck: findTypeCheck(paths, textOf, typecheck),
    lint: program === undefined ? undefined : call(program, args),
  };
}

function call(program: string, args: readonly string[]): string {
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
