import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { replayOn } from "../../src/app/run-here.ts";
import { parseRecording } from "../../src/pipeline/local/recording.ts";
import { goodMind } from "../e2e/implementer.ts";
import { boxed } from "../needs/sandbox.ts";
import { runAt, setUpShops } from "./run-kit.ts";

const { at, thinking, onShop } = setUpShops();

describe("forge run", () => {
  boxed("OPS-1: has a recorded run again without a model, and says what is different", async () => {
    const recording = join(at.shop.data, "..", "recording.jsonl");
    const environment = await thinking(goodMind);
    expect(await runAt(undefined, onShop("Prices have odd digits", "--record", recording), environment)).toMatchObject({
      code: 0,
    });
    const branches = at.shop.git("branch");
    await at.model?.stop();
    at.model = undefined;
    const same = await replayOn(at.shop.folder, parseRecording(readFileSync(recording, "utf8")), {});
    expect(same.differences).toEqual([]);
    expect(same.report.commits).toHaveLength(1);
    expect(at.shop.git("branch")).toBe(branches);
    const altered = readFileSync(recording, "utf8").replace("toFixed(2)", "toFixed(3)");
    const other = await replayOn(at.shop.folder, parseRecording(altered), {});
    expect(other.differences).toContainEqual(
      expect.stringMatching(/^commit 1 \("feat: show prices with two digits"\) had the tree [0-9a-f]{40} and has/),
    );
    at.shop.write("src/price.js", "");
    at.shop.git("commit", "-aqm", "Empty");
    at.shop.git("update-ref", "-d", "refs/heads/forge/1-show-prices-with-two-digits");
    writeFileSync(
      recording,
      readFileSync(recording, "utf8").replace(/"sha":"[0-9a-f]{40}"/, `"sha":"${"1".repeat(40)}"`),
    );
    await expect(replayOn(at.shop.folder, parseRecording(readFileSync(recording, "utf8")), {})).rejects.toMatchObject({
      code: "recording_other_base",
    });
  });
});
