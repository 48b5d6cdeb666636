import type { PauseScope } from "../../domain/event-catalogue.ts";
import type { Override } from "../../domain/review-report.ts";
import { foreignCode, foreignLine, type Wording, withFullStop } from "./wording.ts";

/** Says first of all that a person passed the check, who and why; it holds on this head alone. */
export function overrideLine({ by, reason }: Override, wording: Wording): string {
  return `**Overridden by ${foreignCode(by, wording)}, on this head only:** ${withFullStop(foreignLine(reason, wording))}`;
}

/** What to type to end a pause, as code. */
export function unpauseLine(scope: PauseScope): string {
  return scope === "repository" ? "`/forge unpause --repository`" : "`/forge unpause`";
}
