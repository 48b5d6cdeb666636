import { parseJson } from "../json-blocks.ts";
import type { ParsedLock } from "../locked-package.ts";
import { isRequirements } from "../read-manifests.ts";
import { bunSteps } from "./bun-steps.ts";
import { cargoDrift } from "./cargo-drift.ts";
import { composerIsInStep } from "./composer-hash.ts";
import { denoDrift } from "./deno-drift.ts";
import { gemfileDrift } from "./gemfile-drift.ts";
import { goDrift } from "./go-drift.ts";
import { npmSteps } from "./npm-steps.ts";
import { pdmIsInStep } from "./pdm-hash.ts";
import { pipfileIsInStep } from "./pipfile-hash.ts";
import { pnpmSteps } from "./pnpm-steps.ts";
import { poetryIsInStep } from "./poetry-hash.ts";
import { requirementsDrift } from "./requirements-drift.ts";
import type { Drift, Project, Steps } from "./steps.ts";
import { uvDrift } from "./uv-drift.ts";
import { yarnSteps } from "./yarn-steps.ts";

/** More are one mistake, and told as such by the first of them. */
const MOST_DRIFTS = 20;

/** The manifest that a lock file is compared with, by the name of the lock file as `dependencyName` has it. */
export function manifestOf(lockName: string): string | undefined {
  if (isRequirements(lockName) && lockName.endsWith(".txt") && lockName !== "constraints.txt")
    return `${lockName.slice(lockName.lastIndexOf("/") + 1, -".txt".length)}.in`;
  return MANIFESTS.find(([name]) => name.test(lockName))?.[1];
}

const MANIFESTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lock)$/, "package.json"],
  [/^deno\.lock$/, "deno.json"],
  [/^composer\.lock$/, "composer.json"],
  [/^(?:poetry|uv|pdm)\.lock$/, "pyproject.toml"],
  [/^Pipfile\.lock$/, "Pipfile"],
  [/^go\.sum$/, "go.mod"],
  [/^Cargo\.lock$/, "Cargo.toml"],
  [/^Gemfile\.lock$/, "Gemfile"],
  [/^gems\.locked$/, "gems.rb"],
];

/** What a lock file is to a manifest. */
export interface StepResult {
  readonly drifts: readonly Drift[];
  /** Whether the hash that it repeats is of another manifest. */
  readonly isStale?: true;
  /** Nothing here knows the rules by which its package manager judges. */
  readonly isUnjudged?: true;
}

/** What a lock file is compared with: at least one of both sides is in the change. */
export interface LockSteps {
  readonly manifests: readonly ManifestText[];
  readonly place: LockPlace;
}

/** A manifest by its folder, seen from that of the lock file. */
export interface ManifestText {
  readonly folder: string;
  readonly text: string;
}

/** Files near a lock file that its package manager reads as well. */
export interface LockPlace {
  /** The manifest in its folder, changed or not. */
  readonly root?: string | undefined;
  readonly own?: Project["own"];
  readonly workspace?: Project["workspace"];
  readonly isLockKept?: Project["isLockKept"];
}

/**
 * Whether a package manager would say that a manifest and a lock file disagree. Without drifts too where the lock file is not about the
 * manifest, such as that of an example that is no part of the workspace.
 */
export function compareSteps(
  { folder, text }: ManifestText,
  name: string,
  parsed: ParsedLock,
  { root, ...place }: LockPlace,
): StepResult {
  if (manifestOf(name) === "package.json") {
    const [manifest, top] = [parseJson(text), parseJson((folder === "" ? text : root) ?? "{}")];
    if (manifest === undefined || top === undefined) return { drifts: [] };
    const drifts = stepsOf(name)(parsed)?.({ folder, manifest, root: top, ...place });
    return { drifts: (drifts ?? []).slice(0, MOST_DRIFTS) };
  }
  if (name === "uv.lock" || name === "Cargo.lock") {
    const drifts = name === "uv.lock" ? uvDrift(folder, text, parsed) : cargoDrift(folder, text, parsed, root);
    if (drifts === undefined) return folder === "" ? UNJUDGED : { drifts: [] };
    return { drifts: drifts.slice(0, MOST_DRIFTS) };
  }
  if (folder !== "") return { drifts: [] };
  if (name === "go.sum") return { drifts: goDrift(text, parsed).slice(0, MOST_DRIFTS) };
  if (isRequirements(name)) {
    const drifts = requirementsDrift(manifestOf(name)!, text, parsed) ?? [];
    return { drifts: drifts.slice(0, MOST_DRIFTS) };
  }
  if (name === "deno.lock" || name === "Gemfile.lock" || name === "gems.locked") {
    const drifts = name === "deno.lock" ? denoDrift(text, parsed) : gemfileDrift(text, parsed);
    return drifts === undefined ? UNJUDGED : { drifts: drifts.slice(0, MOST_DRIFTS) };
  }
  const isInStep = HASHES[name]?.(text, parsed);
  if (isInStep === undefined) return UNJUDGED;
  return isInStep ? { drifts: [] } : { drifts: [], isStale: true };
}

const UNJUDGED: StepResult = { drifts: [], isUnjudged: true };

const HASHES: { readonly [name: string]: typeof composerIsInStep } = {
  "composer.lock": composerIsInStep,
  "Pipfile.lock": pipfileIsInStep,
  "pdm.lock": pdmIsInStep,
  "poetry.lock": poetryIsInStep,
};

function stepsOf(lockName: string): Steps {
  if (lockName === "yarn.lock") return yarnSteps;
  if (lockName.startsWith("pnpm-lock")) return pnpmSteps;
  return lockName === "bun.lock" ? bunSteps : npmSteps;
}
