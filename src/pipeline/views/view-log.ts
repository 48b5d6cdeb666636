import { type LogLine, readLogPage } from "../../store/events/read-log-page.ts";
import type { Store } from "../../store/store.ts";

/** What agents think and do with their tools: for people who may push, who could read it in a checkout as well. */
const REASONING = ["agent.", "tool."];
const LINES = 100;
/** Of a payload that are shown. */
const CHARACTERS = 4_000;

/** The log of a run from a version on, a page of it. */
export interface RunLog {
  readonly lines: readonly LogLine[];
  /** The version to go on after, where there is more. */
  readonly next?: number;
}

/** `reasoning`: with the steps of agents and the calls of their tools. */
export async function viewLog(
  store: Store,
  runId: string,
  { after, reasoning }: { readonly after: number; readonly reasoning: boolean },
): Promise<RunLog> {
  const page = { after, limit: LINES + 1, characters: CHARACTERS, without: reasoning ? [] : REASONING };
  const found = await readLogPage(store, runId, page);
  const lines = found.slice(0, LINES);
  const last = lines.at(-1);
  return { lines, ...(found.length > LINES && last ? { next: last.version } : {}) };
}
