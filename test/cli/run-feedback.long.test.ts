import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { replayOn } from "../../src/app/run-here.ts";
import { parseRecording } from "../../src/pipeline/local/recording.ts";
import { calls, FORMATTED, goodMind, handIn, roleOf, TESTED, turnsSoFar } from "../e2e/implementer.ts";
import { boxed } from "../needs/sandbox.ts";
import { runAt, setUpShops } from "./run-kit.ts";

const { at, stock, thinking, onShop } = setUpShops();

/** Assigns to a constant, which the review is sure about and no test reaches. */
const FAULTY = `${FORMATTED}\nexport function digits() {\n  const count = 1;\n  count = 2;\n  return count;\n}\n`;

describe("what comes back", () => {
  boxed(
    "PIPE-5, OPS-1: a finding is worked on, readers look too, and a replay on another checkout has the same",
    async () => {
      stock({ ".github/forge.yml": "review:\n  ai: always\n" });
      const [recording, report] = [
        join(at.shop.data, "..", "recording.jsonl"),
        join(at.shop.data, "..", "report.json"),
      ];
      const environment = await thinking((asked) => {
        const role = roleOf(asked);
        if (role === "implementer" && turnsSoFar(asked) === 0) {
          const written = { "src/price.js": FAULTY, "test/price.test.js": TESTED };
          const inputs = Object.entries(written).map(([path, content]) => ({ path, content }));
          return calls(...inputs.map((input) => ({ name: "write_file", input })));
        }
        if (role !== "feedback") return goodMind(asked);
        if (turnsSoFar(asked) === 0) {
          return calls({ name: "write_file", input: { path: "src/price.js", content: FORMATTED } });
        }
        const ids = [...new Set(JSON.stringify(asked.messages).match(/F-[0-9A-Z]{4,8}/g))];
        return handIn("drop the constant", { answers: ids.map((id) => ({ id, done: true, answer: "It is gone." })) });
      });
      const files = ["--report", report, "--record", recording];
      const ended = await runAt(undefined, onShop("Prices have odd digits", ...files), environment);
      expect(ended.code).toBe(0);
      expect(ended.out).toContain("review: no finding is open, 2 rounds\n");
      const told = JSON.parse(readFileSync(report, "utf8"));
      expect(told.bounces).toMatchObject([{ cause: "review", feedback: [{ file: "src/price.js" }] }]);
      expect(told.reviews.map(({ blocking }: { blocking: number }) => blocking > 0)).toEqual([true, false]);
      expect(told.commits).toHaveLength(2);
      expect(JSON.stringify(told)).not.toContain("fingerprint");
      const lines = readFileSync(recording, "utf8");
      stock({ ".github/forge.yml": "review:\n  ai: always\n" });
      const { differences } = await replayOn(at.shop.folder, parseRecording(lines), {});
      expect(differences).toEqual([]);
    },
  );
});
