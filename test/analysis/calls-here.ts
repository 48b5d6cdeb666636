import { findCalls } from "../../src/analysis/child/find-calls.ts";
import type { CallsResult } from "../../src/analysis/child/protocol.ts";
import type { AskCalls } from "../../src/analysis/programs/ask-calls.ts";

/** Reads what files have run as the reading process does, without starting it. */
export const callsHere: AskCalls = async (files, paths) => {
  const read = findCalls(paths);
  const results = new Map<number, CallsResult>();
  for (const file of files) results.set(file.id, await read(file));
  return { results, unread: [] };
};
