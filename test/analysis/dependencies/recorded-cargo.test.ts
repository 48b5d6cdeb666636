import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { reportsOf } from "./reports-of.ts";

const LOCK = readFileSync(new URL("recorded/workspace-cargo-1.txt", import.meta.url), "utf8");

/** The workspace that Cargo 1.95.0 wrote the lock file for. */
const PROJECT: Readonly<Record<string, string>> = {
  "Cargo.toml": `[package]
name = "shop"
version = "1.0.0"
edition = "2021"

[workspace]
members = ["crates/*"]

[workspace.dependencies]
odd-lib = "0.1.2"
wide = { version = "3" }

[dependencies]
left-lib = "1.3"
right = { package = "right-lib", version = "2", features = ["more"], optional = true }
own = { path = "crates/own", version = "1" }
odd-lib = { workspace = true }

[target.'cfg(windows)'.dependencies]
left-old = { package = "left-lib", version = "0.9" }

[build-dependencies]
wide.workspace = true
`,
  "crates/own/Cargo.toml": `[package]
name = "own"
version = "1.0.0"
edition = "2021"

[dependencies]
odd-lib.workspace = true

[dev-dependencies]
right-lib = "=2.1.0"
`,
  "crates/tool/Cargo.toml": `[package]
name = "tool"
version = "0.1.0"
edition = "2021"

[dependencies]
own = { path = "../own" }
`,
};
const [ROOT, OWN, TOOL] = ["Cargo.toml", "crates/own/Cargo.toml", "crates/tool/Cargo.toml"] as const;
const NEW = "crates/new/Cargo.toml";
const OWNED = 'own = { path = "crates/own", version = "1" }';
const PACKAGE = '[package]\nname = "new"\nversion = "0.1.0"\nedition = "2021"\n';

/** A change of one file, and where Forge reports it: nowhere if `cargo metadata --locked --offline` takes the lock file. */
const CHANGES: readonly (readonly [path: string, before: string, after: string, ...reports: string[]])[] = [
  [ROOT, 'left-lib = "1.3"', 'left-lib = "1.4"', "Cargo.toml:14 left-lib"],
  [ROOT, 'left-lib = "1.3"', 'left-lib = "1"'],
  [ROOT, 'left-lib = "1.3"', 'left-lib = ">=1, <2"'],
  [ROOT, 'left-lib = "1.3"', 'left-lib = "=1.2"', "Cargo.toml:14 left-lib"],
  [ROOT, 'left-lib = "1.3"', 'left-lib = "1.4.0-rc.1"', "Cargo.toml:14 left-lib"],
  [ROOT, 'left-lib = "1.3"\n', "", "Cargo.toml:1 left-lib"],
  [ROOT, 'version = "2", features', 'version = "2.0.0, <2.1", features', "Cargo.toml:15 right"],
  [ROOT, 'version = "2", features', 'version = "3", features', "Cargo.toml:15 right"],
  [ROOT, 'features = ["more"], ', ""],
  [ROOT, "optional = true", "optional = false"],
  [ROOT, 'odd-lib = "0.1.2"', 'odd-lib = "0.2"', "Cargo.toml:10 odd-lib", "Cargo.toml:1 odd-lib"],
  [ROOT, 'odd-lib = "0.1.2"', 'odd-lib = "0.1.5"'],
  [ROOT, "wide.workspace = true", "", "Cargo.toml:11 wide"],
  [ROOT, "wide.workspace = true", 'wide = "4"', "Cargo.toml:11 wide"],
  [ROOT, OWNED, 'own = { path = "crates/own", version = "2" }', "Cargo.toml:16 own"],
  [ROOT, 'version = "0.9"', 'version = "0.8"', "Cargo.toml:20 left-old"],
  [ROOT, "cfg(windows)", "cfg(unix)"],
  [ROOT, 'version = "1.0.0"', 'version = "1.0.1"', "Cargo.toml:1 shop"],
  [ROOT, 'name = "shop"', 'name = "store"', "Cargo.toml:1 store"],
  [ROOT, 'members = ["crates/*"]', 'members = ["crates/own"]'],
  [ROOT, "[build-dep", '[dev-dependencies]\nwide = "3"\n\n[build-dep'],
  [ROOT, 'edition = "2021"', 'edition = "2018"'],
  [OWN, "odd-lib.workspace = true", 'odd-lib = "0.2"', "crates/own/Cargo.toml:7 odd-lib"],
  [OWN, "odd-lib.workspace = true", 'odd-lib = "0.1"'],
  [OWN, "odd-lib.workspace = true", 'odd-lib.workspace = true\nwide = "3"', "crates/own/Cargo.toml:8 wide"],
  [OWN, '"=2.1.0"', '"=2.0.0"', "crates/own/Cargo.toml:10 right-lib"],
  [OWN, 'right-lib = "=2.1.0"', "", "crates/own/Cargo.toml:1 right-lib"],
  [OWN, 'version = "1.0.0"', 'version = "1.1.0"', "crates/own/Cargo.toml:1 own"],
  [OWN, 'name = "own"', 'name = "owner"', "crates/own/Cargo.toml:1 owner"],
  [TOOL, 'own = { path = "../own" }', "", "crates/tool/Cargo.toml:1 own"],
  [TOOL, 'own = { path = "../own" }', 'own = { path = "../own", version = "0.9" }', "crates/tool/Cargo.toml:7 own"],
  [NEW, "", PACKAGE, "crates/new/Cargo.toml:1 new"],
  [ROOT, 'odd-lib = "0.1.2"', 'odd-lib = "0.1"'],
  [
    ROOT,
    'odd-lib = "0.1.2"',
    'odd-lib = { package = "wide", version = "3" }',
    "Cargo.toml:10 odd-lib",
    "Cargo.toml:1 odd-lib",
    "Cargo.toml:1 odd-lib",
  ],
];

describe("REV-8: a workspace of Cargo, changed without its lock file", () => {
  it("is in step as Cargo wrote it", async () => {
    expect(findForeignLine("Cargo.lock", LOCK)).toBeUndefined();
    expect(await reportsOf({ ...PROJECT, "Cargo.lock": LOCK }, Object.keys(PROJECT))).toEqual([]);
  });

  it.each(CHANGES)("%s: %s -> %s", async (path, before, after, ...reports) => {
    const changed = before === "" ? after : PROJECT[path]!.replace(before, after);
    expect(changed).not.toBe(PROJECT[path]);
    expect(await reportsOf({ ...PROJECT, "Cargo.lock": LOCK, [path]: changed }, [path])).toEqual(reports);
  });

  it("says nothing of a package that the workspace leaves out", async () => {
    const root = PROJECT[ROOT]!.replace('"crates/*"]', '"crates/*"]\nexclude = ["crates/new"]');
    const files = { ...PROJECT, "Cargo.lock": LOCK, [ROOT]: root };
    expect(await reportsOf({ ...files, [NEW]: PACKAGE }, [NEW])).toEqual([]);
    expect(await reportsOf({ ...files, "examples/x/Cargo.toml": PACKAGE }, ["examples/x/Cargo.toml"])).toEqual([]);
  });
});
