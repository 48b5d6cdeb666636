import { posix } from "node:path";
import { isTestPath } from "./classify-file.ts";
import { readOwnPackages } from "./map/own-packages.ts";
import { spread } from "./map/spread.ts";

const SETTINGS = "tsconfig.json";

/** The nearest settings of each of these files, sorted. */
export function settingsFor(files: readonly string[], paths: ReadonlySet<string>): string[] {
  const found = files.flatMap((file) => nearest(file, (folder) => paths.has(posix.join(folder, SETTINGS))));
  return [...new Set(found.map((folder) => posix.join(folder, SETTINGS)))].sort();
}

/**
 * The nearest settings of packages of a workspace that need a changed one by their manifests, and of those that need these, the nearest first:
 * what they are given may have another type now, though their settings do not name it. What only tests are made of is not published, and
 * without a workspace packages are given what a registry has.
 * @param manifests texts of the repository's own, by path
 */
export function settingsOfDependents(
  files: readonly string[],
  paths: ReadonlySet<string>,
  manifests: ReadonlyMap<string, Buffer>,
): string[] {
  const isWorkspace = /"workspaces"\s*:/.test(manifests.get("package.json")?.toString("utf8") ?? "");
  if (!isWorkspace && !paths.has("pnpm-workspace.yaml")) return [];
  const packages = readOwnPackages(manifests);
  const nameOf = new Map([...packages].map(([name, { folder }]) => [folder, name]));
  const code = files.filter((file) => !isTestPath(file));
  const changed = code.flatMap((file) =>
    nearest(file, (folder) => nameOf.has(folder)).flatMap((at) => nameOf.get(at)!),
  );
  const reached = spread(changed, (name) =>
    [...packages].flatMap(([other, { needs }]) => (needs.has(name) ? [other] : [])),
  );
  const folders = [...reached.difference(new Set(changed))].map((name) => packages.get(name)!.folder);
  return [...new Set(folders.flatMap((folder) => settingsFor([posix.join(folder, SETTINGS)], paths)))];
}

/** The nearest folder of which it holds that a file stands in, from the root; empty for the root. */
function nearest(file: string, holds: (folder: string) => boolean): string[] {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const name = folder === "." ? "" : folder;
    if (holds(name)) return [name];
    if (name === "") return [];
  }
}
