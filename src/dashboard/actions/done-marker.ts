import { z } from "zod";
import type { Seal } from "../seal.ts";
import { ACTION_NAMES } from "./action.ts";

/** As long as a page says that it was done. */
const SHOWN_MS = 60_000;
/** Actions that are commands, and those of operators. */
const Done = z.enum([...ACTION_NAMES, "redeliver", "process_again"]);
export type Done = z.infer<typeof Done>;
const Marked = z.tuple([Done, z.number()]);

/** What the next page reads in its address: sealed for this session and for a minute, so that no link can claim a yes that was not given. */
export function markDone(seal: Seal, action: Done, session: string, now: Date): string {
  return seal.close("an answer", JSON.stringify([action, now.getTime() + SHOWN_MS]), session);
}

/** Undefined for what was not marked here, for this session, in the last minute. */
export function readDone(seal: Seal, given: string, session: string, now: Date): Done | undefined {
  const opened = seal.open("an answer", given, session);
  if (opened === undefined) return undefined;
  const [action, until] = Marked.parse(JSON.parse(opened));
  return until > now.getTime() ? action : undefined;
}
