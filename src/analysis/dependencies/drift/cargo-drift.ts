import semver from "semver";
import { parseToml } from "../../../workspace/parse-toml.ts";
import { isRecord, type ParsedLock, textOf } from "../locked-package.ts";
import { record } from "../wanted-package.ts";
import type { Drift } from "./steps.ts";

const GROUPS = ["dependencies", "dev-dependencies", "build-dependencies"] as const;

/**
 * `cargo --locked` takes a lock file that has every dependency of the manifest in a version that meets it. What a workspace or another
 * registry says of a dependency is not known here.
 */
export function cargoDrift(manifestText: string, { table: lock }: ParsedLock): readonly Drift[] | undefined {
  const manifest = parseToml(manifestText);
  const name = textOf(record(manifest?.package).name);
  const entries = (Array.isArray(lock?.package) ? lock.package : []).filter(isRecord);
  const own = entries.find((entry) => entry.name === name && entry.source === undefined);
  if (manifest === undefined || own === undefined) return undefined;
  const locked = (Array.isArray(own.dependencies) ? own.dependencies : []).flatMap((written) => {
    const [crate = "", version] = (textOf(written) ?? "").split(" ", 2);
    return [{ crate, version: version ?? textOf(entries.find((entry) => entry.name === crate)?.version) ?? "" }];
  });
  const places = [manifest, ...Object.values(record(manifest.target)).map(record)];
  return places.flatMap((place) =>
    GROUPS.flatMap((group) => Object.entries(record(place[group]))).flatMap(([key, value]): Drift[] => {
      const of = record(value);
      const wanted = textOf(value) ?? textOf(of.version);
      if (wanted === undefined || of.workspace === true || of.path !== undefined || of.git !== undefined) return [];
      const crate = textOf(of.package) ?? key;
      const found = locked.filter((one) => one.crate === crate);
      const range = rangeOf(wanted);
      if (found.length > 0 && (range === null || found.some(({ version }) => semver.satisfies(version, range))))
        return [];
      const [first] = found;
      return [{ name: key, wanted, ...(first === undefined ? {} : { locked: first.version }) }];
    }),
  );
}

/** A version without a sign stands for all that are compatible with it; null for what is no range here. */
function rangeOf(wanted: string): string | null {
  const parts = wanted.split(",").map((part) => part.trim());
  return semver.validRange(
    parts.map((part) => (/^\d/.test(part) && !part.includes("*") ? `^${part}` : part)).join(" "),
  );
}
