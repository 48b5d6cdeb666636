import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Package managers by the lock file that a project of theirs has; one has none. */
export const MANAGERS = ["npm", "pnpm", "yarn", "yarn-berry", "bun", "none"] as const;
export type Manager = (typeof MANAGERS)[number];

/** Lock files of one manifest with every runner, so that a manager installs once for all of them. */
const LOCKS = "fixtures/projects/runners";

const MANIFEST = {
  name: "cart",
  version: "1.0.0",
  private: true,
  type: "module",
};
const PACKAGES = { ava: "6.4.1", jest: "29.7.0", mocha: "11.7.4", vite: "8.3.8", vitest: "5.1.0" };

export const SOURCE = "src/total.js";
const BASE = "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n";
/** The seeded fault: how many there are of an item does not count. */
const FAULTY =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n";

/** A project with one way to run its tests. */
export interface SeededProject {
  readonly base: Readonly<Record<string, string>>;
  /** What the change makes of it. */
  readonly change: Readonly<Record<string, string>>;
  /** The faulty line and what mends it. */
  readonly fault: { readonly file: string; readonly line: number; readonly quote: string; readonly fix: string };
  /** A test that fails with the fault alone. */
  readonly demonstration: { readonly path: string; readonly content: string };
}

const CALL = "total([{ price: 3, count: 2 }])";
const IMPORT = 'import { total } from "../src/total.js";\n';

/** How a test is written for a runner, and what script runs it. */
const RUNNERS = {
  vitest: {
    script: "vitest run",
    content: (name: string, value: string) =>
      `import { expect, test } from "vitest";\n${IMPORT}test("${name}", () => expect(${value}).toBe(6));\n`,
  },
  jest: {
    script: "cross-env NODE_OPTIONS=--experimental-vm-modules jest",
    content: (name: string, value: string) => `${IMPORT}test("${name}", () => expect(${value}).toBe(6));\n`,
  },
  mocha: {
    script: "npm run unit",
    more: { unit: "c8 mocha 'test/**/*.test.js'" },
    content: (name: string, value: string) =>
      `import assert from "node:assert";\n${IMPORT}describe("total", () => it("${name}", () => assert.equal(${value}, 6)));\n`,
  },
  ava: {
    script: "ava",
    content: (name: string, value: string) =>
      `import test from "ava";\n${IMPORT}test("${name}", (t) => t.is(${value}, 6));\n`,
  },
  "node:test": {
    script: "node --test",
    content: (name: string, value: string) =>
      `import assert from "node:assert";\nimport { test } from "node:test";\n${IMPORT}test("${name}", () => assert.equal(${value}, 6));\n`,
  },
} as const;

export type Runner = keyof typeof RUNNERS;
export const RUNNER_NAMES = Object.keys(RUNNERS) as Runner[];

/** A project of a manager and a runner, with a fault that a change brings in. */
export function seededProject(manager: Manager, runner: Runner): SeededProject {
  const how = RUNNERS[runner];
  const scripts = { test: how.script, ...("more" in how ? how.more : {}) };
  const manifest = `${JSON.stringify({ ...MANIFEST, scripts, devDependencies: PACKAGES }, null, 2)}\n`;
  return {
    base: {
      "package.json": manifest,
      [SOURCE]: BASE,
      "test/empty.test.js": how.content("is six", `total([]) + 6`),
      ...lockOf(manager),
    },
    change: { [SOURCE]: FAULTY },
    fault: { file: SOURCE, line: 4, quote: "sum += item.price;", fix: "    sum += item.price * item.count;" },
    demonstration: { path: "test/count.test.js", content: how.content("counts", CALL) },
  };
}

function lockOf(manager: Manager): Record<string, string> {
  const folder = join(LOCKS, manager);
  if (!existsSync(folder)) return {};
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/**
 * Yarn's own way to find packages, with what a repository of its holds beside the lock, and a script that says so. Packages stand where Node looks
 * for them, so that nothing may load what Yarn laid out.
 */
export function plugAndPlayProject(runner: Runner): SeededProject {
  const { base, ...project } = seededProject("yarn-berry", runner);
  const manifest = JSON.parse(base["package.json"]!) as { scripts: { test: string } };
  const test = `NODE_OPTIONS='--require ./.pnp.cjs --loader ./.pnp.loader.mjs' yarn exec ${manifest.scripts.test}`;
  const settings = "nodeLinker: pnp\nyarnPath: .yarn/releases/yarn.cjs\nenableGlobalCache: false\n";
  const loader = 'throw new Error("Not laid out.");\n';
  return {
    ...project,
    base: {
      ...base,
      "package.json": `${JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, test } }, null, 2)}\n`,
      ".yarnrc.yml": settings,
      ...{ ".pnp.cjs": loader, ".pnp.loader.mjs": loader },
    },
  };
}

/** Each file of tests is a program that prints its report. */
export function tapProject(): SeededProject {
  const content = (name: string, value: string) =>
    `import test from "tape";\n${IMPORT}test("${name}", (t) => {\n  t.equal(${value}, 6);\n  t.end();\n});\n`;
  const { base, change, fault } = seededProject("none", "node:test");
  const manifest = { ...MANIFEST, scripts: { test: "tape 'test/**/*.js'" }, devDependencies: { tape: "5.9.0" } };
  return {
    base: {
      "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
      [SOURCE]: base[SOURCE]!,
      "test/empty.test.js": content("is six", "total([]) + 6"),
    },
    ...{ change, fault },
    demonstration: { path: "test/count.test.js", content: content("counts", CALL) },
  };
}

/** TypeScript that Node alone does not run, whose tests are built before they are run: enums, imports without an ending, `paths`. */
export function typescriptProject(runner: "mocha" | "node:test"): SeededProject {
  const scripts = { test: runner === "mocha" ? "tsc && mocha dist/test" : "tsc && node --test dist/test" };
  // What comes with Node needs no packages, so that the loader alone is tried.
  const manifest = { ...MANIFEST, scripts, ...(runner === "mocha" ? { devDependencies: PACKAGES } : {}) };
  const index = (high: string) =>
    `import { Level } from "@lib/level";\nimport { base } from "./base";\n\nexport function weigh(level: Level): number {\n  return ${high};\n}\n`;
  const test = (name: string, value: string, expected: number) =>
    `import assert from "node:assert";\n${runner === "mocha" ? "" : 'import { it } from "node:test";\n'}import { Level } from "../src/lib/level";\nimport { weigh } from "../src/index";\n\nit("${name}", () => assert.equal(${value}, ${expected}));\n`;
  return {
    base: {
      "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
      "tsconfig.json": `${JSON.stringify({ compilerOptions: { module: "esnext", moduleResolution: "bundler", outDir: "dist", paths: { "@lib/*": ["./src/lib/*"] } } }, null, 2)}\n`,
      "src/lib/level.ts": "export enum Level {\n  Low = 1,\n  High = 2,\n}\n",
      "src/base.ts": "export const base = 10;\n",
      "src/index.ts": index("base * level"),
      "test/low.test.ts": test("low", "weigh(Level.Low)", 10),
      ...(runner === "mocha" ? lockOf("npm") : {}),
    },
    change: { "src/index.ts": index("level === Level.High ? base : base * level") },
    fault: {
      ...{ file: "src/index.ts", line: 5, quote: "level === Level.High ? base : base * level" },
      fix: "  return base * level;",
    },
    demonstration: { path: "test/high.test.ts", content: test("high", "weigh(Level.High)", 20) },
  };
}

/** A workspace with a runner of its own, which uses another one by its name. */
export function workspaceProject(): SeededProject {
  const root = { name: "shop", private: true, workspaces: ["packages/*"], devDependencies: { mocha: PACKAGES.mocha } };
  const cart = { ...MANIFEST, scripts: { test: "mocha" }, dependencies: { "@shop/prices": "*" } };
  const prices = { name: "@shop/prices", version: "1.0.0", type: "module", exports: "./index.js" };
  const total = (line: string) =>
    `import { inCents } from "@shop/prices";\n\nexport function total(items) {\n  return items.reduce((sum, item) => sum + ${line}, 0);\n}\n`;
  const test = (name: string, items: string, expected: number) =>
    `import assert from "node:assert";\nimport { total } from "../src/total.js";\n\nit("${name}", () => assert.equal(total(${items}), ${expected}));\n`;
  return {
    base: {
      "package.json": `${JSON.stringify(root, null, 2)}\n`,
      "packages/cart/package.json": `${JSON.stringify(cart, null, 2)}\n`,
      "packages/cart/src/total.js": total("inCents(item.price) * item.count"),
      "packages/cart/test/none.test.js": test("is nothing", "[]", 0),
      "packages/prices/package.json": `${JSON.stringify(prices, null, 2)}\n`,
      "packages/prices/index.js": "export const inCents = (price) => price * 100;\n",
    },
    change: { "packages/cart/src/total.js": total("inCents(item.price)") },
    fault: {
      ...{ file: "packages/cart/src/total.js", line: 4, quote: "inCents(item.price)" },
      fix: "  return items.reduce((sum, item) => sum + inCents(item.price) * item.count, 0);",
    },
    demonstration: {
      path: "packages/cart/test/count.test.js",
      content: test("counts", "[{ price: 3, count: 2 }]", 600),
    },
  };
}

/** Sources in a folder of their own, as an installation would find them, which need a package that a lock file names. */
export function pythonProject(lock: Readonly<Record<string, string>>): SeededProject {
  const manifest = `[project]
name = "shop"
version = "2.1"
dependencies = ["wheeled"]

[tool.pytest.ini_options]
testpaths = ["tests"]
`;
  const source = (sum: string) => `from wheeled import answer


def total(items):
    return sum(${sum} for item in items) + answer
`;
  const test = (name: string, items: string, expected: number) =>
    `from total import total\n\n\ndef test_${name}():\n    assert total(${items}) == ${expected}\n`;
  return {
    base: {
      "pyproject.toml": manifest,
      ...lock,
      "src/total.py": source('item["price"] * item["count"]'),
      "tests/test_none.py": test("none", "[]", 42),
    },
    change: { "src/total.py": source('item["price"]') },
    fault: {
      ...{ file: "src/total.py", line: 5, quote: 'item["price"] for item in items' },
      fix: '    return sum(item["price"] * item["count"] for item in items) + answer',
    },
    demonstration: { path: "tests/test_count.py", content: test("count", '[{"price": 3, "count": 2}]', 48) },
  };
}
