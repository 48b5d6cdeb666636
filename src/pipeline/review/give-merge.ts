import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { CommandGiven, Input, MergeObserved, MergeSettled, PullInput } from "../../domain/inputs.ts";
import type { NewJob } from "../../domain/jobs.ts";
import {
  LOOK_AGAIN_MS,
  MERGES_FROM,
  type MergeBar,
  type MergeLook,
  type MergeStanding,
  OBJECTION_MS,
  PATIENCE_MS,
  UNASKED_FROM,
} from "../../domain/merging.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { type Outcome, refuse } from "../commands/command-result.ts";
import { applyEffects, both, type Decision, ignore, NOTHING, withOwnEvents } from "../runs/decision.ts";
import { BESIDE } from "./beside-inputs.ts";
import type { SubjectView } from "./view.ts";

type View = Pick<SubjectView, "facts" | "repository">;
type At = Pick<Input, "subject" | "at">;

const NONE: MergeStanding = { is: "none" };

/**
 * What follows from an input for the merging of a pull request by Forge itself (SAFE-4): a worker looks whether it may be, where the level of the
 * repository lets Forge merge at all; and what was announced for another head falls away at once.
 */
export function withMerging(view: SubjectView, input: PullInput, decision: Decision): Decision {
  const { subject, type, at } = input;
  if (subject.kind !== "pull_request") return decision;
  const before = view.facts.merging ?? NONE;
  const after = dropsAt(view, input, before);
  const isWanted = (view.repository.level?.level ?? 0) >= MERGES_FROM || before.is === "announced";
  const { merging } = BESIDE[type];
  // What is missed is seen when its time is over.
  const looks = isWanted && (merging === "always" || (merging === "where taken" && decision.ignored === undefined));
  const job = looks ? { ...NOTHING, jobs: [lookAtMerging(subject, at)] } : NOTHING;
  if (!after) return looks ? both(withoutReason(decision), job) : decision;
  return both(
    withOwnEvents(decision, { subject, version: view.facts.version }, after.events),
    both(after.decision, job),
  );
}

function withoutReason({ ignored: _nothing, ...rest }: Decision): Decision {
  return rest;
}

/** What was announced falls away. */
function dropsAt(view: View, input: Input, before: MergeStanding): ReturnType<typeof set> | undefined {
  if (before.is !== "announced" && before.is !== "merging") return undefined;
  const { headSha } = before;
  const bar = barAt(input, before);
  return bar && set(view, input, { is: "dropped", headSha, bar }, before);
}

function barAt(input: Input, before: Extract<MergeStanding, { is: "announced" | "merging" }>): MergeBar | undefined {
  if (input.type === "head.changed") {
    const isSame = input.ends.headSha === before.headSha && input.ends.baseRef === before.baseRef;
    return isSame ? undefined : { why: "pushed" };
  }
  if (input.type === "pull_request.closed" && before.is === "announced") return { why: "closed" };
  if (input.type === "effect.failed" && input.effect.kind === "pull.merge") {
    return { why: "refused", said: input.error.message };
  }
  return undefined;
}

/** The job that looks whether Forge may merge a pull request by itself. */
function lookAtMerging(subject: Subject, runAt: string): NewJob {
  return { kind: "merge", key: `merge:${subjectKey(subject)}`, payload: { subject }, runAt };
}

/** Bars that people should hear of although nothing was announced: they are mistakes in how the repository is set up. */
const SAID_ANYWAY: ReadonlySet<MergeBar["why"]> = new Set(["unprotected", "bypass"]);

/** A worker looked: the merging is announced, begins when its time is over, waits for GitHub, or falls away with its reason. */
export function decideMerging(view: View, input: MergeObserved): Decision {
  const { look, at, subject } = input;
  const { headSha, baseRef, level, github } = look;
  const before = view.facts.merging ?? NONE;
  if (before.is === "held") return ignore("somebody holds it");
  if (before.is === "merged") return ignore("Forge merged it");
  if (before.is === "merging" && before.headSha === headSha) return ignore("it is being merged");
  const isAnnounced = before.is === "announced" && before.headSha === headSha && before.baseRef === baseRef;
  const bar = barOf(view, look);
  if (bar) {
    const isKnown = before.is === "dropped" && before.headSha === headSha && before.bar.why === bar.why;
    // A change that has nothing else against it says which files wait for people.
    const isMeant = bar.why === "governs" ? bar.files !== undefined : SAID_ANYWAY.has(bar.why);
    const isSaid = before.is === "announced" || (isMeant && !isKnown);
    return isSaid ? noted(view, input, { is: "dropped", headSha, bar }, before) : ignore(`not merged: ${bar.why}`);
  }
  if (!isAnnounced) {
    if (github?.status === "failing") return ignore("not merged: checks_failing");
    const due = level >= UNASKED_FROM ? at : later(at, OBJECTION_MS);
    const announced = noted(view, input, { is: "announced", headSha, baseRef, due, level }, before);
    return both(announced, { ...NOTHING, jobs: [lookAtMerging(subject, due)] });
  }
  if (Date.parse(at) < Date.parse(before.due)) return ignore("there is time to object");
  const drop = (why: MergeBar["why"]) => noted(view, input, { is: "dropped", headSha, bar: { why } }, before);
  if (github?.status === "failing") return drop("checks_failing");
  if (github?.status !== "ready") {
    if (Date.parse(at) - Date.parse(before.due) > PATIENCE_MS) return drop("blocked");
    return { ...NOTHING, jobs: [lookAtMerging(subject, later(at, LOOK_AGAIN_MS))] };
  }
  const merging = noted(view, input, { is: "merging", headSha, baseRef, level: before.level }, before);
  const of = subjectKey(subject);
  const effect: Effect = {
    kind: "pull.merge",
    key: effectKey("pull.merge", of, headSha, `after ${view.facts.version}`),
    payload: { headSha, baseRef },
  };
  return both(merging, {
    ...NOTHING,
    effects: [{ runId: of, headSha, effects: [effect] }],
    jobs: [applyEffects(subject, at)],
  });
}

function later(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}

/** Why it is not merged by Forge, whatever time it is; undefined where nothing but time, checks and reviews stand before it. */
function barOf({ facts, repository }: View, look: MergeLook): MergeBar | undefined {
  const { own, wants, headSha, github, rejectedBy, forPeople } = look;
  const isApproved = facts.verdict?.is === "approved" && facts.verdict.headSha === headSha;
  const isMoved = github && (github.headSha !== headSha || github.baseRef !== look.baseRef);
  if (!look.open || github?.merged || github?.open === false) return { why: "closed" };
  if (look.draft || github?.draft) return { why: "draft" };
  if (facts.pause || repository.pause) return { why: "paused" };
  if (wants === "never" || (!own && wants !== "approved")) return { why: "configuration" };
  if (look.level < MERGES_FROM) return { why: "level" };
  if (isMoved) return { why: "pushed" };
  if (own && look.adopted) return { why: "people_pushed" };
  if (!look.calm) return { why: "findings" };
  if (!own && !look.insider) return { why: "outsider" };
  if (forPeople?.length !== 0) return { why: "governs", ...(forPeople && { files: [...forPeople] }) };
  if (!own && !isApproved) return { why: "not_approved" };
  if (rejectedBy !== undefined) return { why: "changes_requested", by: rejectedBy };
  if (!github) return { why: "refused" };
  if (!github.isProtected) return { why: "unprotected" };
  if (github.mayBypass) return { why: "bypass" };
  if (github.queued) return { why: "closed" };
  return github.status === "conflicts" ? { why: "conflicts" } : undefined;
}

/** GitHub took the merge, or did not. */
export function decideMergeSettled(view: View, input: MergeSettled): Decision {
  const { headSha, outcome } = input;
  const before = view.facts.merging ?? NONE;
  if (before.is !== "merging" || before.headSha !== headSha) return ignore("nothing was being merged");
  if (outcome.is === "refused") {
    return noted(view, input, { is: "dropped", headSha, bar: { why: "refused", said: outcome.said } }, before);
  }
  const { level } = before;
  const acted: NewEvent = { type: "level.acted", payload: { level, action: "merged", headSha } };
  return noted(view, input, { is: "merged", headSha, level, queued: outcome.is === "queued" }, before, [acted]);
}

/** `/forge hold`: Forge does not merge this pull request, whatever is pushed, until somebody says `/forge unhold`. */
export function giveHold(view: SubjectView, input: CommandGiven): Outcome {
  const before = view.facts.merging ?? NONE;
  if (!input.pull.open) return refuse({ reason: "closed", name: "hold" });
  if (before.is === "merging" || before.is === "merged") return refuse({ reason: "merge_under_way" });
  if (before.is === "held") return {};
  return set(view, input, { is: "held", by: input.by.login }, before);
}

/** `/forge unhold`: a worker looks again whether Forge may merge it; the time to object begins anew. */
export function giveUnhold(view: SubjectView, input: CommandGiven): Outcome {
  const before = view.facts.merging ?? NONE;
  if (!input.pull.open) return refuse({ reason: "closed", name: "unhold" });
  const jobs = [lookAtMerging(input.subject, input.at)];
  if (before.is !== "held" && before.is !== "dropped") return { decision: { ...NOTHING, jobs } };
  const { events, decision } = set(view, input, NONE, before);
  return { events, decision: both(decision, { ...NOTHING, jobs }) };
}

function noted(
  view: View,
  input: At,
  standing: MergeStanding,
  before: MergeStanding,
  more: readonly NewEvent[] = [],
): Decision {
  const { events, decision } = set(view, input, standing, before);
  const own = { subject: input.subject, version: view.facts.version };
  return both(withOwnEvents(NOTHING, own, [...events, ...more]), decision);
}

/** One comment says how it stands, and is edited in place. Where nothing was announced before there is nothing to take back. */
function set(
  { facts }: View,
  { subject, at }: At,
  standing: MergeStanding,
  before: MergeStanding,
): { readonly events: NewEvent[]; readonly decision: Decision } {
  const of = subjectKey(subject);
  const key = effectKey("merge.show", of, "", `after ${facts.version}`, standing.is);
  const isQuiet =
    standing.is === "merging" || (before.is === "none" && (standing.is === "held" || standing.is === "none"));
  const show: Effect = { kind: "merge.show", key, payload: { standing } };
  const shown: Decision = isQuiet
    ? NOTHING
    : { ...NOTHING, effects: [{ runId: of, headSha: "", effects: [show] }], jobs: [applyEffects(subject, at)] };
  return { events: [{ type: "merge.set", payload: { standing } }], decision: shown };
}
