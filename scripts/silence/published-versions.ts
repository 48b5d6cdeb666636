import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The last stable versions of a package, oldest first; pre-releases are drafts and left out. */
export function publishedVersions(name: string, count: number): string[] {
  const answer = JSON.parse(npm(["view", name, "versions", "--json"])) as string | string[];
  return [answer]
    .flat()
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .sort(compareVersions)
    .slice(-count);
}

/** Downloads what of these versions is not in the folder yet. @returns the folder of each version's files, in the same order */
export function downloadVersions(name: string, versions: readonly string[], folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const places = versions.map((version) => join(folder, version));
  const missing = versions.filter((_, index) => !existsSync(join(places[index]!, "package")));
  if (missing.length === 0) return places;
  const specs = missing.map((version) => `${name}@${version}`);
  const packed = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...specs]));
  for (const { filename, version } of packed as { filename: string; version: string }[]) {
    const place = join(folder, version);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, filename), "-C", place, "--no-same-owner"]);
    rmSync(join(folder, filename));
  }
  return places;
}

function npm(args: readonly string[]): string {
  return execFileSync("npm", args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split(".").map(Number)) as [number[], number[]];
  return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!;
}
