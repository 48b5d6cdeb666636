import { expect, it } from "vitest";
import { resolved } from "./resolver-of.ts";

const SOURCES = ["index.js", "src/main.ts", "lib/core.js", "src/parts/cart.ts", "src/index.ts"];

const OWN: readonly (readonly [what: string, part: string, manifest: object, expected: string])[] = [
  ["its main file", "", { main: "index.js" }, "index.js"],
  ["the source of what is built", "", { main: "./dist/main.js" }, "src/main.ts"],
  ["an export under a condition", "", { exports: { ".": { import: { default: "./lib/core.js" } } } }, "lib/core.js"],
  ["one export for all", "", { exports: "./lib/core.js" }, "lib/core.js"],
  ["the first of several that is there", "", { exports: ["./none.js", "./lib/core.js"] }, "lib/core.js"],
  ["a part by its name", "/cart", { exports: { "./cart": "./dist/esm/parts/cart.mjs" } }, "src/parts/cart.ts"],
  ["parts by a pattern", "/cart", { exports: { "./*": "./dist/parts/*.js" } }, "src/parts/cart.ts"],
  ["a part by its place", "/src/parts/cart", {}, "src/parts/cart.ts"],
  ["what Node takes where nothing is said", "", {}, "index.js"],
  ["what is usual where nothing is said, and Node would take nothing", "", {}, "src/index.ts"],
];

it("TEST-1: a test that imports a package by its own name reaches what its manifest says, or the source of it", async () => {
  const files = OWN.flatMap(([, , manifest], at) => [
    [`p${at}/package.json`, { name: `@acme/shop${at}`, ...manifest }] as const,
    ...SOURCES.filter((path) => at < OWN.length - 1 || path !== "index.js").map(
      (path) => [`p${at}/${path}`, ""] as const,
    ),
  ]);
  const modules = OWN.map(([, part], at) => `@acme/shop${at}${part}`);
  const { targets } = await resolved(Object.fromEntries(files), [{ path: "test/a.test.js", modules }]);
  expect(OWN.map(([what], at) => [what, targets("test/a.test.js", modules[at]!)[0]])).toEqual(
    OWN.map(([what, , , expected], at) => [what, `p${at}/${expected}`]),
  );
});

it("TEST-1: workspaces are found by their names, and foreign packages and broken manifests lead nowhere", async () => {
  const path = "test/a.test.ts";
  const modules = ["shop", "@shop/prices", "left-pad", "@shop", ""];
  const { targets, lost } = await resolved(
    {
      "package.json": [],
      "packages/prices/package.json": { name: "@shop/prices", exports: "./index.js" },
      "packages/prices/index.js": "",
      "node_modules/left-pad/package.json": { name: "left-pad", main: "index.js" },
    },
    [{ path, modules }],
  );
  expect(modules.map((module) => targets(path, module)[0])).toEqual([
    undefined,
    "packages/prices/index.js",
    undefined,
    undefined,
    undefined,
  ]);
  expect(lost(path)).toEqual([]);
});

it.each([
  ["workspace:", "workspace:@shop/prices@*"],
  ["a range of a workspace", "workspace:@shop/prices@^1.0.0"],
  ["npm:", "npm:@shop/prices@1.0.0"],
  ["npm: without a version", "npm:@shop/prices"],
  ["a folder of a workspace", "workspace:../prices"],
  ["a folder", "file:../prices/"],
  ["a folder without a protocol", "../prices"],
  ["a folder from the root", "workspace:packages/prices"],
  ["the name of a package behind workspace:", "workspace:prices-of-shop"],
])("TEST-3: a package of the repository is found under the name that another gives it by %s", async (_, version) => {
  const path = "packages/cart/test/a.test.ts";
  const modules = ["costs", "costs/parts/vat.js"];
  const { targets, lost } = await resolved(
    {
      "package.json": { name: "shop", private: true },
      "packages/prices/package.json": {
        name: version.includes("@shop") ? "@shop/prices" : "prices-of-shop",
        exports: { ".": "./index.js", "./*": "./*" },
      },
      "packages/prices/index.js": "",
      "packages/prices/parts/vat.js": "",
      "packages/cart/package.json": { name: "@shop/cart", devDependencies: { costs: version } },
    },
    [{ path, modules }],
  );
  expect(modules.map((module) => targets(path, module)[0])).toEqual([
    "packages/prices/index.js",
    "packages/prices/parts/vat.js",
  ]);
  expect(lost(path)).toEqual([]);
});

it("TEST-3: a name that two packages give to different ones is each one's own", async () => {
  const [inC, inD, atRoot] = ["packages/c/test/a.test.ts", "packages/d/a.test.ts", "test/a.test.ts"];
  const { targets, lost } = await resolved(
    {
      "packages/a/package.json": { name: "a" },
      "packages/a/index.js": "",
      "packages/b/package.json": { name: "b" },
      "packages/b/index.js": "",
      "packages/c/package.json": { name: "c", dependencies: { x: "workspace:a@*", left: "npm:left-pad@1" } },
      "packages/d/package.json": { name: "d", dependencies: { x: "workspace:b@*" } },
    },
    [inC, inD, atRoot].map((path) => ({ path, modules: ["x", "left"] })),
  );
  expect([inC, inD, atRoot].map((path) => [targets(path, "x"), lost(path)])).toEqual([
    [["packages/a/index.js"], []],
    [["packages/b/index.js"], []],
    [[], ["x"]],
  ]);
  expect(targets(inC, "left")).toEqual([]);
});

it("TEST-3: a package that is called like another one of the repository is the one that the manifest says", async () => {
  const paths = ["web/a.test.ts", "web/deep/src/a.test.ts", "plain/a.test.ts", "core/a.test.ts", "a.test.ts"];
  const { targets } = await resolved(
    {
      "package.json": { name: "shop", devDependencies: { core: "workspace:kernel@*" } },
      "core/package.json": { name: "core", exports: { ".": "./index.js", "./*": "./*.js" } },
      "core/index.js": "",
      "core/part.js": "",
      "kernel/package.json": { name: "kernel", exports: { ".": "./main.js", "./*": "./src/*.js" } },
      "kernel/main.js": "",
      "kernel/src/part.js": "",
      "web/package.json": { name: "web", dependencies: { core: "workspace:kernel" } },
      "plain/package.json": { name: "plain", dependencies: { core: "workspace:*" } },
    },
    paths.map((path) => ({ path, modules: ["core", "core/part", "kernel"] })),
  );
  expect(paths.map((path) => [targets(path, "core")[0], targets(path, "core/part")[0]])).toEqual([
    ["kernel/main.js", "kernel/src/part.js"],
    ["kernel/main.js", "kernel/src/part.js"],
    ["core/index.js", "core/part.js"],
    ["core/index.js", "core/part.js"],
    ["kernel/main.js", "kernel/src/part.js"],
  ]);
  expect(targets("plain/a.test.ts", "kernel")).toEqual(["kernel/main.js"]);
});
