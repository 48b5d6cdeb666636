import { inspectPull } from "../facts/inspect-pull.ts";
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import { missingChecks } from "../facts/required-checks.ts";
import type { PullRequest } from "../records.ts";
import type { World } from "../world.ts";
import { checkIcon, checkWords } from "./check-icon.ts";
import { type Html, html } from "./html.ts";
import { pathOf } from "./paths.ts";

/** The end of the conversation: the checks of the head, and whether it can be merged. */
export async function mergeBox(world: World, request: PullRequest): Promise<Html> {
  const { pull, repository, state } = request;
  if (pull.mergedAt)
    return html`<section class="box merge"><h2>Merged by ${pull.mergedBy?.login ?? "somebody"}</h2></section>`;
  const runs = latestRuns(runsOn(repository, pull.headSha));
  const required = repository.protections.get(pull.baseRef)?.requiredChecks ?? [];
  const missing = missingChecks(request);
  const { mergeable } = await inspectPull(world, request);
  const rows = runs.map(
    (run) =>
      html`<li>${checkIcon(run)} <a href="${pathOf(request)}/checks?run=${run.id}"><strong>${run.name}</strong></a> <span class="grow">${run.output.title ?? checkWords(run)}</span>${
        required.includes(run.name) && html`<span class="label">Required</span>`
      }</li>`,
  );
  const absent = missing.filter((name) => runs.every((run) => run.name !== name));
  const waiting = absent.map(
    (name) =>
      html`<li><span class="icon running">●</span> <strong>${name}</strong> <span class="grow">Expected — waiting for status to be reported</span><span class="label">Required</span></li>`,
  );
  const [kind, words] = verdict({ mergeable, missing, isOpen: state === "open", isDraft: pull.draft });
  return html`<section class="box merge ${kind}"><ul class="checks">${rows}${waiting}</ul><p class="verdict">${words}</p></section>`;
}

interface Facts {
  readonly mergeable: boolean;
  readonly missing: readonly string[];
  readonly isOpen: boolean;
  readonly isDraft: boolean;
}

function verdict({ mergeable, missing, isOpen, isDraft }: Facts): readonly [string, string] {
  if (!isOpen) return ["dim", "Closed with unmerged commits"];
  if (!mergeable) return ["bad", "This branch has conflicts that must be resolved"];
  if (isDraft) return ["dim", "This pull request is still a draft"];
  if (missing.length > 0) return ["bad", `Merging is blocked: ${missing.join(", ")} has not succeeded`];
  return ["good", "This branch has no conflicts with the base branch, and can be merged"];
}
