import { pipPlan, REQUIREMENT_FILES } from "./pip-plan.ts";

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
