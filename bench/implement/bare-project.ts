import type { Project } from "./project.ts";

/** Plain JavaScript without a package; the change affects one test, which takes a tenth of a second. */
export function bareProject(count: number): Project {
  return {
    name: "plain JavaScript, one test affected",
    files: shopOf(count),
    edited: EDITED,
    tests: ["test/price.test.js"],
  };
}

/** A shop of `count` files whose prices nobody rounds: modules that import each other, one in ten with a test. */
function shopOf(count: number): Record<string, string> {
  const files: Record<string, string> = {
    "README.md": "# Shop\n\nRun the tests with `npm test`.\n",
    "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/price.js": PRICE,
    "test/price.test.js": TEST,
  };
  for (let at = 0; Object.keys(files).length < count; at += 1) {
    files[`src/part${at % 20}/module${at}.js`] = moduleOf(at);
    if (at % 10 === 0 && Object.keys(files).length < count) files[`test/module${at}.test.js`] = testOf(at);
  }
  return files;
}

const PRICE = "export function price(cents) {\n  return cents / 100;\n}\n";
const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { price } from "../src/price.js";

test("a price in euros", () => assert.equal(price(250), 2.5));
`;

const EDITED = {
  "src/price.js": PRICE.replace("cents / 100", "(cents / 100).toFixed(2)"),
  "test/price.test.js": TEST.replace("2.5)", '"2.50")'),
};

function moduleOf(at: number): string {
  const other = at - 20;
  const imported = other < 0 ? "" : `import { step${other}x0 } from "./module${other}.js";\n\n`;
  const steps = Array.from({ length: 6 }, (_, step) => {
    const first = other < 0 || step > 0 ? "0" : `step${other}x0([], limit)`;
    return `/** Adds up what step ${step} of module ${at} counted. */
export function step${at}x${step}(values, limit) {
  let total = ${first};
  for (const value of values) {
    if (value > limit * ${step + 1}) continue;
    total += value * ${at + 1};
  }
  return total;
}
`;
  });
  return `${imported}${steps.join("\n")}`;
}

function testOf(at: number): string {
  return `import assert from "node:assert";
import { test } from "node:test";
import { step${at}x1 } from "../src/part${at % 20}/module${at}.js";

test("step ${at} adds up", () => assert.equal(step${at}x1([1, 2], 9), ${3 * (at + 1)}));
`;
}
