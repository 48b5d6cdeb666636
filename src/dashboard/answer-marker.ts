import { z } from "zod";
import type { Seal } from "./seal.ts";

/** An answer to a gate. */
export const Answer = z.enum(["approve", "reject"]);
export type Answer = z.infer<typeof Answer>;

/** As long as a page says that it was answered. */
const SHOWN_MS = 60_000;
const Marked = z.tuple([Answer, z.number()]);

/** What the next page reads in its address: sealed for this session and for a minute, so that no link can claim a yes that was not given. */
export function markAnswer(seal: Seal, answer: Answer, session: string, now: Date): string {
  return seal.close("an answer", JSON.stringify([answer, now.getTime() + SHOWN_MS]), session);
}

/** Undefined for what was not marked here, for this session, in the last minute. */
export function readAnswer(seal: Seal, given: string, session: string, now: Date): Answer | undefined {
  const opened = seal.open("an answer", given, session);
  if (opened === undefined) return undefined;
  const [answer, until] = Marked.parse(JSON.parse(opened));
  return until > now.getTime() ? answer : undefined;
}
