import { writeFile } from "node:fs/promises";
import type { LoopEvent } from "../agents/loop/loop-event.ts";
import { ForgeError } from "../domain/errors.ts";
import type { ModelCost } from "../domain/review-report.ts";
import type { FolderReview } from "../pipeline/review/folder/review-folder.ts";
import { visibleText } from "../safety/visible-text.ts";
import type { Progress } from "./progress.ts";

/** Characters of an argument on the line of progress. */
const SHOWN = 60;

/** What agents do, on the one line of progress: who, and which tool on what. */
export function tellAgents(progress: Progress): (agent: string, event: LoopEvent) => void {
  return (agent, event) => {
    const said = describe(event);
    if (said !== undefined) progress.show(`${agent}: ${said}`);
  };
}

function describe(event: LoopEvent): string | undefined {
  switch (event.type) {
    case "step_started":
      return `step ${event.step}, asking ${event.model}`;
    case "tool_started":
      return `${event.tool} ${visibleText(JSON.stringify(event.input) ?? "").slice(0, SHOWN)}`;
    case "step_ended":
      return `step ${event.step} done, $${event.costUsd.toFixed(4)}`;
    case "done":
      return event.end;
    default:
      return undefined;
  }
}

/** What the models cost, in a line: the last thing that is printed. */
export function costLine({ usd, tokens, cachedShare, calls, models }: ModelCost): string {
  if (calls === 0) return "cost: $0.00, no model was called";
  const used = `${tokens.toLocaleString("en-US")} tokens, ${Math.round(cachedShare * 100)} % of the input cached`;
  return `cost: $${usd.toFixed(4)} (${models.join(", ")}, ${calls} ${calls === 1 ? "call" : "calls"}, ${used})`;
}

/**
 * The run reports of all agents, and the claims that did not become findings (LOOP-18).
 * @throws ForgeError `report_not_written`
 */
export async function writeReport(path: string, { ai }: FolderReview): Promise<void> {
  const text = `${JSON.stringify({ cost: ai?.cost, rejected: ai?.rejected ?? [], runs: ai?.reports ?? [] }, null, 2)}\n`;
  await writeFile(path, text).catch((cause: Error) => {
    const options = { source: "resource", recoverability: "manual", cause } as const;
    throw new ForgeError("report_not_written", `The report could not be written to ${path}: ${cause.message}`, options);
  });
}
