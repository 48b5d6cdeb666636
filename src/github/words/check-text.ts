import type { EffectOf } from "../effects/effect-ports.ts";
import { checkSummary, MAXIMUM_SUMMARY_BYTES } from "./check-summary.ts";
import { checkTitle } from "./check-title.ts";
import { cut, type Wording } from "./wording.ts";

type Said = Pick<EffectOf<"check.complete">["payload"], "check" | "conclusion" | "report" | "overridden" | "shared">;

const MAXIMUM_TITLE = 80;

/** What a completed check says. Where another pull request with the same head has the worse verdict, it says that one's (GH-8d). */
export function checkText(said: Said, runId: string, wording: Wording): { title: string; summary: string } {
  const { check, conclusion, shared } = said;
  const { report, overridden } = shared ?? said;
  const title = checkTitle(conclusion, report, wording, overridden, check);
  const summary = checkSummary(conclusion, report, runId, wording, overridden, check);
  if (!shared) return { title, summary };
  const why = `**Shared with #${shared.number}**, which has this very head: there is one check for both, and the worse verdict counts. This is #${shared.number}'s.\n\n`;
  const fits = Buffer.byteLength(why) + Buffer.byteLength(summary) <= MAXIMUM_SUMMARY_BYTES;
  return {
    title: cut(`#${shared.number}, same head: ${title}`, MAXIMUM_TITLE),
    summary: fits ? why + summary : summary,
  };
}
