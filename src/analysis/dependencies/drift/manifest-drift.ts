import { defined } from "../../../domain/defined.ts";
import { parseJson } from "../json-blocks.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { bunSteps } from "./bun-steps.ts";
import { cargoDrift } from "./cargo-drift.ts";
import { composerIsInStep } from "./composer-hash.ts";
import { npmSteps } from "./npm-steps.ts";
import { pnpmSteps } from "./pnpm-steps.ts";
import { poetryIsInStep } from "./poetry-hash.ts";
import { type Drift, GROUPS, type Record, type Steps } from "./steps.ts";
import { yarnSteps } from "./yarn-steps.ts";

/** More are one mistake, and told as such by the first of them. */
const MOST_DRIFTS = 20;

/** The manifest that a lock file is compared with, by the name of the lock file. */
export function manifestOf(lockName: string): string | undefined {
  return MANIFESTS.find(([name]) => name.test(lockName))?.[1];
}

const MANIFESTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lock)$/, "package.json"],
  [/^composer\.lock$/, "composer.json"],
  [/^(?:poetry|uv|pdm)\.lock$/, "pyproject.toml"],
  [/^Pipfile\.lock$/, "Pipfile"],
  [/^Cargo\.lock$/, "Cargo.toml"],
  [/^Gemfile\.lock$/, "Gemfile"],
  [/^gems\.locked$/, "gems.rb"],
];

/** What a lock file is to the manifest in its folder. */
export interface StepResult {
  readonly drifts: readonly Drift[];
  /** Whether the hash that it repeats is of another manifest. */
  readonly isStale?: true;
  /** Nothing here knows the rules by which its package manager judges. */
  readonly isUnjudged?: true;
}

/** Whether a package manager would say that a manifest and the lock file in its folder disagree. */
export function compareSteps(manifestText: string, lockName: string, lockText: string): StepResult {
  if (manifestOf(lockName) === "package.json") return { drifts: findDrift(manifestText, lockName, lockText) };
  if (lockName === "Cargo.lock") {
    const drifts = cargoDrift(manifestText, lockText);
    return drifts === undefined ? UNJUDGED : { drifts: drifts.slice(0, MOST_DRIFTS) };
  }
  const isInStep = HASHES[lockName]?.(manifestText, lockText);
  if (isInStep === undefined) return UNJUDGED;
  return isInStep ? { drifts: [] } : { drifts: [], isStale: true };
}

const UNJUDGED: StepResult = { drifts: [], isUnjudged: true };

const HASHES: { readonly [name: string]: typeof composerIsInStep } = {
  "composer.lock": composerIsInStep,
  "poetry.lock": poetryIsInStep,
};

/** Where a package manager of JavaScript would say that the two disagree. Empty for lock files that cannot tell. */
export function findDrift(manifestText: string, lockName: string, lockText: string): Drift[] {
  const manifest = parseJson(manifestText);
  const isInStep = manifest && stepsOf(manifest, lockName, lockText);
  if (manifest === undefined || isInStep === undefined) return [];
  const drifts = GROUPS.flatMap((group) =>
    Object.entries(isRecord(manifest[group]) ? manifest[group] : {}).flatMap(([name, value]): Drift[] => {
      const wanted = textOf(value);
      if (wanted === undefined || LOCAL.test(wanted)) return [];
      const found = isInStep(name, wanted);
      return found === true ? [] : [{ name, wanted, ...defined({ locked: found }) }];
    }),
  );
  return drifts.slice(0, MOST_DRIFTS);
}

/** Resolved by the package manager from other places than the manifest alone. */
const LOCAL = /^(?:workspace|catalog|link|portal|file|patch):/;

function stepsOf(manifest: Record, lockName: string, text: string): Steps | undefined {
  if (lockName === "yarn.lock") return yarnSteps(manifest, text);
  if (lockName.startsWith("pnpm-lock")) return pnpmSteps(manifest, text);
  if (lockName === "bun.lock") return bunSteps(manifest, text);
  return npmSteps(manifest, text);
}
