import { defined } from "../../../domain/defined.ts";
import type { ParsedLock } from "../locked-package.ts";
import { neededSums } from "../read-go-locks.ts";
import type { Drift } from "./steps.ts";

/**
 * `go build` refuses a module whose hash `go.sum` does not have: that of its manifest for each that `go.mod` requires, that of its content for
 * those from which the module imports itself. Of what the others import nothing is said, and hashes that nothing needs are none of its business.
 */
export function goDrift(goMod: string, { text: goSum = "" }: ParsedLock): readonly Drift[] {
  const sums = new Set<string>();
  const versions = new Map<string, string>();
  for (const line of goSum.split("\n")) {
    const [path = "", version = ""] = line.trim().split(/[ \t]+/, 2);
    if (version === "") continue;
    sums.add(`${path} ${version}`);
    versions.set(path, version.replace(/\/go\.mod$/, ""));
  }
  return neededSums(goMod).flatMap(({ path, version, isWhole }): Drift[] => {
    const [manifest, content] = [sums.has(`${path} ${version}/go.mod`), sums.has(`${path} ${version}`)];
    if (manifest && (content || !isWhole)) return [];
    const locked = manifest || content ? "half of its hashes" : versions.get(path);
    return [{ name: path, wanted: version, ...defined({ locked }) }];
  });
}
