import { BOX_FOLDER } from "../sandbox/sandbox.ts";

/** How the packages of a repository are installed, or why they are not. */
export type PackagePlan =
  | {
      readonly kind: "install";
      readonly command: "npm" | "pnpm" | "pip";
      readonly args: readonly string[];
      /** Text of a requirement file that takes the place of the repository's. */
      readonly requirements?: string;
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "impossible"; readonly reason: string };

/** All of these that are there are installed together, as a developer would. */
const REQUIREMENT_FILES = [
  "requirements.txt",
  "requirements-dev.txt",
  "requirements-test.txt",
  "dev-requirements.txt",
  "test-requirements.txt",
];

/** Files at the root that say which packages are needed. */
export const PACKAGE_FILES = [
  "package.json",
  ...["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
  ...REQUIREMENT_FILES,
  ...["pyproject.toml", "Pipfile"],
];

/**
 * One plan for each language that the root of the repository uses. Nothing in these texts becomes an option of a package manager.
 * @param textOf the text of one of `PACKAGE_FILES`; undefined when there is none, empty when it is not text
 */
export function packagePlans(textOf: (path: string) => string | undefined): PackagePlan[] {
  return [javascriptPlan(textOf), pipPlan(textOf)];
}

const NOT_SUPPORTED: readonly (readonly [file: string, manager: string])[] = [
  ["yarn.lock", "Yarn"],
  ["bun.lock", "Bun"],
  ["bun.lockb", "Bun"],
];

function javascriptPlan(textOf: (path: string) => string | undefined): PackagePlan {
  const text = textOf("package.json");
  if (text === undefined) return { kind: "nothing" };
  const manifest = parsed(text);
  if (manifest === undefined) return { kind: "impossible", reason: "package.json is not valid JSON" };
  if (!needsPackages(manifest)) return { kind: "nothing" };
  const has = (path: string) => textOf(path) !== undefined;
  if (has("package-lock.json") || has("npm-shrinkwrap.json")) return { kind: "install", command: "npm", args: ["ci"] };
  if (has("pnpm-lock.yaml")) return { kind: "install", command: "pnpm", args: ["install", "--frozen-lockfile"] };
  const other = NOT_SUPPORTED.find(([file]) => has(file));
  if (other !== undefined) {
    return { kind: "impossible", reason: `${other[1]} cannot be told to run no scripts of packages: npm and pnpm can` };
  }
  // Without a lock file there is nothing to hold to; none is written either, as nobody asked for one.
  return { kind: "install", command: "npm", args: ["install", "--no-package-lock"] };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Packages of other folders belong to a root with workspaces. */
function needsPackages(manifest: Record<string, unknown>): boolean {
  const groups = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "workspaces"];
  return groups.some((name) => Object.keys(Object(manifest[name])).length > 0);
}

/** Where Python packages stand, from the root: a folder that is part of no commit. Whoever runs Python puts it into PYTHONPATH. */
export const PYTHON_PACKAGES = ".venv/forge";

/**
 * A package by its name, with versions, extras and markers; no address, no folder and no option but a hash. No two parts of it can take
 * the same characters, so that no line takes long.
 */
const NAMED =
  /^[A-Za-z0-9][\w.-]*(?: ?\[[\w ,.-]*\])?(?: ?,? ?[=<>!~]{1,3} ?[\w.*+-]+)*(?: ?;(?:(?! -)[^@\\])*)?(?: --hash=sha\d+:[0-9a-f]+)*$/;
const LONGEST_LINE = 10_000;

/**
 * Python's packages are installed from requirement files only, and only where every line names a package: an address or a folder would be
 * built, by a program that it brings.
 */
function pipPlan(textOf: (path: string) => string | undefined): PackagePlan {
  const lines: string[] = [];
  for (const file of REQUIREMENT_FILES) {
    for (const line of linesOf(textOf(file) ?? "")) {
      if (isAnotherFile(line)) continue;
      if (line.length > LONGEST_LINE || !NAMED.test(line)) {
        return { kind: "impossible", reason: `${file} asks for something that is no package by its name` };
      }
      lines.push(line);
    }
  }
  if (lines.length > 0) {
    const args = ["install", "--upgrade", `--target=${BOX_FOLDER}/${PYTHON_PACKAGES}`];
    return { kind: "install", command: "pip", args, requirements: `${[...new Set(lines)].join("\n")}\n` };
  }
  const needs = /^[ \t]*dependencies\s*=\s*\[\s*["']|^\[tool\.poetry\.dependencies\]|^\[packages\]/m;
  const other = ["pyproject.toml", "Pipfile"].find((file) => needs.test(textOf(file) ?? ""));
  if (other === undefined) return { kind: "nothing" };
  return {
    kind: "impossible",
    reason: `Python's packages are installed from requirements.txt, and only ${other} names any`,
  };
}

/** Without comments, a line that ends in a backslash joined with the next. */
function linesOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, " ");
  const bare = joined.split(/\r?\n/).map((line) =>
    line
      .replace(/(?:^|\s)#.*$/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return bare.filter((line) => line !== "");
}

/** A file that is read anyway. */
function isAnotherFile(line: string): boolean {
  const named = /^(?:-r|--requirement)[\s=]*(?:\.\/)?(\S+)$/.exec(line)?.[1];
  return named !== undefined && REQUIREMENT_FILES.includes(named);
}
