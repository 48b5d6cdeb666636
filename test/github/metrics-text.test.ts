import { expect, it } from "vitest";
import { runMetrics } from "../../src/cli/metrics.ts";
import { MetricFacts } from "../../src/domain/metrics.ts";
import { metricsText } from "../../src/github/words/command/metrics-text.ts";

const wording = { allowedHosts: [], redact: (text: string) => text };
const trend = (sum: number, of: number, then: readonly [number, number] = [0, 0]) => ({
  now: { sum, of },
  before: { sum: then[0], of: then[1] },
});
const FACTS = MetricFacts.parse({
  ...{ to: "2026-11-23T12:00:00.000Z", from: "2026-10-24T12:00:00.000Z", before: "2026-09-24T12:00:00.000Z" },
  metrics: {
    resolved: trend(14, 18, [9, 20]),
    cost_of_run: trend(8.37, 27),
    seconds_to_answer: trend(0, 0, [14400, 2]),
    arguments_valid: trend(990, 1000),
    dead_end_cost: trend(0.5, 8),
  },
  groups: [
    { by: "rule", name: "biome/a | <b>", good: trend(3, 4), other: trend(1, 4, [2, 2]) },
    { by: "model", name: "strong", good: trend(3, 4, [2, 2]), other: trend(1, 4), cost: trend(1.5, 30, [1, 9]) },
    { by: "model", name: "fast", good: trend(0, 0), other: trend(0, 0), cost: trend(0.2, 8) },
    { by: "kind", name: "review", good: trend(26, 27), other: trend(8.37, 27) },
  ],
});

it("MET-1: /forge metrics says each number with what it is of", () => {
  expect(
    metricsText(FACTS, wording),
  ).toBe(`**This repository from 2026-10-24 to 2026-11-23**, against the 30 days before.

| metric | now | before | goal |
|---|---|---|---|
| findings fixed when merged | 14 of 18 | 9 of 20 |  |
| time until a person answered | none | 2 h (2) |  |
| cost of a run | $0.31 (27) | none |  |

<details><summary>more, by rule, layer, model and kind of run</summary>

| metric | now | before | goal |
|---|---|---|---|
| calls of tools with valid arguments | 990 of 1,000 | none | over 98 of 100 |
| cost of agents without a result | $0.50 of $8.00 | none | under 10 of 100 |

| rule | fixed | dismissed |
|---|---|---|
| \`biome/a ¦ <b>\` | 3 of 4 | 1 of 4, was 2 of 2 |

| model | fixed | dismissed | cost of each fixed |
|---|---|---|---|
| \`strong\` | 3 of 4, was 2 of 2 | 1 of 4 | $0.50 (3), was $0.50 (2) |
| \`fast\` | none | none | $0.20, none fixed |

| kind of run | came to its end | cost of one |
|---|---|---|
| \`review\` | 26 of 27 | $0.31 (27) |

</details>`);
});

it("says so where there is nothing to count", () => {
  expect(metricsText({ ...FACTS, metrics: {}, groups: [] }, wording)).toBe(
    "**Nothing to count yet**: no review or other work of the last 60 days came to an end here.",
  );
});

async function run(args: readonly string[], known: Readonly<Record<string, number>> = { "acme/shop": 7 }) {
  let text = "";
  const asked: unknown[] = [];
  const code = await runMetrics(
    args,
    {
      repositoryId: async (owner, name) => known[`${owner}/${name}`],
      measure: async (id) => {
        asked.push(id);
        return FACTS;
      },
    },
    { write: (more: string) => (text += more) },
  );
  return { code, text, asked };
}

it("forge metrics prints the same for the terminal, of one repository or of all", async () => {
  const { code, text, asked } = await run(["--repository", "acme/shop"]);
  expect([code, asked]).toEqual([0, [7]]);
  expect(text).toContain("acme/shop, 2026-10-24 to 2026-11-23, against the 30 days before:\n");
  expect(text).toMatch(/findings fixed when merged +14 of 18, was 9 of 20\n/);
  expect(text).toMatch(/calls of tools with valid arguments +990 of 1,000 \(goal: over 98 of 100\)\n/);
  expect(text).toMatch(/rule biome\/a \| <b> +fixed 3 of 4; dismissed 1 of 4, was 2 of 2\n/);
  expect((await run([])).asked).toEqual([undefined]);
  expect(JSON.parse((await run(["--json"])).text)).toEqual(FACTS);
  await expect(run(["--repository", "acme"])).rejects.toThrow("--repository is owner/name");
  await expect(run(["--repository", "acme/other"])).rejects.toThrow("nothing is on record of acme/other");
});

it("MEM-6: the arms with and without memory stand beside one another, each with its sample", () => {
  const arm = { name: "first_pass", with: { sum: 30, of: 54 }, without: { sum: 2, of: 6 } };
  const cost = { name: "cost_of_run", with: { sum: 5.4, of: 54 }, without: { sum: 1.2, of: 6 } };
  const facts = MetricFacts.parse({ ...FACTS, arms: [arm, cost] });
  expect(metricsText(facts, wording)).toContain(`| in 60 days | with memory | without |
|---|---|---|
| first review asked for nothing | 30 of 54 | 2 of 6 |
| cost of a run | $0.10 (54) | $0.20 (6) |`);
});
