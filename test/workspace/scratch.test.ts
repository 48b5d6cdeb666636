import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { clearScratch, clearTemporary, makeTemporary, openScratch, scratchName } from "../../src/workspace/scratch.ts";

const LIMITS = { timeMs: 60_000 };
const scratches = () => mkdtempSync(join(tmpdir(), "forge-scratches-"));

it("OPS-3: what a dead process left is removed, what others work in stays", async () => {
  const folder = scratches();
  const [host] = scratchName().split("+");
  const alive = `${host}+${process.ppid}+ab`;
  const own = `${scratchName()}+ab`;
  const names = {
    ...{ old: "review-abc", before: `${scratchName()}+cd`, dead: `${host}+4194999+ef` },
    ...{ own, alive, elsewhere: "other-host+1" },
  };
  for (const name of Object.values(names)) mkdirSync(join(folder, name, "clone"), { recursive: true });
  mkdirSync(join(folder, own, "lint-abc+left"));
  expect(await clearScratch(folder, join(folder, own), LIMITS)).toEqual({ removed: 4, left: [] });
  const left = Object.entries(names).filter(([, name]) => existsSync(join(folder, name)));
  expect(left.map(([which]) => which)).toEqual(["own", "alive", "elsewhere"]);
  expect(readdirSync(join(folder, own))).toEqual(["clone"]);
  await clearScratch(join(folder, "missing"), undefined, LIMITS);
});

it("OPS-3: a start gets a folder of its own, whatever an earlier one with its number left", async () => {
  const folder = join(scratches(), "scratch");
  const first = await openScratch(folder);
  mkdirSync(join(first, "clone"));
  const second = await openScratch(folder);
  expect(readdirSync(second)).toEqual([]);
  expect(basename(second).startsWith(`${scratchName()}+`)).toBe(true);
});

it("what cannot be removed in time is named, and nothing is thrown", async () => {
  const folder = scratches();
  mkdirSync(join(folder, "review-abc", "clone"), { recursive: true });
  expect(await clearScratch(folder, undefined, { timeMs: 0 })).toEqual({ removed: 0, left: ["review-abc"] });
});

it("OPS-3: what a killed process had beside its scratch folder is removed, what others work in stays", async () => {
  const own = await makeTemporary("sandbox");
  const named = (pid: number) => own.replace(`-${process.pid}-`, `-${pid}-`);
  const [dead, alive, foreign] = [named(4_194_999), named(process.ppid), own.replace("forge-sandbox-", "forge-other-")];
  for (const folder of [dead, alive, foreign]) mkdirSync(join(folder, "inside"), { recursive: true });
  expect((await clearTemporary(LIMITS)).removed).toBeGreaterThan(0);
  expect([own, dead, alive, foreign].map((folder) => existsSync(folder))).toEqual([true, false, true, true]);
  for (const folder of [own, alive, foreign]) rmSync(folder, { recursive: true });
});

describe("OPS-3: a start on a disk that a dead process filled", () => {
  it.for(["size=8m", "size=64m,nr_inodes=100"])("makes room first: %s", async (options, { skip }: TestContext) => {
    const place = scratches();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", place]).status === 0;
    if (!mounted) skip("nothing can be mounted here: not root");
    try {
      const folder = join(place, "scratch");
      const dead = join(folder, `${scratchName().split("+")[0]}+4194999+ab`);
      mkdirSync(dead, { recursive: true });
      const fill = (): never => {
        for (let at = 0; ; at += 1)
          writeFileSync(join(dead, String(at)), Buffer.alloc(options.includes("inodes") ? 0 : 2 ** 18));
      };
      expect(fill).toThrow("ENOSPC");
      const own = await openScratch(folder);
      expect(readdirSync(folder)).toEqual([basename(own)]);
    } finally {
      spawnSync("umount", [place]);
    }
  });
});
