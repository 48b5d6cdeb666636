import { z } from "zod";
import { DismissalScope } from "./command-arguments.ts";
import { Actor } from "./subjects.ts";

/** That a person dismissed a finding: who, when, why and how far (FIND-1, HUM-1). */
export const Dismissal = z.object({
  /** The finding that it was given for; a wider one covers others too. */
  findingId: z.string(),
  by: Actor,
  at: z.string(),
  /** May be empty. */
  reason: z.string(),
  scope: DismissalScope,
});
export type Dismissal = z.infer<typeof Dismissal>;

/** A dismissal that stands in a repository, with what it compares findings by. */
export const StandingDismissal = Dismissal.extend({ fingerprint: z.string(), rule: z.string() });
export type StandingDismissal = z.infer<typeof StandingDismissal>;
