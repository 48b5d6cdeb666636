import type { PauseScope } from "../../domain/event-catalogue.ts";

/** What to type to end a pause, as code. */
export function unpauseLine(scope: PauseScope): string {
  return scope === "repository" ? "`/forge unpause --repository`" : "`/forge unpause`";
}
