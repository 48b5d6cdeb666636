import { COMMANDS } from "../../domain/commands.ts";
import type { CommandGiven, IssueCommandGiven } from "../../domain/inputs.ts";
import type { ParsedCommand } from "../../domain/refusals.ts";
import type { Subject } from "../../domain/subjects.ts";
import { implementationOf } from "../../pipeline/implement/implementation-of.ts";
import { readOpenGates } from "../../pipeline/runs/gates/has-open-question.ts";
import type { IssueHost, PullRequestHost } from "../../pipeline/runs/ports.ts";
import { findLatestRun } from "../../store/read-runs.ts";
import type { Store } from "../../store/store.ts";

/** Where a command is carried out, as that stands now. */
export type Place =
  | { readonly kind: "pull"; readonly subject: Subject; readonly pull: CommandGiven["pull"] }
  | ({ readonly kind: "issue"; readonly subject: Subject; readonly issue: { readonly open: boolean } } & Pick<
      IssueCommandGiven,
      "pull" | "givenOn"
    >);

export interface PlaceDependencies {
  readonly store: Store;
  readonly host: Pick<PullRequestHost, "readPullRequest">;
  readonly issues: Pick<IssueHost, "readIssue" | "readPull">;
}

/** Undefined when the issue or the pull request is gone. */
export async function readPlace(
  dependencies: PlaceDependencies,
  subject: Subject,
  signal: AbortSignal,
): Promise<Place | undefined> {
  if (subject.kind !== "issue") {
    const pull = await dependencies.host.readPullRequest(subject, signal);
    return pull && { kind: "pull", subject, pull: { open: pull.open, ends: pull.ends, title: pull.title } };
  }
  const issue = await dependencies.issues.readIssue(subject, signal);
  if (!issue || issue.isPull) return undefined;
  const number = (await findLatestRun(dependencies.store, subject))?.pullNumber;
  const pull =
    number === undefined ? undefined : await dependencies.issues.readPull(subject.repository, number, signal);
  const known = number !== undefined && pull ? { pull: { number, ...pick(pull) } } : {};
  return { kind: "issue", subject, issue: { open: issue.open }, ...known };
}

/**
 * On a pull request that Forge opened, commands about the work are meant for the work on its issue as long as that can go on. While the
 * pull request's own review waits for an answer, an answer is for the review.
 */
export async function placeFor(
  dependencies: PlaceDependencies,
  place: Place,
  parsed: ParsedCommand,
  signal: AbortSignal,
): Promise<Place> {
  const forWork = "command" in parsed ? COMMANDS[parsed.command.name].forWork : undefined;
  if (place.kind === "issue" || forWork === undefined) return place;
  const { subject, pull } = place;
  const { number } = subject;
  const work = await implementationOf(dependencies.store, subject.repository.id, { pull: number });
  if (!work || work.over) return place;
  if (forWork === "unless_asked" && (await readOpenGates(dependencies.store, subject)).length > 0) return place;
  const issue = await dependencies.issues.readIssue(work.subject, signal);
  if (!issue) return place;
  return {
    kind: "issue",
    subject: work.subject,
    issue: { open: issue.open },
    pull: { number, ...pull },
    givenOn: number,
  };
}

function pick({ open, ends, title }: CommandGiven["pull"]): CommandGiven["pull"] {
  return { open, ends, title };
}
