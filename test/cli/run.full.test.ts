import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { FORMATTED, goodMind, PLAN } from "../e2e/implementer.ts";
import { boxed } from "../needs/sandbox.ts";
import { forge, runAt, setUpShops } from "./run-kit.ts";

const { at, thinking, onShop } = setUpShops();

describe("forge run", () => {
  boxed(
    "OPS-1, IMPL-1, TEST-1: leaves a branch with the work, the checkout as it was, and says all of it",
    async () => {
      const environment = await thinking(goodMind);
      at.shop.write("notes.txt", "mine");
      const [before, head] = [at.shop.git("status", "--porcelain"), at.shop.git("rev-parse", "HEAD").trim()];
      const report = join(at.shop.data, "..", "report.json");
      const task = "Prices have odd digits\n250 is shown as 2.5";
      const ended = await forge(["run", ...onShop(task, "--report", report)], environment);
      expect(ended).toMatchObject({ code: 0 });
      const branch = "forge/1-show-prices-with-two-digits";
      expect(ended.out).toContain("Plan: Show prices with two digits\nrisk low · about $");
      expect(ended.out).toContain(`Done: branch ${branch}, made at main (${head.slice(0, 7)})\n  `);
      expect(ended.out).toContain("tests: 1 passed in 1 file (node:test)\n");
      expect(ended.err).toBe(
        `forge: what is not committed here is not part of the work: it begins at main (${head.slice(0, 7)})\n`,
      );
      expect(at.shop.git("show", `${branch}:src/price.js`)).toBe(FORMATTED);
      expect(at.shop.git("log", "--format=%an %s", `${head}..${branch}`)).toBe(
        "forge feat: show prices with two digits\n",
      );
      expect(at.shop.git("status", "--porcelain")).toBe(before);
      expect(at.shop.git("rev-parse", "HEAD", "main").trim().split("\n")).toEqual([head, head]);

      const told = JSON.parse(readFileSync(report, "utf8"));
      expect(told).toMatchObject({
        standing: { is: "ready" },
        task: "Prices have odd digits",
        plans: [{ plan: PLAN }],
      });
      expect(told.commits).toEqual([
        expect.objectContaining({ tree: at.shop.git("rev-parse", `${branch}^{tree}`).trim() }),
      ]);
      expect(told.agents.map(({ agent }: { agent: string }) => agent)).toEqual(["planner/1", "implementer/1.1"]);
      expect(told.agents[1].report.steps[0].calls).toMatchObject([{ tool: "write_file" }, { tool: "write_file" }]);
      expect(told.totals).toMatchObject({ modelCalls: 3, tokens: 3300 });

      // Nothing of Forge comes after it here, so the run is completed and nothing waits.
      const kept = { ...environment, FORGE_DATA: at.shop.data, DATABASE_URL: `file:${join(at.shop.data, "none.db")}` };
      const history = await forge(["history"], kept);
      expect(history).toMatchObject({ code: 0, err: "" });
      expect(history.out).toMatch(new RegExp(`${told.runId}  implement +local/shop#1 +completed  `));
      const listed = JSON.parse((await forge(["history", "--json"], kept)).out);
      // Its time does not go on.
      expect(listed.find(({ runId }: { runId: string }) => runId === told.runId)).toMatchObject({
        ...{ status: "completed", endedAt: expect.stringMatching(/Z$/) },
      });
      expect((await forge(["status"], kept)).out).toContain("\nNothing is at work.\nNothing failed ");
      expect((await forge(["show", told.runId], kept)).out).toMatch(
        /^local\/shop#1, work on an issue at \w{7}: completed/,
      );
    },
  );
});

describe("what it refuses", () => {
  const KEYED = { ANTHROPIC_API_KEY: "a-key-for-tests-only", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

  it("OPS-1: without a model it says how to set one up, before anything is written", async () => {
    const { code, err } = await runAt(undefined, onShop("Prices have odd digits"), {});
    expect(code).toBe(1);
    expect(err).toContain(
      "No model is set up. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or OPENAI_BASE_URL for an endpoint of your own.\n",
    );
  });

  it("CLI-4: a run that a refused key ended has failed, and says once what to do", async () => {
    const refused = { status: 401, message: "invalid x-api-key", type: "authentication_error" };
    const model = await startScriptedModel([refused]);
    const { code, out, err } = await runAt(undefined, onShop("Prices have odd digits"), model.environment);
    await model.stop();
    expect(model.asked).toHaveLength(1);
    expect(code).toBe(1);
    expect(`${out}${err}`.match(/Check the API key/g)).toHaveLength(1);
    const history = await forge(["history", "--json"], { FORGE_DATA: at.shop.data });
    expect(JSON.parse(history.out)).toMatchObject([{ kind: "implement", status: "failed" }]);
    expect((await forge(["status"], { FORGE_DATA: at.shop.data })).out).toContain("Failed or parked:\n  ");
  });

  it("OPS-1: a folder outside of git, no commit, a shallow checkout", async () => {
    const nowhere = await runAt(undefined, ["x", "--repo", join(at.shop.folder, ".."), "--data", at.shop.data], KEYED);
    expect(nowhere.err).toContain("is not in a git repository. Name a checkout with --repo");
    const missing = await runAt(
      undefined,
      ["x", "--repo", join(at.shop.folder, "none"), "--data", at.shop.data],
      KEYED,
    );
    expect(missing.err).toContain("There is no folder ");
    writeFileSync(join(at.shop.folder, ".git", "shallow"), `${at.shop.git("rev-parse", "HEAD")}`);
    expect((await runAt(undefined, onShop("x"), KEYED)).err).toContain(
      "it is shallow, so a part of its history is missing",
    );
    rmSync(join(at.shop.folder, ".git"), { recursive: true });
    at.shop.git("init", "-q");
    expect((await runAt(undefined, onShop("x"), KEYED)).err).toContain("The repository has no commit yet");
  });

  it("OPS-1: a branch of that number that is somebody else's", async () => {
    at.shop.git("branch", "forge/7-mine");
    const { err } = await runAt(undefined, onShop("x", "--number", "7"), KEYED);
    expect(err).toContain("there is a branch forge/7-mine already: delete it, or choose another --number");
  });

  it("OPS-1: wrong usage is 64, with what would be right", async () => {
    const { code, err } = await forge(["run"], {});
    expect(code).toBe(64);
    expect(err).toMatch(/^forge: run takes a task, --issue <file> or --resume <run>\nUsage: .* run "<task>"/);
  });
});
