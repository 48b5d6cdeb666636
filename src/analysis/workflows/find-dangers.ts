import { findInheritedSecrets, findSelfHosted, findWidePermissions } from "./job-dangers.ts";
import { findDownloadAndRun, findHeadCheckout, findInjection, findUnpinned } from "./step-dangers.ts";
import { readWorkflow, textAt, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";

/** Events that strangers can cause and whose runs have the repository's secrets and a writing token. */
const PRIVILEGED = [
  "pull_request_target",
  "workflow_run",
  "issue_comment",
  "issues",
  "discussion",
  "discussion_comment",
] as const;

/** Everything that the own rules find in a workflow or action; null for a text that does not parse or is neither. */
export function findDangersOf({ text }: { readonly text: string }): WorkflowDanger[] | null {
  const document = readWorkflow(text);
  return document === undefined ? null : findDangers(document);
}

function findDangers(document: WorkflowDocument): WorkflowDanger[] {
  const { events, jobs } = document;
  const privileged = PRIVILEGED.filter((event) => events.has(event));
  return [
    ...jobs
      .flatMap(({ steps }) => steps)
      .flatMap((step) => [
        ...findHeadCheckout(step, privileged, document),
        ...findInjection(step, document),
        ...findDownloadAndRun(step, document),
        ...findUnpinned(step.uses),
      ]),
    ...jobs.flatMap((job) => [
      ...findUnpinned(textAt(job.node, "uses")),
      ...findWidePermissions(job.node, privileged.length > 0),
      ...findSelfHosted(job, events.has("pull_request") || events.has("pull_request_target")),
      ...findInheritedSecrets(job, privileged),
    ]),
    ...findWidePermissions(document.root, privileged.length > 0),
  ];
}
