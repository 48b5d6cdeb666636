import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { reportsOf } from "./reports-of.ts";

const LOCK = readFileSync(new URL("recorded/folders-pnpm-11.txt", import.meta.url), "utf8");

/** The project that pnpm 11.28.11 wrote the lock file for: a folder as a package, and an extension with a value that is no text. */
const PROJECT: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "dependencies": {
    "local": "file:vendor/local",
    "is-number": "7.0.0"
  }
}
`,
  "vendor/local/package.json": `{
  "name": "local",
  "version": "0.1.0",
  "dependencies": {
    "is-odd": "^3.0.0"
  },
  "optionalDependencies": {
    "is-windows": "^1.0.0"
  },
  "peerDependencies": {
    "is-number": "*"
  }
}
`,
  "pnpm-workspace.yaml": `packageExtensions:
  is-odd:
    peerDependenciesMeta:
      react:
        optional: true
    dependencies:
      is-buffer: "1"
`,
};
const FILES = { ...PROJECT, "pnpm-lock.yaml": LOCK };
const [ROOT, LOCAL, SETTINGS] = ["package.json", "vendor/local/package.json", "pnpm-workspace.yaml"] as const;

/** A change of one file, and where Forge reports it: nowhere if pnpm takes the lock file with `--frozen-lockfile`. */
const CHANGES: readonly (readonly [path: string, before: string, after: string, ...reports: string[]])[] = [
  [LOCAL, "^3.0.0", "^2.0.0", "vendor/local/package.json:5 is-odd"],
  [LOCAL, "^3.0.0", "~3.0.0"],
  [LOCAL, "^3.0.0", "3.0.1"],
  [LOCAL, '"is-odd": "^3.0.0"', "", "vendor/local/package.json:1 is-odd"],
  [LOCAL, '"is-odd": "^3.0.0"', '"is-odd": "^3.0.0", "left-pad": "1.3.0"', "vendor/local/package.json:1 left-pad"],
  [LOCAL, '"is-windows": "^1.0.0"', "", "vendor/local/package.json:1 is-windows"],
  [LOCAL, '"^1.0.0"', '"^0.2.0"', "vendor/local/package.json:8 is-windows"],
  [LOCAL, '"is-windows": "^1.0.0"', '"is-windows": "^1.0.0", "fsevents": "2"'],
  [LOCAL, '"is-number": "*"', "", "vendor/local/package.json:1 is-number as a peer"],
  [LOCAL, '"is-number": "*"', '"is-number": "7"', "vendor/local/package.json:1 is-number as a peer"],
  [LOCAL, '"name": "local"', '"name": "other"'],
  [LOCAL, '"is-odd": "^3.0.0"', '"is-odd": "npm:is-even@1"', "vendor/local/package.json:5 is-odd"],
  [LOCAL, '"optionalDependencies"', '"devDependencies"', "vendor/local/package.json:8 is-windows"],
  [SETTINGS, 'is-buffer: "1"', "is-buffer: '1'"],
  [SETTINGS, "optional: true", "optional: false", "pnpm-workspace.yaml:1 packageExtensions"],
  [SETTINGS, "packageExtensions:", "# a note\npackageExtensions:"],
  [
    SETTINGS,
    '    peerDependenciesMeta:\n      react:\n        optional: true\n    dependencies:\n      is-buffer: "1"',
    '    dependencies:\n      is-buffer: "1"\n    peerDependenciesMeta:\n      react:\n        optional: true',
  ],
  [ROOT, "file:vendor/local", "file:./vendor/local", "package.json:6 local"],
];

it("REV-8: a folder as a package and extensions of pnpm are a lock file that pnpm takes", async () => {
  expect(findForeignLine("pnpm-lock.yaml", LOCK)).toBeUndefined();
  expect(await reportsOf(FILES, Object.keys(PROJECT))).toEqual([]);
});

it.each(CHANGES)("REV-8: %s: %s -> %s", async (path, before, after, ...reports) => {
  const changed = PROJECT[path]!.replace(before, after);
  expect(changed).not.toBe(PROJECT[path]);
  expect(await reportsOf({ ...FILES, [path]: changed }, [path])).toEqual(reports);
});
