/** A shop's cart whose sum is not written yet. */
export const CART = {
  "package.json": '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/total.js": "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n",
};

/** The same, where a model reads each change. */
export const READ_CART = {
  ...CART,
  "AGENTS.md": "Prices are in cents.\n",
  ".github/forge.yml": "review:\n  ai: always\n",
};

/** A change of it that forgets how many there are of an item. */
export const FORGETFUL =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n";

export const MENDED = FORGETFUL.replace("item.price", "item.price * item.count");

/** What a model claims of that change. */
export const CLAIM = {
  file: "src/total.js",
  line: 4,
  quote: "sum += item.price;",
  kind: "logic",
  severity: "error",
  claim: "The count of an item is not multiplied in.",
  scenario: "Two items for 3 cost 3, not 6.",
  confidence: 0.9,
};

export const FIX = { start_line: 4, end_line: 4, replacement: "    sum += item.price * item.count;" };

/** A test that fails on the change and passes once it is mended. */
export const DEMONSTRATION = `import assert from "node:assert";
import { test } from "node:test";
import { total } from "../src/total.js";
test("counts", () => assert.equal(total([{ price: 3, count: 2 }]), 6));
`;
