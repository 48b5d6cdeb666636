import { neededRole } from "../../domain/commands.ts";
import { isOpen, type LedgerEntry } from "../../domain/findings.ts";
import { atLeast, type Subject } from "../../domain/subjects.ts";
import type { RunReport } from "../../pipeline/views/view-run.ts";
import type { OpenGate } from "../../store/runs/open-gates.ts";
import type { ListedRun } from "../../store/runs/overview.ts";
import type { Visitor } from "../visitor.ts";
import { ActionForm, type ActionName, commentFor, type GivenForm } from "./action.ts";

/** Whether buttons of a gate are shown; whether they count is asked of GitHub when one is pressed. */
export async function mayAnswer(visitor: Visitor, gate: OpenGate): Promise<boolean> {
  return atLeast(await permissionOf(visitor, gate.subject), gate.needs);
}

/** What this person can do with a run, judging by its state on the page. Forge decides on GitHub by the state of that moment. */
export async function offeredFor(visitor: Visitor, report: RunReport): Promise<readonly ActionName[]> {
  return allowed(visitor, report.run, stateActions(report));
}

/** What can be done with a finding. */
export async function offeredForFinding(
  visitor: Visitor,
  run: ListedRun,
  { finding, state }: Pick<LedgerEntry, "finding" | "state">,
): Promise<readonly ActionName[]> {
  const [name]: ActionName[] = isOpen({ state }) ? ["dismiss"] : state === "dismissed" ? ["undismiss"] : [];
  return name === undefined ? [] : allowed(visitor, run, [name], finding.id);
}

async function allowed(
  visitor: Visitor,
  { runId, subject }: Pick<ListedRun, "runId" | "subject">,
  names: readonly ActionName[],
  finding?: string,
): Promise<readonly ActionName[]> {
  const permission = await permissionOf(visitor, subject);
  return names.filter((action) => {
    const comment = commentFor(ActionForm.parse({ run: runId, action, finding }), environmentIn(subject));
    return comment !== undefined && atLeast(permission, neededRole(comment.command));
  });
}

/** What the state of a run allows. Of one that another run followed that is nothing but a review: a command would be about the other one. */
export function stateActions({
  run,
  gates,
  isMeant,
}: Pick<RunReport, "run" | "gates" | "isMeant">): readonly ActionName[] {
  const { subject, status } = run;
  if (!isMeant) return subject.kind === "pull_request" ? ["review"] : [];
  const isAtWork = status === "pending" || status === "running" || gates.length > 0;
  switch (subject.kind) {
    case "environment":
      return run.endedAt === null ? ["promote", "rollback", "hold"] : ["rollback", "release"];
    case "issue":
      if (isAtWork) return ["stop", "extend"];
      return status === "waiting" ? ["resume", "retry", "extend"] : status === "failed" ? ["retry"] : [];
    case "pull_request":
      if (isAtWork) return ["stop"];
      return status === "waiting" ? ["resume", "review"] : ["review"];
    // Nobody can comment there.
    case "merge_group":
      return [];
    default:
      return subject satisfies never;
  }
}

/** "production"; empty for what is no environment. */
export function environmentIn(subject: Subject): string {
  return subject.kind === "environment" ? subject.environment : "";
}

async function permissionOf(visitor: Visitor, { repository }: Subject) {
  return (await visitor.repositories()).get(repository.id)?.permission ?? "none";
}

/** Whether a person may give a command for the whole repository, in the conversation of this run. */
export async function mayInRepository(visitor: Visitor, run: ListedRun, form: Partial<GivenForm>): Promise<boolean> {
  const comment = commentFor(ActionForm.parse({ run: run.runId, ...form }), "");
  return comment !== undefined && atLeast(await permissionOf(visitor, run.subject), neededRole(comment.command));
}
