#!/usr/bin/env node
// A program for `way: program`: it puts a static site on this machine. Set FORGE_DEPLOY_PROGRAM to its path, and make it executable.
//   DEPLOY_SOURCE   a bare clone of the repository, which this program fetches into (git clone --mirror)
//   DEPLOY_ROOT     the folder of the site: the web server serves $DEPLOY_ROOT/current
// Forge passes on variables that start with DEPLOY_ and no others, and a short PATH: keep node and git in /usr/local/bin or /usr/bin.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { action, marker, sha } = JSON.parse(readFileSync(0, "utf8"));
const { DEPLOY_ROOT: root, DEPLOY_SOURCE: source } = process.env;
if (!/^[0-9a-f]{40}$/.test(sha)) throw new Error("sha is not a commit");
if (!root || !source) throw new Error("DEPLOY_ROOT and DEPLOY_SOURCE are not set");
const releases = join(root, "releases");
const steps = join(root, "steps");
const done = join(steps, `${marker.run}-${marker.step}`);

// Forge looks before it deploys, and again after a crash. A step that is done is never done twice.
if (action === "deploy" && !existsSync(done)) deploy();
console.log(JSON.stringify({ state: existsSync(done) ? "done" : "absent" }));

function deploy() {
  const release = join(releases, sha);
  mkdirSync(releases, { recursive: true });
  mkdirSync(steps, { recursive: true });
  if (!existsSync(release)) {
    const unpacked = `${release}.new`;
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked);
    execFileSync("git", ["fetch", "--quiet", "--prune"], { cwd: source });
    const archive = execFileSync("git", ["archive", sha], { cwd: source, maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x", "-C", unpacked], { input: archive });
    renameSync(unpacked, release);
  }
  // A rename takes the place of the old link at once: a request never finds nothing.
  rmSync(join(root, "next"), { force: true });
  symlinkSync(release, join(root, "next"));
  renameSync(join(root, "next"), join(root, "current"));
  writeFileSync(done, "");
}
