import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { reportsOf } from "./reports-of.ts";

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}.txt`, import.meta.url), "utf8");
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const ROOT = {
  ...{ name: "shop", version: "1.0.0", private: true, workspaces: ["packages/*"] },
  devDependencies: { "kind-of": "^6.0.0" },
  optionalDependencies: { "is-windows": "^1.0.0" },
  peerDependencies: { "is-positive": "^3.0.0" },
};
const own = (protocol: string) => ({
  "packages/own/package.json": json({
    ...{ name: "own", version: "1.2.0", dependencies: { "is-odd": "^3.0.0", "left-pad": "^1.3.0" } },
  }),
  "packages/two/package.json": json({
    ...{ name: "two", version: "1.0.0", dependencies: { own: protocol, react: "^18.0.0", "react-dom": "^18.0.0" } },
  }),
  "vendor/local/package.json": json({ name: "local", version: "0.1.0" }),
  "vendor/ported/package.json": json({ name: "ported", version: "0.2.0", dependencies: { "is-odd": "^3.0.0" } }),
});
const NPM = {
  "package.json": json({
    ...ROOT,
    dependencies: {
      ...{ "left-pad": "^1.3.0", "is-even": "^0.1.0", own: "^1.0.0", wide: "npm:lodash@^4.17.20" },
      ...{ local: "file:./vendor/local", "is-number": "7.0.0" },
    },
    overrides: { "is-odd": { "is-number": "4.0.0" }, "is-buffer@^1.1.5": "1.1.5" },
  }),
  ...own("^1.0.0"),
  "package-lock.json": recorded("settings-npm-12"),
};
const YARN = {
  "package.json": json({
    ...ROOT,
    dependencies: {
      ...{ "left-pad": "patch:left-pad@npm%3A1.3.0#./left.patch", "is-even": "^0.1.0", own: "workspace:^" },
      ...{ wide: "npm:lodash@^4.17.20", local: "file:./vendor/local", linked: "link:./vendor/local" },
      ...{ ported: "portal:./vendor/ported", "is-number": "7.0.0" },
    },
    resolutions: { "is-odd/is-number": "4.0.0", "is-buffer@npm:^1.1.5": "1.1.5" },
  }),
  ...own("workspace:*"),
  "yarn.lock": recorded("settings-yarn-4"),
};

type Files = Readonly<Record<string, string>>;

/** A change of one file, and where Forge reports it: nowhere if the program still takes the lock file. */
type Change = readonly [path: string, before: string | RegExp, after: string, ...reports: string[]];
const [PACKAGE, OWN, TWO, LOCAL] = [
  ...["package.json", "packages/own/package.json", "packages/two/package.json", "vendor/local/package.json"],
] as const;

/** Asked of npm 12.2.2 and 11.19.1. */
const OF_NPM: readonly Change[] = [
  [PACKAGE, '"shop"', '"shop2"'],
  [PACKAGE, '"left-pad": "^1.3.0"', '"left-pad": "^1.2.0"'],
  [PACKAGE, '"left-pad": "^1.3.0"', '"left-pad": "1.2.0"', "package.json:18 left-pad"],
  [PACKAGE, "npm:lodash@^4.17.20", "npm:underscore@^1.0.0", "package.json:21 wide"],
  [PACKAGE, '"is-positive": "^3.0.0"', '"is-positive": "^2.0.0"', "package.json:15 is-positive"],
  [PACKAGE, "file:./vendor/local", "file:./vendor/ported", "package.json:22 local"],
  [PACKAGE, '"own": "^1.0.0"', '"own": "^2.0.0"'],
  [PACKAGE, '"is-number": "4.0.0"', '"is-number": "5.0.0"', "package.json:23 is-number"],
  [PACKAGE, '"is-number": "4.0.0"', '"is-buffer": "2.0.0"', "package.json:23 is-number"],
  [PACKAGE, '"is-windows": "^1.0.0"', '"fsevents": "^2.0.0"', "package.json:12 fsevents"],
  [TWO, '"^1.0.0"', '"^2.0.0"', "packages/two/package.json:5 own"],
  [LOCAL, '"0.1.0"', '"0.1.0","dependencies":{"is-odd":"^2.0.0"}', "vendor/local/package.json:1 is-odd"],
];

/** Asked of npm 11.19.1. */
const OF_NPM_11: readonly Change[] = [
  [PACKAGE, /,\s*"overrides": \{[^}]*\}[^}]*\}/, "", "package.json:23 is-number"],
  [PACKAGE, /"is-odd": \{[^}]*\},/, "", "package.json:23 is-number"],
  [PACKAGE, /,\s*"is-buffer@\^1.1.5": "1.1.5"/, ""],
  [OWN, '"1.2.0"', '"2.0.0"', "packages/own/package.json:1 own"],
  [OWN, '"1.2.0"', '"1.3.0"'],
  [OWN, '"name": "own"', '"name": "owner"', "packages/own/package.json:1 owner"],
  [LOCAL, '"0.1.0"', '"0.2.0"'],
  [TWO, '"^1.0.0"', '"^1.2.0"'],
];

/** Asked of Yarn 4.18.1. */
const OF_YARN: readonly Change[] = [
  [PACKAGE, '"shop"', '"shop2"', "package.json:1 shop2"],
  [PACKAGE, "patch:left-pad@npm%3A1.3.0#./left.patch", "^1.3.0", "package.json:18 left-pad"],
  [PACKAGE, "link:./vendor/local", "link:./vendor/other", "package.json:23 linked"],
  [PACKAGE, "file:./vendor/local", "link:./vendor/local", "package.json:22 local"],
  [PACKAGE, "portal:./vendor/ported", "portal:./vendor/local", "package.json:24 ported"],
  [PACKAGE, '"is-odd/is-number": "4.0.0"', '"is-odd/is-number": "5.0.0"', "package.json:25 is-number"],
  [PACKAGE, '"is-odd/is-number": "4.0.0"', '"is-even/is-number": "5.0.0"'],
  [OWN, '"1.2.0"', '"2.0.0"'],
  [TWO, "workspace:*", "workspace:^1.0.0", "packages/two/package.json:5 own"],
];

it.each([
  ...[...OF_NPM, ...OF_NPM_11].map((change) => ({ files: NPM as Files, change })),
  ...OF_YARN.map((change) => ({ files: YARN as Files, change })),
])("REV-8: forced versions and places: $change", async ({ files, change: [path, before, after, ...reports] }) => {
  const lock = Object.keys(files).find((name) => /lock/.test(name))!;
  expect(findForeignLine(lock, files[lock]!)).toBeUndefined();
  expect(await reportsOf(files, Object.keys(files))).toEqual([]);
  const changed = files[path]!.replace(before, after);
  expect(changed).not.toBe(files[path]);
  expect(await reportsOf({ ...files, [path]: changed }, [path])).toEqual(reports);
});
