import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { stepsOf } from "./steps-of.ts";

const LOCKS = { npm: "package-lock.json", pnpm: "pnpm-lock.yaml", yarn: "yarn.lock", bun: "bun.lock" } as const;
type Program = keyof typeof LOCKS;

/** What each program takes its forced versions from, and how it names a package of the workspace. */
const OWN = {
  "npm-6": [undefined, {}],
  npm: [undefined, { overrides: { "is-positive": "^3.0.0", "is-number": "7.0.0" } }],
  "pnpm-11": ["workspace:*", {}],
  pnpm: ["workspace:*", { pnpm: { overrides: { "is-positive": "3.1.0", "is-number": "7.0.0" } } }],
  "yarn-1": ["1.0.0", { resolutions: { "is-positive": "3.1.0", "is-number": "7.0.0" } }],
  yarn: ["workspace:*", { resolutions: { "is-positive": "3.1.0", "is-number": "7.0.0" } }],
  bun: ["workspace:*", { overrides: { "is-positive": "^3.0.0", "is-number": "7.0.0" } }],
} as const;

/** Where pnpm 11 takes them from. */
const WORKSPACE = "packages:\n  - packages/*\noverrides:\n  is-positive: 3.1.0\n  is-number: 7.0.0\n";

/** A change of the manifest, as the text before and after. */
const CHANGES = {
  narrower: ['"is-even":"^1.0.0"', '"is-even":">=1.0.0 <2"'],
  other: ['"is-even":"^1.0.0"', '"is-even":"^0.1.0"'],
  added: ['"is-even":"^1.0.0"', '"is-even":"^1.0.0","kind-of":"6.0.3"'],
  alias: ["npm:lodash@4.17.20", "npm:lodash@4.17.19"],
  tag: ['"is-even":"^1.0.0"', '"is-even":"latest"'],
  forced: ['"is-positive":"^3.0.0","left-pad"', '"is-positive":"^3.0.1","left-pad"'],
  archive: ["left-pad-1.3.0.tgz", "left-pad-1.2.0.tgz"],
} as const;
const ALL = Object.keys(CHANGES);
const OF_NPM = ["other", "added", "alias", "archive"];
const OF_PNPM = ["narrower", "other", "added", "alias", "tag", "archive"];

/** The changes after which the program refused, as its lock file was out of step. */
const REFUSED: Readonly<Record<string, readonly string[] | undefined>> = {
  ...{ "npm-6": OF_NPM, "npm-8": OF_NPM, "npm-11": OF_NPM, "npm-12": OF_NPM },
  ...{ "pnpm-7": OF_PNPM, "pnpm-8": OF_PNPM, "pnpm-9": OF_PNPM, "pnpm-11": OF_PNPM },
  // Yarn 1 does not name the packages of a workspace: what is missing may be one of them, so nothing is said of "added".
  ...{ "yarn-1": ALL.filter((change) => change !== "added"), "yarn-3": undefined, "yarn-4": ALL, "bun-1": OF_NPM },
};

/** Packages that are installed from the registry. */
const INSTALLED = [
  ...["@sindresorhus/is 4.6.0", "is-even 1.0.0", "is-number 7.0.0", "is-odd 0.1.2", "is-odd 3.0.1"],
  ...["is-positive 3.1.0", "left-pad 1.3.0", "lodash 4.17.20"],
];
const BEFORE_OVERRIDES = [
  ...["@sindresorhus/is 4.6.0", "is-buffer 1.1.6", "is-even 1.0.0", "is-number 3.0.0", "is-odd 0.1.2"],
  ...["is-positive 3.1.0", "kind-of 3.2.2", "left-pad 1.3.0", "lodash 4.17.20"],
];

function manifestOf(file: string, program: Program): string {
  const [own, forced] = OWN[file as keyof typeof OWN] ?? OWN[program];
  const wanted = {
    "@sindresorhus/is": "^4.0.0",
    "is-positive": "^3.0.0",
    "left-pad": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz",
    ...(own === undefined ? {} : { own }),
    wide: "npm:lodash@4.17.20",
  };
  return JSON.stringify({
    ...{ name: "shop", version: "1.0.0", workspaces: ["packages/*"] },
    ...{ dependencies: wanted, devDependencies: { "is-even": "^1.0.0" } },
    ...forced,
  });
}

it.each(Object.entries(REFUSED))(
  "REV-8: a lock file of %s: its packages, and when it is out of step",
  (file, refused) => {
    const program = file.split("-", 1)[0] as Program;
    const name = LOCKS[program];
    const text = readFileSync(new URL(`recorded/${file}.txt`, import.meta.url), "utf8");
    expect(findForeignLine(name, text)).toBeUndefined();
    const reading = lockFileOf(name)!.read(text);
    const all = "fault" in reading ? [] : reading.packages.filter(({ source }) => source === "registry");
    // pnpm 11 has a document before that of the project: about itself.
    const [, ofPnpm] = /^---\n(.*?)^---\n/ms.exec(text) ?? [];
    const packages = all.filter(({ line }) => line > (ofPnpm?.split("\n").length ?? 0));
    expect(all.length - packages.length).toBe(ofPnpm === undefined ? 0 : 13);
    const found = [...new Set(packages.map((one) => `${one.name} ${one.version}`))].sort();
    expect(found).toEqual(file === "npm-6" ? BEFORE_OVERRIDES : INSTALLED);
    const lines = text.split("\n");
    // The first line of an entry names the package, by its own name or by the one that it is installed under.
    const misplaced = packages.filter((one) => !new RegExp(`${one.name}|wide`).test(lines[one.line - 1]!));
    expect(misplaced).toEqual([]);
    const manifest = manifestOf(file, program);
    const place = file === "pnpm-11" ? { workspace: WORKSPACE } : {};
    expect(stepsOf(manifest, name, text, place).drifts).toEqual([]);
    if (refused === undefined) return;
    const drifting = Object.entries(CHANGES).filter(
      ([, [before, after]]) => stepsOf(manifest.replace(before, after), name, text, place).drifts.length > 0,
    );
    expect(drifting.map(([change]) => change)).toEqual(ALL.filter((change) => refused.includes(change)));
  },
);
