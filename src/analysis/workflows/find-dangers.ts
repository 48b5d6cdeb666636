import { isMap, isScalar, isSeq } from "yaml";
import { createCalls } from "./calls-between.ts";
import { codeOfJob } from "./code-places.ts";
import { findHeadCheckout } from "./head-checkout.ts";
import { findInjection, findInjectionIn } from "./injection.ts";
import { entries, rangeOfNode, span, textAt, textOf } from "./nodes.ts";
import type { Job } from "./read-jobs.ts";
import { findDownloadAndRun, findUnpinned } from "./step-dangers.ts";
import { readWorkflow, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";
import type { BesideWorkflow } from "./workflow-files.ts";

/** Events that strangers can cause and whose runs have the repository's secrets and a writing token. */
const PRIVILEGED = [
  "pull_request_target",
  "workflow_run",
  "issue_comment",
  "issues",
  "discussion",
  "discussion_comment",
] as const;

/**
 * A reader of everything that the own rules find in a workflow or action; null for a text that does not parse or is neither.
 * @param beside the repository's workflows and actions, which can call each other
 */
export function findDangersIn(
  beside: readonly BesideWorkflow[],
): (file: { readonly text: string; readonly path?: string }) => WorkflowDanger[] | null {
  const calls = createCalls(beside);
  return ({ text, path }) => {
    const document = readWorkflow(text, path === undefined ? [] : calls.inputsOf(path));
    return document === undefined ? null : [...findDangers(document), ...calls.dangersOf(document)];
  };
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
      ...codeOfJob(job.node).flatMap((place) => findInjectionIn(place, job.values, document)),
      ...findUnpinned(textAt(job.node, "uses")),
      ...findWidePermissions(job.node, privileged.length > 0),
      ...findSelfHosted(job, events.has("pull_request") || events.has("pull_request_target")),
      ...findInheritedSecrets(job, privileged),
    ]),
    ...codeOfJob(document.root).flatMap((place) => findInjectionIn(place, new Map(), document)),
    ...findWidePermissions(document.root, privileged.length > 0),
  ];
}

function findWidePermissions(node: WorkflowDocument["root"], privileged: boolean): WorkflowDanger[] {
  const permissions = node.get("permissions", true);
  if (isScalar(permissions) && permissions.value === "write-all") {
    return [
      {
        rule: "write-all",
        severity: privileged ? "error" : "warning",
        confidence: 0.85,
        ...span(rangeOfNode(permissions)),
        message: "The token may write everything.",
        why: "Any step, and any action that it uses, can change code, releases and settings: name the permissions that the job needs.",
      },
    ];
  }
  if (!isMap(permissions)) return [];
  const writes = entries(permissions).filter(([, value]) => isScalar(value) && value.value === "write");
  if (writes.length < MANY_WRITES) return [];
  return [
    {
      rule: "wide-permissions",
      severity: "warning",
      confidence: 0.6,
      ...span(rangeOfNode(permissions)),
      message: `The token may write in ${writes.length} areas.`,
      why: "Each step gets all of them: give them to the one job that needs them.",
    },
  ];
}

/** A release that signs, publishes and comments needs four. */
const MANY_WRITES = 5;

function findSelfHosted({ node }: Job, pullRequests: boolean): WorkflowDanger[] {
  if (!pullRequests) return [];
  const runsOn = node.get("runs-on", true);
  const labels = isSeq(runsOn) ? runsOn.items : [isMap(runsOn) ? runsOn.get("labels", true) : runsOn];
  const label = labels.map(textOf).find((text) => text?.value === "self-hosted");
  if (label === undefined) return [];
  return [
    {
      rule: "self-hosted-runner",
      severity: "warning",
      confidence: 0.65,
      ...span(label),
      message: "Pull requests run on a machine of one's own.",
      why: "In a public repository strangers run code there, and what they leave behind is found by the next job: use hosted runners, or ephemeral ones with approval.",
    },
  ];
}

function findInheritedSecrets({ node }: Job, privileged: readonly string[]): WorkflowDanger[] {
  const secrets = node.get("secrets", true);
  const uses = textAt(node, "uses");
  if (!isScalar(secrets) || secrets.value !== "inherit" || uses === undefined) return [];
  const foreign = !uses.value.startsWith("./");
  if (!foreign && !privileged.includes("pull_request_target")) return [];
  return [
    {
      rule: "inherited-secrets",
      severity: "warning",
      confidence: 0.7,
      ...span(rangeOfNode(secrets)),
      message: foreign
        ? `All secrets are handed to a workflow elsewhere (\`${uses.value.split("@")[0]}\`).`
        : "All secrets are handed on in a run that pull requests of forks start.",
      why: "One of them is rarely needed for more than one thing: name those that the called workflow uses.",
    },
  ];
}
