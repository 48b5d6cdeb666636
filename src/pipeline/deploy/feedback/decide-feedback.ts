import { defined } from "../../../domain/defined.ts";
import type { FeedbackReceived } from "../../../domain/inputs.ts";
import type { NewJob } from "../../../domain/jobs.ts";
import type { FeedbackStanding, ProductionFault } from "../../../domain/production-feedback.ts";
import { type RepositoryRef, subjectKey } from "../../../domain/subjects.ts";
import type { FeedbackChange, FeedbackFacts } from "../../../store/feedback.ts";
import { type Decision, ignore, NOTHING, traceFault } from "../../runs/decision.ts";
import { joinSuspicion } from "./join-feedback.ts";
import { type BatchNews, type News, newsOf } from "./news-of.ts";
import { showing, shownOwn, shownTogether } from "./show-feedback.ts";

/**
 * One issue for each thing; of a storm of different things one issue that counts them (PROD-1). The log holds what the issues say; all else
 * is a count (PROD-3).
 */
export function decideFeedback(facts: FeedbackFacts, version: number, input: FeedbackReceived): Decision {
  const { subject, messages, suspicions, at } = input;
  const batch = newsOf(facts, subject, messages, at);
  const { fresh, news } = batch;
  if (fresh.length === 0 && news.length === 0) return ignore("the pipeline knows that already");
  const own = news.filter((one) => one.in === "own").map((one) => withSuspicion(one, suspicions));
  const today = daily(facts, batch);
  const key = subjectKey(subject);
  const day = at.slice(0, 10);
  const last = news.findLast((one) => one.in === "others");
  const isMany = last && today.othersTold > facts.today.othersTold;
  const shown = [
    ...own.map(({ standing }) => shownOwn(key, standing)),
    ...(isMany ? [shownTogether(key, day, { ...last.standing, more: today.othersTold })] : []),
  ];
  const traced = own.flatMap(({ standing }) => tracedTo(standing, subject.repository, at));
  const changes = showing(subject, version, shown, at);
  return {
    ...{ ...NOTHING, ...changes },
    jobs: [...traced, ...changes.jobs],
    feedback: {
      environment: subject,
      heard: fresh.map(({ id }) => id),
      counted: fresh.filter(({ fingerprint }) => facts.known.has(fingerprint) || batch.begun.has(fingerprint)),
      told: [...own, ...news.filter((one) => one.in !== "own")].map((one) => toldOf(one, at)),
      today,
    },
  };
}

/** What is added to the day. The issue that stands for many says how many; what each of them does is not news there. */
function daily({ today }: FeedbackFacts, { heard, news }: BatchNews): FeedbackChange["today"] {
  const others = news.filter((one) => one.in === "others" && (one.known?.told ?? 0) === 0).length;
  const all = today.others + others;
  const othersTold = magnitude(all) > magnitude(today.othersTold) ? all : today.othersTold;
  return { heard, others, othersTold, changes: news.filter(({ known }) => known?.issueAt).length };
}

function withSuspicion({ standing, ...one }: News, found: FeedbackReceived["suspicions"]): News {
  const suspicion = joinSuspicion(one.known?.shown ?? standing, found.get(standing.feedback.fingerprint));
  return { ...one, standing: { ...standing, ...defined({ suspicion }) } };
}

function toldOf({ standing, known, in: place }: News, at: string): FeedbackChange["told"][number] {
  const { feedback, times, resolved } = standing;
  const issueAt = known?.issueAt ?? (place === "own" ? at : null);
  const shown = place === "own" ? standing : (known?.shown ?? null);
  return { fingerprint: feedback.fingerprint, told: times, toldResolved: resolved, issueAt, shown };
}

/** What the run behind it is told, where both conditions name a change; a suspicion marks nobody. */
function tracedTo(
  { environment, feedback, suspicion, resolved }: FeedbackStanding,
  repository: RepositoryRef,
  at: string,
): NewJob[] {
  if (resolved || suspicion?.is !== "caused" || suspicion.pull === undefined) return [];
  const { sha, pull, commit, file, line } = suspicion;
  const what = feedback.is === "error" ? [feedback.type, feedback.message].filter(Boolean).join(": ") : feedback.name;
  const fault: ProductionFault = {
    ...{ id: `${environment}:${feedback.fingerprint}`, is: "error", environment, what: what.slice(0, 300), sha, pull },
    fingerprint: feedback.fingerprint,
    ...defined({ commit, file, line }),
  };
  return [traceFault({ kind: "pull_request", repository, number: pull }, fault, at)];
}

/** 0 for nothing, 1 below ten, 2 below a hundred: the next is news. */
function magnitude(count: number): number {
  return count < 1 ? 0 : String(Math.floor(count)).length;
}
