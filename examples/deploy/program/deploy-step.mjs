#!/usr/bin/env node
// A program for `way: program`: it puts a static site on this machine. Set FORGE_DEPLOY_PROGRAM to its path, and make it executable.
//   DEPLOY_SOURCE   a bare clone of the repository, which this program fetches into (git clone --mirror)
//   DEPLOY_ROOT     a folder with one site for each environment: the web server serves $DEPLOY_ROOT/production/current
//   DEPLOY_REPOSITORY  the repository that may deploy here, such as acme/shop; every repository of this Forge may choose `way: program`
// Forge passes on variables that start with DEPLOY_ and no others, and a short PATH: keep node and git in /usr/local/bin or /usr/bin.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { action, repository, environment, marker, sha } = JSON.parse(readFileSync(0, "utf8"));
const { DEPLOY_ROOT: sites, DEPLOY_SOURCE: source, DEPLOY_REPOSITORY: expected } = process.env;
if (!/^[0-9a-f]{40}$/.test(sha)) throw new Error("sha is not a commit");
if (!/^[a-z][a-z0-9-]*$/.test(environment)) throw new Error("environment is no name of a folder");
if (!sites || !source || !expected) throw new Error("DEPLOY_ROOT, DEPLOY_SOURCE and DEPLOY_REPOSITORY have to be set");
if (repository.toLowerCase() !== expected.toLowerCase()) throw new Error(`${repository} does not deploy here`);
const root = join(sites, environment);
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
