import type { Lack, Waiver } from "../../../domain/coverage.ts";
import type { PlacedEvent } from "../../../domain/events.ts";
import { isOpen } from "../../../domain/findings.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import type { Store } from "../../../store/store.ts";
import { type IssueWork, implementationOf } from "../../runs/implementation-of.ts";
import type { HeadReview, ReadHeadReviews } from "../../runs/ports.ts";
import { readFacts } from "../../runs/subject.ts";
import type { HeadTests, SubjectFacts } from "../../runs/subject-facts.ts";

/** All that the record has of a pull request that was merged. */
export interface PullRecord {
  /** Newest first. */
  readonly reviews: readonly HeadReview[];
  readonly facts: SubjectFacts;
  /** Findings that are neither fixed nor dismissed. */
  readonly open: number;
  readonly work?: IssueWork;
  /** Events of that work, in which its tests stand. */
  readonly worked: readonly PlacedEvent[];
}

async function readPullRecord(
  { store, readHeadReviews }: { readonly store: Store; readonly readHeadReviews: ReadHeadReviews },
  repository: RepositoryRef,
  number: number,
): Promise<PullRecord> {
  const subject: Subject = { kind: "pull_request", repository, number };
  const [reviews, facts, ledger, work] = await Promise.all([
    readHeadReviews(subject),
    readFacts(store, subject),
    readLedger(store, subject),
    implementationOf(store, repository.id, { pull: number }),
  ]);
  const worked = work ? await readEvents(store, work.runId) : [];
  const open = ledger.filter(isOpen).length;
  return { reviews, facts, open, worked, ...(work ? { work } : {}) };
}

/** Pull requests whose record is read at once. */
const AT_ONCE = 8;

/** The same of many pull requests, by number. */
export async function readPullRecords(
  dependencies: Parameters<typeof readPullRecord>[0],
  repository: RepositoryRef,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, PullRecord>> {
  const found = new Map<number, PullRecord>();
  const wanted = [...new Set(numbers)];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(async (number) => found.set(number, await readPullRecord(dependencies, repository, number))),
    );
  }
  return found;
}

/**
 * The review that counts for a head: one that is under way, because a person wanted another look; else the newest that looked; else the newest
 * that did not.
 */
export function reviewOf(reviews: readonly HeadReview[], head: string): HeadReview | undefined {
  const ofHead = reviews.filter(({ headSha }) => headSha === head);
  const [newest] = ofHead;
  if (newest?.is === "running") return newest;
  return ofHead.find(({ mergeBaseSha }) => mergeBaseSha !== undefined) ?? newest;
}

/** What the tests of exactly this head came to, with the lack that this is. */
export function testsOf(
  { facts, worked }: Pick<PullRecord, "facts" | "worked">,
  head: string,
): { readonly tests?: "passed" | "failed" | "not_run"; readonly lack?: Lack } {
  const own = facts.tests?.headSha === head ? ofPeople(facts.tests) : undefined;
  return own ?? ofWork(worked, head) ?? { lack: "not_tested" };
}

function ofPeople({ ended, outcome }: HeadTests): ReturnType<typeof testsOf> {
  if (!ended) return { lack: "tests_running" };
  if (ended.cancelled) return { lack: "tests_cancelled" };
  return outcome ? told(outcome.outcome) : { tests: "not_run", lack: "tests_not_run" };
}

/** What Forge wrote itself is tested by the work on it. */
function ofWork(worked: readonly PlacedEvent[], head: string): ReturnType<typeof testsOf> | undefined {
  const tested = worked.findLast((event) => isTested(event) && event.payload.headSha === head);
  return tested && isTested(tested) ? told(tested.payload.outcome) : undefined;
}

function isTested(event: PlacedEvent) {
  return event.type === "test.passed" || event.type === "test.failed" || event.type === "test.skipped";
}

function told(tests: "passed" | "failed" | "not_run"): ReturnType<typeof testsOf> {
  if (tests === "passed") return { tests };
  return { tests, lack: tests === "failed" ? "tests_failed" : "tests_not_run" };
}

/** Who let something pass on exactly this head: by override, by an approving review, or at the gate of Forge's own work. */
export function waiversOf({ facts, worked }: PullRecord, review: HeadReview | undefined, head: string): Waiver[] {
  const overrides = facts.overrides.flatMap(({ check, headSha, by, at, reason }): Waiver[] => {
    const of = ({ "forge/review": "review", "forge/tests": "tests" } as const)[check as string];
    return headSha === head && of ? [{ of, how: "override", by, at, reason }] : [];
  });
  const approval: Waiver[] =
    review?.approvedBy !== undefined && review.headSha === head
      ? [{ of: "review", how: "approval", by: review.approvedBy, reason: "an approving review of this head" }]
      : [];
  return [...overrides, ...approval, ...atGates(worked, head)];
}

/** A person's yes to a high risk of Forge's own work (REV-2). */
function atGates(worked: readonly PlacedEvent[], head: string): Waiver[] {
  const asked = new Set(
    worked.flatMap((event) => {
      if (event.type !== "gate.requested") return [];
      const { question, headSha, gate } = event.payload;
      return question.type === "high_risk_change" && headSha === head ? [gate] : [];
    }),
  );
  return worked.flatMap((event): Waiver[] => {
    if (event.type !== "gate.approved" || !asked.has(event.payload.gate) || !event.actor) return [];
    const { note = "a yes to the high risk" } = event.payload;
    return [{ of: "review", how: "approval", by: event.actor.login, at: event.at, reason: note }];
  });
}
