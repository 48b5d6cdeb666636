import { ADVISORY_LIMITS } from "../dependencies/ask-service.ts";
import { compareLocks, findSignals } from "../dependencies/dependency-signals.ts";
import { lockFileOf } from "../dependencies/lock-files.ts";
import { findDrift } from "../dependencies/manifest-drift.ts";
import type { ChildFile, LockResult } from "./protocol.ts";

/** Compares a lock file with what it was and with its manifest. Of 60,000 packages only those are told that somebody has use for. */
export function compareLockFile({ text, oldText, lock }: ChildFile): LockResult {
  const lockFile = lock && lockFileOf(lock.name);
  if (lockFile === undefined) throw new Error("a lock file is compared by its name");
  const now = lockFile.read(text);
  if ("fault" in now) return now;
  const old = oldText === undefined ? [] : lockFile.read(oldText);
  const change = compareLocks("fault" in old ? [] : old, now);
  const suspects = lockFile.hashesOnly
    ? []
    : change.added.map((added) => added.package).filter(({ source }) => source === "registry");
  return {
    signals: findSignals(change, oldText === undefined),
    drifts: lock?.manifest === undefined ? [] : driftsOf(lock.manifest, lock.name, text),
    count: suspects.length,
    suspects: suspects
      .slice(0, ADVISORY_LIMITS.packages + 1)
      .map(({ ecosystem, name, version, line, endLine }) => ({ ecosystem, name, version, line, endLine })),
  };
}

function driftsOf(manifest: string, name: string, text: string) {
  const lines = manifest.split("\n").map((line) => line.trimStart());
  return findDrift(manifest, name, text).map((drift) => {
    const at = lines.findIndex((line) => line.startsWith(`${JSON.stringify(drift.name)}:`));
    return { ...drift, line: Math.max(0, at) + 1 };
  });
}
