import type { Implementation } from "../implementation.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/** Nothing is to be done for a run but to see whether its pull request is still there: what GitHub told may have been lost, or come in another order. */
export async function lookAtPull({ host, ...powers }: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  const { pull, subject } = run;
  if (!pull) return;
  const now = await host.readPull(subject.repository, pull.number, job.signal);
  const by = { login: "forge", id: 0, kind: "forge" } as const;
  const all = { ...powers, host };
  if (!now) {
    await tell(all, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  if (!now.open) {
    await tell(all, job, { type: "pull.ended", by, merged: now.merged });
    return;
  }
  const issue = await host.readIssue(subject, job.signal);
  if (issue && !issue.open) await tell(all, job, { type: "issue.ended", by, reason: "issue_closed", pullIsOpen: true });
}
