import { defined } from "../../../domain/defined.ts";
import { parseJson } from "../json-blocks.ts";
import { isRecord, textOf } from "../locked-package.ts";
import { bunSteps } from "./bun-steps.ts";
import { npmSteps } from "./npm-steps.ts";
import { pnpmSteps } from "./pnpm-steps.ts";
import { GROUPS, type Record, type Steps } from "./steps.ts";
import { yarnSteps } from "./yarn-steps.ts";

/** A dependency that `package.json` asks for in one way and its lock file has in another. */
export interface Drift {
  readonly name: string;
  readonly wanted: string;
  /** Undefined when the lock file does not have it at all. */
  readonly locked?: string;
}

/** More are one mistake, and told as such by the first of them. */
const MOST_DRIFTS = 20;

/** Where a package manager would say that a manifest and the lock file in its folder disagree. Empty for lock files that cannot tell. */
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
