import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { openSandbox } from "../../src/workspace/sandbox/open-sandbox.ts";
import { FORMATTED, goodMind, PLAN } from "../e2e/implementer.ts";
import { createShop, forge, type Shop } from "./run-kit.ts";

const sandbox = await openSandbox();
const boxed = "unavailable" in sandbox ? it.skip : it;
if ("unavailable" in sandbox) console.warn(`NOT TESTED, no sandbox: ${sandbox.unavailable}`);

let shop: Shop;
let model: ScriptedModel | undefined;
beforeEach(() => {
  shop = createShop();
});
afterEach(async () => {
  shop.remove();
  await model?.stop();
  model = undefined;
});

async function thinking(mind: (asked: Asked) => ScriptedReply | Promise<ScriptedReply>) {
  model = await startScriptedModel(mind);
  return { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "a-key-for-tests-only" };
}

function onShop(...args: string[]) {
  return ["run", ...args, "--repo", shop.folder, "--data", shop.data];
}

describe("forge run", () => {
  boxed(
    "OPS-1, IMPL-1, TEST-1: leaves a branch with the work, the checkout as it was, and says all of it",
    async () => {
      const environment = await thinking(goodMind);
      shop.write("notes.txt", "mine");
      const [before, head] = [shop.git("status", "--porcelain"), shop.git("rev-parse", "HEAD").trim()];
      const [recording, report] = [join(shop.data, "..", "recording.jsonl"), join(shop.data, "..", "report.json")];
      const task = "Prices have odd digits\n250 is shown as 2.5";
      const ended = await forge(onShop(task, "--report", report, "--record", recording), environment);
      expect(ended).toMatchObject({ code: 0 });
      const branch = "forge/1-show-prices-with-two-digits";
      expect(ended.out).toContain("Plan: Show prices with two digits\nrisk low · about $");
      expect(ended.out).toContain(`Done: branch ${branch}, made at main (${head.slice(0, 7)})\n  `);
      expect(ended.out).toContain("tests: 1 passed in 1 file (node:test)\n");
      expect(ended.err).toBe(
        `forge: what is not committed here is not part of the work: it begins at main (${head.slice(0, 7)})\n`,
      );
      expect(shop.git("show", `${branch}:src/price.js`)).toBe(FORMATTED);
      expect(shop.git("log", "--format=%an %s", `${head}..${branch}`)).toBe(
        "forge feat: show prices with two digits\n",
      );
      expect(shop.git("status", "--porcelain")).toBe(before);
      expect(shop.git("rev-parse", "HEAD", "main").trim().split("\n")).toEqual([head, head]);

      const told = JSON.parse(readFileSync(report, "utf8"));
      expect(told).toMatchObject({
        standing: { is: "ready" },
        task: "Prices have odd digits",
        plans: [{ plan: PLAN }],
      });
      expect(told.commits).toEqual([
        expect.objectContaining({ tree: shop.git("rev-parse", `${branch}^{tree}`).trim() }),
      ]);
      expect(told.agents.map(({ agent }: { agent: string }) => agent)).toEqual(["planner/1", "implementer/1"]);
      expect(told.agents[1].report.steps[0].calls).toMatchObject([{ tool: "write_file" }, { tool: "write_file" }]);
      expect(told.totals).toMatchObject({ modelCalls: 3, tokens: 3300 });

      const asked = model!.asked.length;
      const replayed = await forge(["replay", "--recording", recording, "--repo", shop.folder], {});
      expect(replayed).toEqual({ code: 0, out: "the same work: 1 commit, 3 replies, 2 tool calls\n", err: "" });
      expect(model!.asked).toHaveLength(asked);
      expect(shop.git("branch", "--format=%(refname:short)").split("\n")).toEqual([branch, "main", ""]);
      writeFileSync(recording, readFileSync(recording, "utf8").replace("toFixed(2)", "toFixed(3)"));
      const different = await forge(["replay", "--recording", recording, "--repo", shop.folder], {});
      expect(different.code).toBe(1);
      expect(different.out).toMatch(
        /commit 1 \("feat: show prices with two digits"\) had the tree [0-9a-f]{40} and has/,
      );
    },
  );
});
