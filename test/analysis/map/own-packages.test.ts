import { expect, it } from "vitest";
import { resolveImport } from "../../../src/analysis/map/import-graph.ts";
import { ownManifests, readOwnPackages } from "../../../src/analysis/map/own-packages.ts";

function resolverOf(files: Readonly<Record<string, unknown>>) {
  const paths = Object.keys(files);
  const texts = ownManifests(paths).map((path) => [path, Buffer.from(JSON.stringify(files[path]))] as const);
  const packages = readOwnPackages(new Map(texts));
  return (specifier: string) => resolveImport(specifier, "test/a.test.ts", new Set(paths), packages);
}

it.each<[string, string, unknown, string]>([
  ["its main file", "shop", { name: "shop", main: "index.js" }, "index.js"],
  ["the source of what is built", "shop", { name: "shop", main: "./dist/main.js" }, "src/main.ts"],
  [
    "an export under a condition",
    "shop",
    { name: "shop", exports: { ".": { import: { default: "./lib/core.js" } } } },
    "lib/core.js",
  ],
  ["one export for all", "shop", { name: "shop", exports: "./lib/core.js" }, "lib/core.js"],
  [
    "a part by its name",
    "shop/cart",
    { name: "shop", exports: { "./cart": "./dist/esm/parts/cart.mjs" } },
    "src/parts/cart.ts",
  ],
  ["a part by its place", "@acme/shop/src/parts/cart", { name: "@acme/shop" }, "src/parts/cart.ts"],
  ["what is usual where nothing is said", "shop", { name: "shop" }, "src/index.ts"],
])("TEST-1: a test that imports the package by its own name reaches %s", (_, specifier, manifest, expected) => {
  const files = { "index.js": "", "src/main.ts": "", "lib/core.js": "", "src/parts/cart.ts": "", "src/index.ts": "" };
  expect(resolverOf({ "package.json": manifest, ...files })(specifier)).toBe(expected);
});

it("TEST-1: workspaces are found by their names, and foreign packages and broken manifests lead nowhere", () => {
  const resolve = resolverOf({
    "package.json": [],
    "packages/prices/package.json": { name: "@shop/prices", exports: "./index.js" },
    "packages/prices/index.js": "",
    "node_modules/left-pad/package.json": { name: "left-pad", main: "index.js" },
    "node_modules/left-pad/index.js": "",
  });
  expect([resolve("@shop/prices"), resolve("left-pad"), resolve("@shop"), resolve("")]).toEqual([
    "packages/prices/index.js",
    undefined,
    undefined,
    undefined,
  ]);
});
