import type { Effect } from "../../domain/effects.ts";
import { counted, dollars, plainBlock, plainLine } from "./plain.ts";

type Shown = Extract<Effect, { kind: "plan.show" }>["payload"];

/** The plan as it stands on an issue, for a terminal. */
export function planWords({ plan, estimate, revision }: Omit<Shown, "planOnly" | "gate">): string {
  const which = revision === 1 ? "Plan" : `Plan, version ${revision}`;
  const minutes = counted(Math.max(1, Math.round(estimate.minutes)), "minute");
  const cost = `about ${dollars(estimate.lowUsd)} to ${dollars(estimate.highUsd)} and ${minutes}`;
  const tasks = plan.tasks.map(
    ({ title, files }, index) => `  ${index + 1}. ${plainLine(title)}\n     ${plainLine(files.join(", "))}`,
  );
  return [
    `${which}: ${plainLine(plan.title)}`,
    `risk ${plan.risk.level} · ${cost}`,
    "",
    plainBlock(plan.summary, "  "),
    "",
    ...tasks,
    "",
    ...listed("done when", plan.acceptance_criteria),
    ...listed("constraints", plan.constraints),
    ...listed("decided", plan.decisions),
    ...listed("not included", plan.not_included),
    ...listed("why this risk", plan.risk.reasons),
    "",
  ].join("\n");
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label}:`, ...items.map((item) => `  - ${plainLine(item)}`)];
}
