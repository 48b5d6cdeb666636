import { type CheckReport, type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Input } from "../../domain/inputs.ts";
import { UNSAID_LEVEL } from "../../domain/ladder.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { levelFor } from "../../safety/ladder.ts";
import { applyEffects, both, type Decision, NOTHING, onlyReports, withOwnEvents } from "../runs/decision.ts";
import type { SubjectFacts } from "../runs/subject-facts.ts";
import type { RunningRun } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/** From this level on Forge approves changes of low risk by itself (SAFE-4). */
const APPROVES_FROM = 2;

type Verdict = NonNullable<SubjectFacts["verdict"]>;
type Shown = Extract<Effect, { kind: "check.complete" | "check.revise" }>["payload"];

/**
 * What follows from an input for Forge's own verdict on a pull request of people (GH-10b), which is none unless its repository wants one: it
 * asks for changes while blocking findings are open, and approves a change of low risk in which nothing is, where its level lets it. It is
 * taken back as soon as that is not so any more, an approval with the next head.
 */
export function withVerdict(view: SubjectView, input: Input, decision: Decision): Decision {
  const { subject, at } = input;
  const before: Verdict = view.facts.verdict ?? { is: "none", headSha: "" };
  const verdict = verdictAfter(view, input, decision, before);
  if (!verdict || (verdict.is === before.is && (verdict.is === "none" || verdict.headSha === before.headSha))) {
    return decision;
  }
  const { is, headSha, blocking, level } = verdict;
  const of = subjectKey(subject);
  const events: NewEvent[] = [
    { type: "verdict.set", payload: { is, headSha } },
    ...(level === undefined ? [] : [{ type: "level.acted", payload: { level, action: "approved", headSha } } as const]),
  ];
  // Every verdict takes the place of the one before: what it follows in the log names it.
  const key = effectKey("review.verdict", of, headSha, `after ${view.facts.version}`, is);
  const effect: Effect = {
    kind: "review.verdict",
    key,
    payload: { headSha, is, blocking, ...(level ? { level } : {}) },
  };
  return both(withOwnEvents(decision, { subject, version: view.facts.version }, events), {
    ...NOTHING,
    effects: [{ runId: of, headSha, effects: [effect] }],
    jobs: [applyEffects(subject, at)],
  });
}

/** Undefined where it stays as it is; `level` is the one that lets Forge approve. */
function verdictAfter(
  view: SubjectView,
  input: Input,
  decision: Decision,
  before: Verdict,
): (Verdict & { readonly blocking: number; readonly level?: number }) | undefined {
  if (input.subject.kind !== "pull_request" || input.type === "pull_request.closed" || input.type === "subject.gone") {
    return undefined;
  }
  const shown = shownBy(decision);
  const run = view.addressed;
  const concludes = input.type === "review.finished" || input.type === "review.carried";
  // What Forge opened itself it does not judge on GitHub, which refuses both.
  if (concludes && decision.ignored === undefined && run?.status === "running" && !run.implements && shown) {
    const { headSha } = run.ends;
    const { task = "feature", forPeople } = input.type === "review.finished" ? input : input.review;
    const verdict = verdictOf(view, run, shown, task);
    // What is not known to be harmless whatever it says is for people to approve.
    const is = forPeople?.length !== 0 && verdict.is === "approved" ? ({ is: "none" } as const) : verdict;
    return { headSha, blocking: 0, ...is };
  }
  const { headSha } = before;
  const none = { is: "none", headSha, blocking: 0 } as const;
  if (before.is === "approved") {
    const isOther = input.type === "head.changed" && input.ends.headSha !== headSha;
    return isOther || (shown && shown.conclusion !== "success") ? none : undefined;
  }
  const report = shown && reviewed(shown);
  const closes = before.is === "changes_requested" && report && (report.blocking === 0 || shown?.overridden);
  return closes ? none : undefined;
}

function verdictOf(
  { repository }: SubjectView,
  { configuration }: RunningRun,
  shown: Shown,
  task: Parameters<typeof levelFor>[0],
): Pick<Verdict, "is"> & { readonly blocking?: number; readonly level?: number } {
  const report = reviewed(shown);
  const cap = configuration.safety.automation_level;
  if (!report || shown.overridden || onlyReports(repository, cap)) return { is: "none" };
  const { approve, request_changes: requestChanges } = configuration.review;
  if (report.blocking > 0) {
    return requestChanges ? { is: "changes_requested", blocking: report.blocking } : { is: "none" };
  }
  const level = levelFor(task, repository.level ?? UNSAID_LEVEL, cap);
  const isCalm = shown.conclusion === "success" && report.decision === "approve" && report.risk?.level === "low";
  return approve && isCalm && level >= APPROVES_FROM ? { is: "approved", level } : { is: "none" };
}

function reviewed({ report }: Shown): Extract<CheckReport, { kind: "reviewed" }> | undefined {
  return report.kind === "reviewed" ? report : undefined;
}

/** What the check of the review is to say from now on, where that is decided here. */
function shownBy({ effects }: Decision): Shown | undefined {
  const shown = effects.flatMap((planned) =>
    planned.effects.flatMap((effect) => {
      const isCheck = effect.kind === "check.complete" || effect.kind === "check.revise";
      return isCheck && effect.payload.check === "forge/review" && !planned.subject ? [effect.payload] : [];
    }),
  );
  return shown.at(-1);
}
