import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { reportsOf } from "./reports-of.ts";

const LOCK = readFileSync(new URL("recorded/settings-pnpm-11.txt", import.meta.url), "utf8");

/** The project that pnpm 11.28.11 wrote the lock file for; 10.34.9 and 12.21.0 wrote the same. */
const PROJECT: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify(
    {
      ...{ name: "shop", version: "1.0.0", private: true },
      dependencies: {
        ...{ "left-pad": "catalog:", "is-even": "catalog:old", own: "workspace:^", wide: "npm:lodash@^4.17.20" },
        ...{ local: "file:vendor/local", linked: "link:vendor/local", "is-number": "7.0.0" },
      },
      ...{ devDependencies: { "kind-of": "^6.0.0" }, optionalDependencies: { "is-windows": "^1.0.0" } },
      peerDependencies: { "is-positive": "^3.0.0" },
    },
    null,
    2,
  )}\n`,
  "packages/own/package.json":
    '{"name":"own","version":"1.2.0","dependencies":{"left-pad":"catalog:","is-odd":"^3.0.0"}}\n',
  "packages/two/package.json":
    '{"name":"two","version":"1.0.0","dependencies":{"own":"workspace:*","react-dom":"^18.0.0","react":"^18.0.0"}}\n',
  "vendor/local/package.json": '{"name":"local","version":"0.1.0"}\n',
  "pnpm-workspace.yaml": `packages:
  - packages/*
catalog:
  left-pad: ^1.3.0
catalogs:
  old:
    is-even: ^0.1.0
overrides:
  is-number@^3: 6.0.0
  "is-odd>is-number": "4.0.0"
patchedDependencies:
  left-pad@1.3.0: patches/left-pad.patch
ignoredOptionalDependencies:
  - fsevents
packageExtensions:
  is-even:
    dependencies:
      is-buffer: "1"
`,
};

const FILES = { ...PROJECT, "pnpm-lock.yaml": LOCK };
const [ROOT, OWN, TWO, SETTINGS] = [
  ...["package.json", "packages/own/package.json", "packages/two/package.json", "pnpm-workspace.yaml"],
] as const;
const LOCAL = "vendor/local/package.json";
const THREE = "packages/three/package.json";

const PATCHES = [
  ...["pnpm-workspace.yaml:12 the patch of is-even@0.1.2", "pnpm-workspace.yaml:1 the patch of left-pad@1.3.0"],
];

/** A change of one file, and where Forge reports it: nowhere if pnpm 11 takes the lock file with `--frozen-lockfile`. */
const CHANGES: readonly (readonly [path: string, before: string, after: string, ...reports: string[]])[] = [
  [ROOT, '"shop"', '"shop2"'],
  [ROOT, "catalog:old", "catalog:", "package.json:7 is-even"],
  [ROOT, '"left-pad": "catalog:"', '"left-pad": "^1.3.0"', "package.json:6 left-pad"],
  [ROOT, "^4.17.20", "^4.17.0", "package.json:9 wide"],
  [ROOT, '"is-positive": "^3.0.0"', '"is-positive": "^2.0.0"', "package.json:21 is-positive"],
  [ROOT, '"peerDependencies"', '"others"', "package.json:21 is-positive"],
  [ROOT, "link:vendor/local", "link:vendor/other", "package.json:11 linked"],
  [ROOT, "file:vendor/local", "link:vendor/local", "package.json:10 local"],
  [ROOT, "workspace:^", "workspace:*", "package.json:8 own"],
  [ROOT, '"is-number": "7.0.0"', '"is-number": "^3.0.0"', "package.json:12 is-number"],
  [ROOT, '"is-windows"', '"fsevents"', "package.json:1 is-windows"],
  [OWN, "1.2.0", "2.0.0"],
  [OWN, "^3.0.0", "^2.0.0", "packages/own/package.json:1 is-odd"],
  [TWO, "workspace:*", "workspace:^1.0.0", "packages/two/package.json:1 own"],
  [TWO, '"react":"^18.0.0"', '"react":"^17.0.0"', "packages/two/package.json:1 react"],
  [THREE, "", '{"name":"three","version":"1.0.0"}'],
  [THREE, "", '{"name":"three","version":"1.0.0","dependencies":{"is-odd":"^3.0.0"}}', `${THREE}:1 is-odd`],
  [SETTINGS, "left-pad: ^1.3.0", "left-pad: ^1.2.0", "pnpm-workspace.yaml:4 left-pad of the catalog"],
  [SETTINGS, "is-even: ^0.1.0", "is-even: 0.1.2", "pnpm-workspace.yaml:7 is-even of the catalog old"],
  [SETTINGS, "  old:\n", "  older:\n    x: 1.0.0\n  old:\n"],
  [SETTINGS, "is-number@^3: 6.0.0", "is-number@^3: 5.0.0", "pnpm-workspace.yaml:9 the override of is-number@^3"],
  [SETTINGS, "  is-number@^3: 6.0.0\n", "", "pnpm-workspace.yaml:1 the override of is-number@^3"],
  [SETTINGS, "left-pad@1.3.0: patches", "is-even@0.1.2: patches", ...PATCHES],
  [SETTINGS, "  - fsevents\n", "  []\n", "pnpm-workspace.yaml:1 fsevents of ignoredOptionalDependencies"],
  [SETTINGS, 'is-buffer: "1"', 'is-buffer: "2"', "pnpm-workspace.yaml:15 packageExtensions"],
  [SETTINGS, 'is-buffer: "1"', 'is-buffer: "1"\n      is-odd: "3"', "pnpm-workspace.yaml:15 packageExtensions"],
  [SETTINGS, "    dependencies:\n", "    optionalDependencies:\n", "pnpm-workspace.yaml:15 packageExtensions"],
  [SETTINGS, "  is-even:\n    dep", "  is-even@0.1:\n    dep", "pnpm-workspace.yaml:15 packageExtensions"],
  [LOCAL, '"0.1.0"', '"0.2.0"'],
  [LOCAL, '"0.1.0"', '"0.1.0","dependencies":{"is-odd":"^3.0.0"}', `${LOCAL}:1 is-odd`],
  [LOCAL, '"0.1.0"', '"0.1.0","devDependencies":{"is-odd":"^3.0.0"}'],
  [LOCAL, '"0.1.0"', '"0.1.0","optionalDependencies":{"is-odd":"^3.0.0"}'],
  [SETTINGS, "packageExtensions:", "others:", "pnpm-workspace.yaml:1 packageExtensions"],
];

describe("REV-8: settings of pnpm, changed without the lock file", () => {
  it("are a lock file that pnpm takes", async () => {
    expect(findForeignLine("pnpm-lock.yaml", LOCK)).toBeUndefined();
    expect(await reportsOf(FILES, Object.keys(PROJECT))).toEqual([]);
  });

  it.each(CHANGES)("%s: %s -> %s", async (path, before, after, ...reports) => {
    const changed = before === "" ? after : PROJECT[path]!.replace(before, after);
    expect(changed).not.toBe(PROJECT[path]);
    expect(await reportsOf({ ...FILES, [path]: changed }, [path])).toEqual(reports);
  });
});
