import { readFileSync } from "node:fs";
import { z } from "zod";
import { compareSeries } from "../../src/pipeline/deploy/judge/judge-values.ts";
import type { Result } from "../report.ts";

const Label = z.enum(["pass", "high", "low", "no data"]);

/** From so many times on a difference counts, as the case configures it; 1 otherwise, as Kayenta does. */
const Limits = z.object({ high: z.number(), low: z.number() });

const Case = z.object({
  name: z.string(),
  label: Label,
  bad: z.enum(["up", "down", "either"]),
  limits: Limits,
  canary: z.array(z.number()),
  control: z.array(z.number()),
});
type Case = z.infer<typeof Case>;

const FIXTURE = new URL("../../test/pipeline/deploy/judge/kayenta-cases.json", import.meta.url);

/** The judge's path for series of values on the cases that Kayenta labels (Apache-2.0): the numbers alone, whose source the fixture names. */
export function judgeKayentasCases() {
  const { cases } = z.object({ cases: z.array(Case) }).parse(JSON.parse(readFileSync(FIXTURE, "utf8")));
  return cases.map((one) => ({ name: one.name, label: one.label, ...judgeCase(one) }));
}

/** How many are answered as labelled. Each difference is printed. */
export function measureKayentasCases(): Result[] {
  const judged = judgeKayentasCases();
  const wrong = judged.filter(({ answer, label }) => answer !== label);
  for (const { name, label, answer, why } of wrong)
    console.log(`${name}: Kayenta says ${label}, the judge ${answer} (${why})`);
  const opposite = wrong.filter(({ answer }) => answer !== "cannot tell" && answer !== "no data");
  return [
    { name: "answered as labelled", value: judged.length - wrong.length, unit: `of ${judged.length}` },
    { name: "cannot tell, where Kayenta passes it", value: wrong.length - opposite.length, unit: "" },
    {
      name: "bad ones passed, or good ones called worse",
      value: opposite.length,
      unit: "",
      goal: "none",
      met: opposite.length === 0,
    },
  ];
}

function judgeCase({ canary, control, bad, limits }: Case): {
  readonly answer: z.infer<typeof Label> | "cannot tell";
  readonly why: string;
} {
  const up = compareSeries(canary, control, "up", { worse: limits.high, ruledOut: Math.max(2, limits.high) });
  const down = compareSeries(canary, control, "down", { worse: 1 / limits.low, ruledOut: Math.max(2, 1 / limits.low) });
  if (!up.difference) return { answer: "no data", why: up.why };
  if (bad !== "down" && up.is === "worse") return { answer: "high", why: up.why };
  if (bad !== "up" && down.is === "worse") return { answer: "low", why: down.why };
  const asked = bad === "either" ? [up, down] : [bad === "up" ? up : down];
  const unclear = asked.find(({ is }) => is !== "fine");
  return unclear ? { answer: "cannot tell", why: unclear.why } : { answer: "pass", why: "is not different" };
}
