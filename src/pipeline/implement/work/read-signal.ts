import { isOpen } from "../../../domain/findings.ts";
import type { Feedback, PullSignal } from "../../../domain/implementation.ts";
import { atLeast } from "../../../domain/subjects.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { findTarget } from "../../review/commands/find-target.ts";
import { submit } from "../../runs/handle-input.ts";
import type { Implementation } from "../implementation.ts";
import { pullSubject } from "../step.ts";
import { toFeedback } from "./review-pull.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** Reads what people or CI said about the pull request in full, and tells what there is to do about it (GH-5, GH-6). */
export async function readSignal(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Implementation,
  said: PullSignal,
): Promise<void> {
  const feedback = await feedbackOf(dependencies, job, run, said);
  await submit(dependencies, job, { type: "signal.read", runId: run.runId, signal: said, feedback });
}

async function feedbackOf(
  { host, store }: WorkDependencies,
  { signal, subject }: WorkJob,
  { pull }: Implementation,
  said: PullSignal,
): Promise<readonly Feedback[]> {
  if (!pull) return [];
  const { repository } = subject;
  switch (said.from) {
    case "ci":
      return host.readCiFeedback(repository, said, signal);
    case "person": {
      const read = await host.readReviewFeedback(repository, { pull: pull.number, reviewId: said.reviewId }, signal);
      // Only those who may push have work done for them.
      return read && atLeast(read.role, "write") ? read.feedback : [];
    }
    case "findings": {
      const open = (await readLedger(store, pullSubject(subject, pull.number))).filter(isOpen);
      const wanted =
        said.findings.length === 0
          ? open.filter(({ finding }) => finding.severity !== "info")
          : said.findings.flatMap((written) => {
              const found = findTarget(open, { name: "fix", finding: written }, undefined);
              return "finding" in found ? [found] : [];
            });
      return wanted.map(toFeedback);
    }
  }
}
