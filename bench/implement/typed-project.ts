import type { Project } from "./project.ts";
import type { PackageRegistry } from "./registry.ts";

/**
 * What most projects of that size look like: TypeScript whose packages are installed from a lock file, checked by `tsc`; and the change is
 * in a module that all others use, so that every test of the project is affected.
 */
export function typedProject(count: number, registry: PackageRegistry): Project {
  const files: Record<string, string> = {
    "README.md": "# Shop\n\nRun the tests with `npm test`.\n",
    "package.json": manifestOf(registry),
    "package-lock.json": lockOf(registry),
    "tsconfig.json": TSCONFIG,
    ".gitignore": "node_modules\n",
    "src/price.ts": PRICE,
    "test/price.test.ts": TEST,
  };
  const tests = ["test/price.test.ts"];
  for (let at = 0; Object.keys(files).length < count; at += 1) {
    files[`src/part${at % 20}/module${at}.ts`] = moduleOf(at);
    if (at % 10 !== 0 || Object.keys(files).length === count) continue;
    const test = `test/module${at}.test.ts`;
    files[test] = testOf(at);
    tests.push(test);
  }
  return {
    name: `TypeScript with packages and a type check, ${tests.length} test files affected`,
    files,
    edited: {
      "src/price.ts": PRICE.replace(": number {", ": string {").replace("cents / 100", "(cents / 100).toFixed(2)"),
      "test/price.test.ts": TEST.replace("2.5)", '"2.50")'),
    },
    tests,
    typeCheck: { program: "npm", args: ["run", "typecheck"] },
    registryHost: registry.host,
  };
}

const PRICE = "export function price(cents: number): number {\n  return cents / 100;\n}\n";
const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { price } from "../src/price.ts";

test("a price in euros", () => assert.equal(price(250), 2.5));
`;
const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ module: "nodenext", target: "es2024", strict: true, noEmit: true },
      ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, types: [] },
    },
    include: ["src"],
  },
  null,
  2,
)}\n`;

function manifestOf({ name, version }: PackageRegistry): string {
  const scripts = { test: "node --test", typecheck: "tsc --noEmit" };
  const manifest = { name: "shop", version: "1.0.0", type: "module", scripts, devDependencies: { [name]: version } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function lockOf({ name, version, tarball, integrity, bin }: PackageRegistry): string {
  const packages = {
    "": { name: "shop", version: "1.0.0", devDependencies: { [name]: version } },
    [`node_modules/${name}`]: { version, resolved: tarball, integrity, dev: true, bin },
  };
  const lock = { name: "shop", version: "1.0.0", lockfileVersion: 3, requires: true, packages };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Builds on the module twenty before it; the first twenty build on the prices. */
function moduleOf(at: number): string {
  const other = at - 20;
  const used = other < 0 ? "price" : `step${other}x0`;
  const from = other < 0 ? "../price.ts" : `./module${other}.ts`;
  const steps = Array.from({ length: 6 }, (_, step) => {
    const below = other < 0 ? "Number(price(0))" : `${used}([], limit)`;
    return `/** Adds up what step ${step} of module ${at} counted. */
export function step${at}x${step}(values: readonly number[], limit: number): number {
  let total = ${step > 0 ? "0" : below};
  for (const value of values) {
    if (value > limit * ${step + 1}) continue;
    total += value * ${at + 1};
  }
  return total;
}
`;
  });
  return `import { ${used} } from "${from}";\n\n${steps.join("\n")}`;
}

function testOf(at: number): string {
  return `import assert from "node:assert";
import { test } from "node:test";
import { step${at}x1 } from "../src/part${at % 20}/module${at}.ts";

test("step ${at} adds up", () => assert.equal(step${at}x1([1, 2], 9), ${3 * (at + 1)}));
`;
}
