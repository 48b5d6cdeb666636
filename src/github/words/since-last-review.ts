import type { CheckReport } from "../../domain/effects.ts";
import { count } from "./wording.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

/** Ids that are named one by one; the others are counted. */
const MAXIMUM_NAMED = 6;

/** "**Since the last review**: 2 fixed, 1 new. Fixed: `F-7K2Q`, `F-9M4D`. New: `F-SWKE`." */
export function sinceLastReview({ fixed, fresh, back, changes }: Reviewed): string {
  const parts = [
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(back > 0 ? [`${back} back again`] : []),
  ];
  if (parts.length === 0) return "**Since the last review**: nothing new, nothing fixed.";
  const named = changes
    ? [...names("Fixed", changes.fixed), ...names("New", changes.fresh), ...names("Back again", changes.back)]
    : [];
  return [`**Since the last review**: ${parts.join(", ")}.`, ...named].join(" ");
}

function names(what: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const rest = ids.length - MAXIMUM_NAMED;
  const shown = ids.slice(0, MAXIMUM_NAMED).map((id) => `\`${id}\``);
  return [`${what}: ${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "more finding")}` : ""}.`];
}
