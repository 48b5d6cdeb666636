import type { Command, CommandOf } from "../../domain/commands.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Refusal } from "../../domain/refusals.ts";
import type { Actor } from "../../domain/subjects.ts";
import type { RepositoryFacts } from "../runs/decision.ts";
import { extensionsOf, type SubjectFacts } from "../runs/subject-facts.ts";
import type { Outcome } from "./command-result.ts";
import { giveLevel } from "./give-level.ts";
import { giveForget, giveHide, giveRemember, giveUnhide } from "./give-teaching.ts";

/** What carries out the commands that are the same on every subject. */
export const ON_EACH = {
  level: giveLevel,
  remember: giveRemember,
  forget: giveForget,
  hide: giveHide,
  unhide: giveUnhide,
  help: tellHelp,
};

/** `/forge help`: nothing has to be known for it. */
function tellHelp(_view: unknown, _input: unknown, { topic }: CommandOf<"help">): Outcome {
  return { answer: { kind: "help", ...(topic ? { topic } : {}) } };
}

/** What people decided about a subject and its repository. */
interface Standing {
  readonly facts: SubjectFacts;
  readonly repository: RepositoryFacts;
}

/** `/forge pause`: Forge stays quiet here from now on. Undefined where it is paused already: said twice it changes nothing. */
export function pause(view: Standing, by: Actor, { repository }: { readonly repository: boolean }) {
  const scope = repository ? "repository" : "subject";
  if (repository ? view.repository.pause : view.facts.pause) return undefined;
  const event: NewEvent = { type: "subject.paused", payload: { scope }, actor: by };
  return { scope, event } as const;
}

/** `/forge unpause`; `stays` where the other pause, of the repository or of the subject, still stands. */
export function unpause(
  view: Standing,
  by: Actor,
  { repository }: { readonly repository: boolean },
): { readonly refusal: Refusal } | { readonly event: NewEvent; readonly stays: boolean } {
  const scope = repository ? "repository" : "subject";
  const { pause: here } = view.facts;
  const { pause: everywhere } = view.repository;
  const [ended, other] = repository ? [everywhere, here] : [here, everywhere];
  if (!ended) return { refusal: other ? { reason: "paused", ...other } : { reason: "not_paused", scope } };
  return { event: { type: "subject.unpaused", payload: { scope }, actor: by }, stays: other !== undefined };
}

/** `/forge extend`: a limit of a run is raised, up to so many times what is configured; `total` is what it comes to. */
export function raiseLimit(
  { facts }: Standing,
  {
    runId,
    configured,
    extendedTo,
    by,
  }: { readonly runId: string; readonly configured: number; readonly extendedTo: number; readonly by: Actor },
  { limit, amount }: Pick<Extract<Command, { name: "extend" }>, "limit" | "amount">,
): { readonly refusal: Refusal } | { readonly event: NewEvent; readonly total: number } {
  const before = extensionsOf(facts, runId)[limit];
  const most = Math.max(0, (extendedTo - 1) * configured - before);
  if (amount > most) return { refusal: { reason: "above_ceiling", limit, most } };
  const event: NewEvent = { type: "limit.extended", payload: { runId, limit, amount }, actor: by };
  return { event, total: configured + before + amount };
}
