import { defined } from "../../domain/defined.ts";
import { ADVISORY_LIMITS } from "../dependencies/ask-service.ts";
import { compareLocks } from "../dependencies/compare-locks.ts";
import { compareManifest } from "../dependencies/compare-manifest.ts";
import { findSignals } from "../dependencies/dependency-signals.ts";
import { compareSteps, type LockPlace, type ManifestText } from "../dependencies/drift/manifest-drift.ts";
import type { Drift } from "../dependencies/drift/steps.ts";
import type { KnownBlocks } from "../dependencies/formats/known-blocks.ts";
import { lockFileOf } from "../dependencies/lock-files.ts";
import { foreignLineOf } from "../dependencies/lock-text.ts";
import type { LockedPackage, LockReading } from "../dependencies/locked-package.ts";
import { isMirrored, registryOf } from "../dependencies/package-address.ts";
import type { ChildFile, LockRequest, LockResult, SuspectPackage } from "./protocol.ts";

/** Compares a lock file with what it was and with its manifest. Of 60,000 packages only those are told that somebody has use for. */
export function compareLockFile(file: ChildFile): LockResult {
  const { text, oldText, lock } = file;
  const asked = lock?.locks === undefined ? undefined : compareManifest({ name: lock.name, text, oldText }, lock.locks);
  if (asked && "fault" in asked) return asked;
  const locked = lock && lockFileOf(lock.name) === undefined && asked ? NOTHING : compareLocked(file);
  if (asked === undefined || "fault" in locked) return locked;
  // A list of requirements is a lock file too: its exact versions are looked up already.
  const known = new Set(locked.suspects.map(({ name, version }) => `${name} ${version}`));
  const exact = asked.exact.filter(({ name, version }) => !known.has(`${name} ${version}`));
  const suspects = exact.map(({ wanted: _wanted, line, ...of }) => ({ ...of, line, endLine: line }));
  return {
    ...locked,
    count: locked.count + exact.length,
    suspects: [...locked.suspects, ...suspects].slice(0, ADVISORY_LIMITS.packages + 1),
    unlocked: asked.ranges.map(({ ecosystem, name, wanted, line }) => ({ ecosystem, name, wanted, line })),
  };
}

const NOTHING = { signals: [], drifts: [], count: 0, suspects: [], mirrored: 0, elsewhere: {} };

function compareLocked({ text, oldText, lock }: ChildFile): LockResult {
  const lockFile = lock && lockFileOf(lock.name);
  if (lockFile === undefined) throw new Error("a lock file is compared by its name");
  const known: KnownBlocks = new Map();
  const old = oldText === undefined ? { packages: [] } : lockFile.read(oldText, known);
  const isClean = oldText !== undefined && !("fault" in old) && old.strange === undefined;
  const now = lockFile.read(text, isClean ? known : undefined);
  if (lock?.isUnchanged) return { ...NOTHING, ...("fault" in now ? {} : stepsOf(lock, now)) };
  if ("fault" in now) return { fault: now.fault, ...defined({ foreign: foreignLineOf(now, text) }) };
  const change = compareLocks("fault" in old ? [] : old.packages, now.packages);
  const { lookUp: suspects, elsewhere } = lockFile.hashesOnly ? { lookUp: [], elsewhere: [] } : change;
  const from = Map.groupBy(elsewhere, ({ source }) => source);
  return {
    signals: findSignals(change, oldText === undefined),
    ...(lock === undefined ? { drifts: [] } : stepsOf(lock, now)),
    count: suspects.length,
    mirrored: suspects.filter(isMirrored).length,
    elsewhere: Object.fromEntries([...from].map(([source, packages]) => [source, packages.length])),
    suspects: suspects
      .slice(0, ADVISORY_LIMITS.packages + 1)
      .map((one) => ({ ...placeIn(one), ...defined({ registry: registryOf(one) }) })),
    ...defined({ strange: now.strange }),
  };
}

function placeIn({ ecosystem, name, version, line, endLine }: LockedPackage): SuspectPackage {
  return { ecosystem, name, version, line, endLine };
}

type Steps = Pick<Extract<LockResult, { drifts: unknown }>, "drifts" | "isStale" | "isUnjudged">;

/** Both questions are asked of one reading: what is new, and whether it is in step. */
function stepsOf({ name, steps }: LockRequest, { parsed = {} }: LockReading): Steps {
  const told: { -readonly [Field in keyof Steps]: Steps[Field] } = { drifts: [] };
  for (const manifest of steps?.manifests ?? []) {
    const { drifts, isStale, isUnjudged } = compareSteps(manifest, name, parsed, steps!.place);
    told.drifts = [...told.drifts, ...placed(drifts, manifest, steps!.place)];
    if (isStale) told.isStale = true;
    if (isUnjudged) told.isUnjudged = true;
  }
  return told;
}

function placed(
  drifts: readonly Drift[],
  { folder, text }: ManifestText,
  { workspace = "" }: LockPlace,
): Steps["drifts"] {
  if (drifts.length === 0) return [];
  const linesOf = (source: string) => source.split("\n").map((line) => line.trimStart());
  const [ofManifest, ofSettings] = [linesOf(text), linesOf(workspace)];
  return drifts.map((drift) => {
    if (drift.setting !== undefined) return { ...drift, folder, line: lineOfSetting(drift.setting, ofSettings) };
    const lines = ofManifest;
    // In JSON, in TOML, and in `go.mod`.
    const starts = [
      `${JSON.stringify(drift.name)}:`,
      `require ${drift.name} `,
      `${drift.name} `,
      `${drift.name}=`,
      `${drift.name}.`,
    ];
    const isHead = (line: string) => line.startsWith("[") && line.trimEnd().endsWith(`.${drift.name}]`);
    const at = lines.findIndex((line) => starts.some((start) => line.startsWith(start)) || isHead(line));
    return { ...drift, folder, line: Math.max(0, at) + 1 };
  });
}

/** The first line that begins with this key, or is this item of a list. */
function lineOfSetting(key: string, lines: readonly string[]): number {
  const at = lines.findIndex((line) => {
    const written = line.replace(/^(?:- )?["']?/, "");
    return written.startsWith(key) && /^["']?(?::|\s*$)/.test(written.slice(key.length));
  });
  return Math.max(0, at) + 1;
}
