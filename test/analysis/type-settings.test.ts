import { expect, it } from "vitest";
import { settingsFor, settingsOfDependents } from "../../src/analysis/type-settings.ts";

/** Packages by their folders: the names of what each needs. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  "apps/site": ["cart", "far"],
  "apps/admin": ["tools"],
  "libs/cart": ["prices"],
  "libs/prices": ["tools"],
  "libs/plain": ["prices"],
  tools: ["site"],
};
const WITH_SETTINGS = ["", "apps/site/", "libs/cart/", "libs/prices/", "tools/", "libs/prices/test/"];
const manifests = new Map(
  Object.entries(NEEDS).map(([folder, needs], at) => {
    const list = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"][at % 4]!;
    const name = folder.replace(/.*\//, "");
    return [
      `${folder}/package.json`,
      Buffer.from(JSON.stringify({ name, [list]: Object.fromEntries(needs.map((n) => [n, "*"])) })),
    ];
  }),
);
const paths = new Set([...manifests.keys(), ...WITH_SETTINGS.map((folder) => `${folder}tsconfig.json`)]);
const WORKSPACES = Buffer.from('{ "workspaces": ["apps/*", "libs/*", "tools"] }');
const dependents = (...files: string[]) =>
  settingsOfDependents(files, paths, new Map([["package.json", WORKSPACES], ...manifests]));

it("REV-1: the nearest settings of each file, once, of the root's where none are nearer", () => {
  const files = ["libs/prices/src/a.ts", "libs/prices/b.ts", "libs/plain/c.ts", "d.ts", "libs/prices/test/e.ts"];
  expect(settingsFor(files, paths)).toEqual([
    "libs/prices/test/tsconfig.json",
    "libs/prices/tsconfig.json",
    "tsconfig.json",
  ]);
  expect(settingsFor(files, new Set())).toEqual([]);
});

it("REV-1: those of whoever needs a changed package, the nearest first, each once, also where packages need each other", () => {
  expect(dependents("libs/cart/src/index.ts")).toEqual([
    "apps/site/tsconfig.json",
    "tools/tsconfig.json",
    "tsconfig.json",
    "libs/prices/tsconfig.json",
  ]);
  expect(dependents("libs/prices/src/index.ts", "libs/cart/index.ts")).toEqual([
    "tsconfig.json",
    "apps/site/tsconfig.json",
    "tools/tsconfig.json",
  ]);
});

it("REV-1: nobody's where only tests changed, or what is in no package, or where there is no workspace", () => {
  expect(dependents("libs/cart/test/index.test.ts", "scripts/build.ts")).toEqual([]);
  const changed = ["libs/cart/src/index.ts"];
  expect(settingsOfDependents(changed, paths, manifests)).toEqual([]);
  expect(settingsOfDependents(changed, new Set([...paths, "pnpm-workspace.yaml"]), manifests)).toHaveLength(4);
});
