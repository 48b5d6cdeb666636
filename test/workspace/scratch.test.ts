import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clearScratch, scratchName } from "../../src/workspace/scratch.ts";

it("OPS-3: what a dead process left is removed, what others work in stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-scratches-"));
  const [host] = scratchName().split("+");
  const alive = `${host}+${process.ppid}`;
  const names = { old: "review-abc", own: scratchName(), dead: `${host}+4194999`, alive, elsewhere: "other-host+1" };
  for (const name of Object.values(names)) mkdirSync(join(folder, name, "clone"), { recursive: true });
  await clearScratch(folder);
  const left = Object.entries(names).filter(([, name]) => existsSync(join(folder, name)));
  expect(left.map(([which]) => which)).toEqual(["alive", "elsewhere"]);
  await clearScratch(join(folder, "missing"));
});
