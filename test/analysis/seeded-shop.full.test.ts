import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { analyse } from "./change-of.ts";

const SHOP = join(import.meta.dirname, "..", "..", "fixtures", "seeded-shop");

function shop(): Record<string, string | [string, string]> {
  const key = `AK${"IA"}QZ3T7WPLMXRV2BDN`;
  const read = (side: string, path: string) => readFileSync(join(SHOP, side, path), "utf8").replace("{{aws-key}}", key);
  const entries = readdirSync(join(SHOP, "head"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const path = relative(join(SHOP, "head"), join(entry.parentPath, entry.name));
      const head = read("head", path);
      return [path, existsSync(join(SHOP, "base", path)) ? [head, read("base", path)] : head];
    }),
  );
}

it("REV-1: finds what is seeded in the shop, and nothing else", async () => {
  const note = readFileSync(join(SHOP, "NOTE.md"), "utf8");
  const seeded = [...note.matchAll(/^\| `([^`]+)` \|.*\| (\w+), `([^`]+)` \|$/gm)].map(
    ([, place, severity, rule]) => `${place} ${severity} ${rule}`,
  );
  const { observations } = await analyse(shop());
  expect(seeded).toHaveLength(7);
  expect(observations.map(({ file, line, severity, rule }) => `${file}:${line} ${severity} ${rule}`).sort()).toEqual(
    seeded.sort(),
  );
  expect(observations.flatMap(({ fix }) => (fix ? [fix.after] : []))).toEqual([
    "  if (Number.isNaN(percent)) return total(lines);",
    "export const connection = { keepAlive: true };",
  ]);
});
