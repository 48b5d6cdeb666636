import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary repository with one commit for each published version. */
export interface VersionHistory {
  readonly folder: string;
  /** In the order of the versions. */
  readonly commits: readonly string[];
  /** Puts the files of a version into the folder, as its pull request would have them. */
  checkOut(commit: string): void;
  remove(): void;
}

/** @param places folders with the files of each version below `package`, as npm packs them */
export function commitVersions(places: readonly string[]): VersionHistory {
  const folder = mkdtempSync(join(tmpdir(), "forge-silence-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=silence", "-c", "user.email=silence@localhost", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      maxBuffer: 64 * 1024 * 1024,
    }).trim();
  git("init", "--quiet");
  const commits = places.map((place) => {
    for (const entry of readdirSync(folder)) if (entry !== ".git") rmSync(join(folder, entry), { recursive: true });
    const [packed = "package"] = readdirSync(place);
    cpSync(join(place, packed), folder, { recursive: true, filter: (path) => !path.endsWith("/.git") });
    git("add", "--all", "--force");
    git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "version");
    return git("rev-parse", "HEAD");
  });
  return {
    folder,
    commits,
    checkOut: (commit) => void git("checkout", "--quiet", "--force", "--detach", commit),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
