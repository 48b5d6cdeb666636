import { readFileSync } from "node:fs";
import { compareSeries } from "../../src/pipeline/deploy/judge/judge-values.ts";
import type { Result } from "../report.ts";

type Label = "pass" | "high" | "low" | "no data";

interface Case {
  readonly name: string;
  readonly canary: readonly number[];
  readonly control: readonly number[];
  readonly direction: "up" | "down" | "either";
  /** From so many times on a difference counts, as the case configures it; 1 otherwise, as Kayenta does. */
  readonly limits: { readonly high: number; readonly low: number };
  readonly label: Label;
}

/**
 * The judge's path for series of values on Kayenta's labelled cases (Apache-2.0), which are read from a checkout of it and not part of Forge:
 * `kayenta-judge/src/test/scala/com/netflix/kayenta/judge/ClassifierSuite.scala`. Each difference is printed.
 */
export function measureKayentasCases(file: string): Result[] {
  const cases = readCases(readFileSync(file, "utf8"));
  const judged = cases.map((one) => ({ ...one, ...judgeCase(one) }));
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

function judgeCase({ canary, control, direction, limits }: Case): {
  readonly answer: Label | "cannot tell";
  readonly why: string;
} {
  const up = compareSeries(canary, control, "up", { worse: limits.high, ruledOut: Math.max(2, limits.high) });
  const down = compareSeries(canary, control, "down", { worse: 1 / limits.low, ruledOut: Math.max(2, 1 / limits.low) });
  if (!up.difference) return { answer: "no data", why: up.why };
  if (direction !== "down" && up.is === "worse") return { answer: "high", why: up.why };
  if (direction !== "up" && down.is === "worse") return { answer: "low", why: down.why };
  const asked = direction === "either" ? [up, down] : [direction === "up" ? up : down];
  const unclear = asked.find(({ is }) => is !== "fine");
  return unclear ? { answer: "cannot tell", why: unclear.why } : { answer: "pass", why: "is not different" };
}

function readCases(text: string): Case[] {
  return text
    .split(/\btest\("/)
    .slice(1)
    .flatMap((part) => {
      const label = /classification == (\w+)/.exec(part)?.[1]?.toLowerCase() ?? "nodata";
      const array = (name: string) => {
        const body = new RegExp(`val ${name} *= *Array(?:\\[Double\\])?\\(([^)]*)\\)`).exec(part)?.[1] ?? "";
        return body
          .split(",")
          .map((one) => one.trim())
          .filter((one) => one !== "")
          .map(Number);
      };
      // A common-language effect size is a probability, which the judge does not know.
      const thresholds = part.includes('"cles"')
        ? undefined
        : /effectSizeThresholds *= *\(([\d.]+), *([\d.]+)\)/.exec(part);
      const direction = { Increase: "up", Decrease: "down", Either: "either" } as const;
      return [
        {
          name: part.slice(0, part.indexOf('"')),
          canary: array("experimentData"),
          control: array("controlData"),
          direction: direction[(/MetricDirection\.(\w+)/.exec(part)?.[1] ?? "Either") as keyof typeof direction],
          limits: { low: Number(thresholds?.[1] ?? 1), high: Number(thresholds?.[2] ?? 1) },
          label: label === "nodata" ? ("no data" as const) : (label as Label),
        },
      ];
    });
}
