import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goodMind, roleOf, TESTED, turnsSoFar } from "../e2e/implementer.ts";
import { boxed } from "../needs/sandbox.ts";
import { forge, runAt, setUpShops, startForge } from "./run-kit.ts";

const { at, asked, stock, thinking, onShop } = setUpShops();

describe("interruptions", () => {
  boxed("OPS-3, PIPE-7: Ctrl-C stops after the step in flight; what was done is not done again", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached: () => void = () => {};
    const atWork = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const environment = await thinking(async (asked) => {
      if (roleOf(asked) === "implementer" && turnsSoFar(asked) === 0) {
        reached();
        await held;
      }
      return goodMind(asked);
    });
    const running = startForge(["run", ...onShop("Prices have odd digits")], environment);
    await atWork;
    running.child.kill("SIGINT");
    await running.said("stopping after the step in flight");
    release();
    const stopped = await running.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.out).toMatch(/Stopped, with everything kept\.\n.*\nto go on: \S.* run --resume [0-9A-Z]{26} /s);
    const ended = await runAt(undefined, onShop("--resume", "last"), environment);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("Done: branch forge/1-show-prices") });
    expect(asked()).toEqual([
      ["planner", 0],
      ["implementer", 0],
      ["implementer", 1],
    ]);
  });

  boxed("PIPE-7: a process that is killed leaves a run that goes on where its last step was recorded", async () => {
    let kill: () => void = () => {};
    const environment = await thinking(async (asked) => {
      if (roleOf(asked) === "implementer" && turnsSoFar(asked) === 1 && at.model!.asked.length === 3) {
        kill();
      }
      return goodMind(asked);
    });
    const running = startForge(["run", ...onShop("Prices have odd digits")], environment);
    kill = () => running.child.kill("SIGKILL");
    expect((await running.ended).code).toBe(null);
    const ended = await runAt(undefined, onShop("--resume", "last"), environment);
    expect(ended.code).toBe(0);
    const branch = "forge/1-show-prices-with-two-digits";
    expect(at.shop.git("show", `${branch}:test/price.test.js`)).toBe(TESTED);
    expect(at.model!.asked.filter((asked) => roleOf(asked) === "planner")).toHaveLength(1);
  });
});

describe("what stops it", () => {
  const FEW = "safety:\n  iterations:\n    implementation: 1\n";

  boxed("SAFE-1, GH-12a: a limit keeps the work so far on the branch; with a higher one it goes on", async () => {
    stock({ ".github/forge.yml": FEW });
    const environment = await thinking(goodMind);
    const first = await runAt(undefined, onShop("Prices have odd digits"), environment);
    expect(first.code).toBe(1);
    expect(first.out).toContain(
      "Stopped: the implementer reached its limit of 1 model calls\nso far on branch forge/1-show",
    );
    expect(first.out).toMatch(/to go on: \S.* run --resume \S+ --repo \S+ --data \S+ --extend iterations=25\n$/);
    const unchanged = await runAt(undefined, onShop("--resume", "last"), environment);
    expect(unchanged.err).toContain("raise that first, with --extend iterations=<n>");
    const second = await runAt(undefined, onShop("--resume", "last", "--extend", "iterations=4"), environment);
    expect(second.code).toBe(0);
  });

  boxed("PIPE-1, LOOP-20: so does the limit of the whole run, over all its phases", async () => {
    stock({ ".github/forge.yml": "safety:\n  iterations:\n    run: 2\n" });
    const environment = await thinking(goodMind);
    const first = await runAt(undefined, onShop("Prices have odd digits"), environment);
    expect(first.code).toBe(1);
    expect(first.out).toContain("ended early: The limit of 2 model calls for this run is reached.");
    expect(at.model!.asked.map(roleOf).filter((role) => role === "implementer")).toHaveLength(1);
    const second = await runAt(undefined, onShop("--resume", "last", "--extend", "iterations=8"), environment);
    expect(second.code).toBe(0);
    expect(at.model!.asked.filter((asked) => roleOf(asked) === "planner")).toHaveLength(1);
  });

  boxed("GH-12a: a branch that appears meanwhile stays as it is, and the work goes on when it is gone", async () => {
    const environment = await thinking((asked) => {
      if (roleOf(asked) === "implementer" && turnsSoFar(asked) === 0)
        at.shop.git("branch", "forge/1-show-prices-with-two-digits");
      return goodMind(asked);
    });
    const first = await runAt(undefined, onShop("Prices have odd digits"), environment);
    expect(first.code).toBe(1);
    expect(first.out).toContain("could not be written: a branch forge/1-show-prices-with-two-digits is there already");
    expect(at.shop.git("rev-parse", "forge/1-show-prices-with-two-digits")).toBe(at.shop.git("rev-parse", "main"));
    at.shop.git("branch", "-D", "forge/1-show-prices-with-two-digits");
    const second = await runAt(undefined, onShop("--resume", "last"), environment);
    expect(second.code).toBe(0);
  });

  it("SEC-1: without a sandbox it says so, runs nothing of the project, and asks about the tests", async () => {
    const programs = join(at.shop.data, "..", "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const environment = { ...(await thinking(goodMind)), PATH: `${programs}:${process.env.PATH}` };
    const ended = await forge(["run", ...onShop("Prices have odd digits")], environment);
    expect(ended.err).toContain("no sandbox here, so nothing of the project is run: The sandbox ");
    expect(ended.out).toContain("tests: not run: There is no sandbox on this machine to run tests in");
    expect(ended.code).toBe(2);
  });
});
