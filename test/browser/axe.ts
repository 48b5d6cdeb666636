import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const AXE = join(import.meta.dirname, "..", "..", "tools", "node_modules", "axe-core", "axe.min.js");
// Without its own look at style sheets, which the policy of the pages refuses.
const RULES = '{ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"], preload: false }';

/** What axe holds against a page, as rules with the elements. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, "utf8"));
  return page.evaluate<string[]>(
    `axe.run(document, ${RULES}).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
  );
}
