import { parseYaml } from "../parse-yaml.ts";
import { BOX_FOLDER, type INSTALLERS } from "../sandbox/sandbox.ts";
import { ownPackages, PYTHON_LOCKS, PYTHON_PACKAGES, planPip, REQUIREMENT_FILES } from "./pip-plan.ts";

/** How the packages of a repository are installed, or why they are not. */
export type PackagePlan =
  | {
      readonly kind: "install";
      readonly manager: Manager;
      readonly args: readonly string[];
      /** Files in the folder that is installed into, by path. It holds nothing else of the repository. */
      readonly inputs: ReadonlyMap<string, string>;
      /** Text of a requirement file that takes the place of the repository's. */
      readonly requirements?: string;
      /** Notes for people, in sentences. */
      readonly notes?: readonly string[];
      /** The alternative where a registry has no version that is old enough. */
      readonly ifTooNew?: { readonly args: readonly string[]; readonly notes: readonly string[] };
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "impossible"; readonly reason: string };

export type Wanted = Extract<PackagePlan, { kind: "install" }>;

export interface Manager {
  readonly name: (typeof INSTALLERS)[number];
  /** One version, or a range where the repository names none; npm and pip are the machine's own. */
  readonly version?: string;
}

/** Files at the root that say which packages in which version: without one of them others would be installed than are meant. */
export const LOCK_FILES: readonly string[] = [
  ...["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
  ...PYTHON_LOCKS,
];

/** Files at the root that say which packages are needed. */
const ROOT_FILES = [
  "package.json",
  ...LOCK_FILES,
  ...[".npmrc", "pnpm-workspace.yaml", ".yarnrc.yml"],
  ...REQUIREMENT_FILES,
  ...["pyproject.toml", "Pipfile"],
];

/** More folders with packages of their own have no workspaces that we know of. */
const MOST_MANIFESTS = 2_000;

/** The files of a repository that a plan is made from. */
export function packageFiles(paths: readonly string[]): string[] {
  const root = new Set(ROOT_FILES);
  const others = paths.filter(
    (path) => /(?:^|\/)package\.json$|\.patch$/.test(path) && !/(?:^|\/)node_modules\//.test(path),
  );
  return [
    ...paths.filter((path) => root.has(path)),
    ...others.filter((path) => !root.has(path)).slice(0, MOST_MANIFESTS),
  ];
}

/** The input of plans. */
export interface PlanRequest {
  /** Of `packageFiles`; empty for one that is no text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly day: string | undefined;
  /** Hosts that packages may come from. */
  readonly registries: readonly string[];
  /** Why the manager that the repository names cannot be had, so that npm takes its place. */
  readonly without?: string;
}

/**
 * One plan for each language that the root of the repository uses. Nothing in these texts becomes an option of a package manager.
 * @param texts of `packageFiles`; empty for one that is no text
 * @param day of what the change was made on, as `2026-01-31`: without a lock file nothing newer is installed
 * @param registries hosts that packages may come from
 */
export function packagePlans(
  texts: ReadonlyMap<string, string>,
  day: string | undefined,
  registries: readonly string[],
): PackagePlan[] {
  return [javascriptPlan(texts, day), pipPlan((path) => texts.get(path), registries)];
}

/** A lock is taken at its word: nothing beside it, and nothing that is not what it was. */
const LOCKED = ["--require-hashes", "--no-deps"];

function pipPlan(textOf: (path: string) => string | undefined, registries: readonly string[]): PackagePlan {
  const wanted = planPip(textOf, registries);
  if (wanted === undefined) return { kind: "nothing" };
  if ("reason" in wanted) return { kind: "impossible", ...wanted };
  const { text: requirements, isLocked, notes } = wanted;
  const target = `--target=${BOX_FOLDER}/${PYTHON_PACKAGES}`;
  const args = ["install", "--upgrade", ...(isLocked ? LOCKED : []), target];
  return { kind: "install", manager: { name: "pip" }, args, inputs: ownPackages(wanted), requirements, notes };
}

function javascriptPlan(texts: ReadonlyMap<string, string>, day: string | undefined): PackagePlan {
  const text = texts.get("package.json");
  if (text === undefined) return { kind: "nothing" };
  const manifest = parsed(text);
  if (manifest === undefined) return { kind: "impossible", reason: "package.json is not valid JSON" };
  if (!needsPackages(manifest, texts)) return { kind: "nothing" };
  const named = namedManager(manifest);
  const has = (path: string) => texts.has(path);
  const plan = (manager: Manager, args: readonly string[], files: readonly string[]) =>
    ({ kind: "install", manager, args, inputs: inputsOf(texts, files) }) as const;
  if (has("pnpm-lock.yaml") && named?.name !== "npm" && named?.name !== "yarn") {
    const lock = texts.get("pnpm-lock.yaml") ?? "";
    const version = (named?.name === "pnpm" ? named.version : undefined) ?? pnpmOf(lock);
    return plan(
      { name: "pnpm", version },
      ["install", "--frozen-lockfile"],
      ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc"],
    );
  }
  if (has("yarn.lock") && named?.name !== "npm") {
    const lock = texts.get("yarn.lock") ?? "";
    const version = named?.name === "yarn" ? named.version : undefined;
    if (/^__metadata:/m.test(lock)) {
      // A newer one writes what it reads in its own form, in a folder that is thrown away: what is locked stays so.
      const how = version === undefined ? "--no-immutable" : "--immutable";
      const manager = { name: "yarn-berry", version: version ?? berryOf(lock) } as const;
      if (parseYaml(texts.get(".yarnrc.yml") ?? "") === undefined)
        return {
          kind: "impossible",
          reason: ".yarnrc.yml could not be read: it is no YAML, or longer than 65,536 characters",
        };
      return plan(manager, ["install", how], ["yarn.lock", ".yarnrc.yml"]);
    }
    const manager = { name: "yarn", version: version?.startsWith("1.") ? version : "1" } as const;
    return plan(manager, ["install", "--frozen-lockfile"], ["yarn.lock", ".npmrc"]);
  }
  if (has("bun.lock") || has("bun.lockb")) {
    // The binary form is no text, and the manifest says what is wanted.
    if (!has("bun.lock")) return withoutLock(plan, day, "the lock file is in Bun's binary form");
    const version = (named?.name === "bun" ? named.version : undefined) ?? "1";
    return plan({ name: "bun", version }, ["install", "--frozen-lockfile"], ["bun.lock", ".npmrc"]);
  }
  const lock = ["npm-shrinkwrap.json", "package-lock.json"].find(has);
  if (lock !== undefined) return plan({ name: "npm" }, ["ci"], [lock, ".npmrc"]);
  return withoutLock(plan, day, "there is no lock file");
}

type MakePlan = (manager: Manager, args: readonly string[], files: readonly string[]) => Wanted;

/** Without a lock file there is nothing to hold to but the day; none is written either. */
function withoutLock(plan: MakePlan, day: string | undefined, why: string): Wanted {
  const args = ["install", "--no-package-lock"];
  const now = plan({ name: "npm" }, args, [".npmrc"]);
  if (day === undefined) return { ...now, notes: [`Packages were resolved as they are now: ${why}.`] };
  const late = `Packages were resolved as they are now: ${why}, and not all of them are as old as the base commit (${day}).`;
  return {
    ...now,
    args: [...args, `--before=${day}T23:59:59Z`],
    notes: [`Packages were resolved as of ${day}, the day of the base commit: ${why}.`],
    ifTooNew: { args, notes: [late] },
  };
}

/** The same manifests, resolved by npm as of a day, where the manager that the repository names cannot be had. */
export function planWithNpm(texts: ReadonlyMap<string, string>, day: string | undefined, why: string): Wanted {
  const plan: MakePlan = (manager, args, files) => ({ kind: "install", manager, args, inputs: inputsOf(texts, files) });
  return withoutLock(plan, day, why);
}

/** What an installation depends on; scripts, descriptions and the like are not among it, and their change asks for no new one. */
const FIELDS = [
  ...["name", "version", "private", "type", "workspaces", "bin", "os", "cpu", "libc"],
  ...["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"],
  ...["bundleDependencies", "bundledDependencies", "dependenciesMeta", "overrides", "resolutions", "pnpm"],
  ...["catalog", "catalogs", "patchedDependencies", "trustedDependencies", "installConfig"],
];

function inputsOf(texts: ReadonlyMap<string, string>, files: readonly string[]): Map<string, string> {
  const inputs = new Map<string, string>();
  for (const [path, text] of texts) {
    if (path.endsWith("package.json"))
      inputs.set(path, `${JSON.stringify(only(FIELDS, parsed(text) ?? {}), null, 2)}\n`);
    else if (path.endsWith(".patch")) inputs.set(path, text);
    else if (files.includes(path)) inputs.set(path, cleanSettings(path, text));
  }
  return inputs;
}

function only(names: readonly string[], of: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in of ? [[name, of[name]]] : [])));
}

/** Settings of Yarn that say what is installed; the others name programs, plugins, folders and tokens. */
const YARN_SETTINGS = [
  "packageExtensions",
  "supportedArchitectures",
  "compressionLevel",
  "checksumBehavior",
  "catalog",
  "catalogs",
  "nmHoistingLimits",
  "defaultProtocol",
];

function cleanSettings(path: string, text: string): string {
  // Who we are to a registry is none of the repository's business, and names of variables in it stop some managers.
  if (path === ".npmrc")
    return text
      .split(/\r?\n/)
      .filter((line) => !/_auth|_password|token|username|email|certfile|keyfile|\$\{/i.test(line))
      .join("\n");
  if (path !== ".yarnrc.yml") return text;
  const settings = Object(parseYaml(text)) as Record<string, unknown>;
  return `${JSON.stringify(only(YARN_SETTINGS, settings))}\n`;
}

/** The manager that the manifest names, with its exact version where there is one. */
function namedManager(manifest: Record<string, unknown>): { name: string; version?: string } | undefined {
  const [, name = "", version] =
    /^(npm|pnpm|yarn|bun)(?:@(\d+\.\d+\.\d+(?:-[\w.]+)?))?(?:\+|$)/.exec(String(manifest.packageManager ?? "")) ?? [];
  if (name === "") return undefined;
  return version === undefined ? { name } : { name, version };
}

/** The newest line of pnpm that reads a lock file as it stands. */
function pnpmOf(lock: string): string {
  const [, version = ""] = /^lockfileVersion:\s*['"]?(\d+(?:\.\d+)?)/m.exec(lock) ?? [];
  if (version.startsWith("5.") || version === "5") return version === "5.4" ? "7" : "6";
  return version.startsWith("6") ? "8" : "10";
}

/** The line of Yarn that wrote a lock file. */
function berryOf(lock: string): string {
  const [, version = ""] = /^__metadata:[ \t]{0,9}\r?\n[ \t]{1,9}version:[ \t]{0,9}(\d{1,9})/m.exec(lock) ?? [];
  return Number(version) >= 8 ? "4" : "3";
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
function needsPackages(manifest: Record<string, unknown>, texts: ReadonlyMap<string, string>): boolean {
  const groups = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "workspaces"];
  return texts.has("pnpm-workspace.yaml") || groups.some((name) => Object.keys(Object(manifest[name])).length > 0);
}
