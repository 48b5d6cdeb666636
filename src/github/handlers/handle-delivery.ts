import type { EmitterWebhookEventName } from "@octokit/webhooks";
import type { Probot } from "probot";
import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import { handleAuthorizationRevoked } from "./authorization.ts";
import {
  handleCheckButton,
  handleCheckRunCompleted,
  handleCheckRunRerequested,
  handleCheckSuiteRerequested,
  handleStatus,
} from "./check.ts";
import { handleIssueComment, handleReviewComment, handleReviewDismissed, handleReviewSubmitted } from "./comment.ts";
import { handleDeploymentStatus, handleWorkflowRun } from "./deployment.ts";
import { handleDispatched } from "./dispatched.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import {
  handleInstallationCreated,
  handleInstallationDeleted,
  handleInstallationSuspended,
  handleRepositoriesAdded,
  handleRepositoriesRemoved,
  handleRepositoryGone,
} from "./installation.ts";
import { handleIssueEnded, handleIssueLabeled, handleIssueUnlabeled } from "./issue.ts";
import { membersOf } from "./members-of.ts";
import type { Payload } from "./payloads.ts";
import * as payloads from "./payloads.ts";
import { handleRuleRequested } from "./protection-rule.ts";
import { handleGroupDestroyed, handleGroupRequested, handlePullRequest } from "./pull-request.ts";

export interface StoredDelivery {
  readonly guid: string;
  readonly event: string;
  readonly body: Buffer;
}

/** How a delivery ended: a handler took it, or nothing followed and why. */
export type DeliveryOutcome = { readonly state: "handled" } | { readonly state: "ignored"; readonly reason: string };

/**
 * Makes the function that runs one stored delivery through Probot's handlers. It may be called again for the same delivery: what it
 * submits is recognised. Throws what a handler throws, so that the queue tries again.
 */
export function createDeliveryHandler(probot: Probot, dependencies: HandlerDependencies) {
  const results = new Map<string, { readonly ignored?: string }>();
  // Probot hands on nothing but the number of a delivery, which one worker at a time has.
  const fences = new Map<string, Fence>();
  const submitFor = (id: string): HandlerDependencies => ({
    ...dependencies,
    submit: (input) => dependencies.submit(input, fences.get(id)),
  });
  registerHandlers(probot, submitFor, (id, result) => results.set(id, result));
  return async function handleDelivery({ guid, event, body }: StoredDelivery, fence?: Fence): Promise<DeliveryOutcome> {
    const payload = await readPayload(body);
    if (payload === undefined) return { state: "ignored", reason: "the body is not a JSON object, or too large" };
    if (!hasUsableInstallation(payload)) return { state: "ignored", reason: "the installation has no usable id" };
    if (fence) fences.set(guid, fence);
    try {
      await probot.receive({ id: guid, name: event, payload } as Parameters<Probot["receive"]>[0]);
    } catch (error) {
      results.delete(guid);
      throw firstError(error);
    } finally {
      fences.delete(guid);
    }
    const result = results.get(guid);
    results.delete(guid);
    if (!result) return { state: "ignored", reason: "no handler for this event" };
    return result.ignored === undefined ? { state: "handled" } : { state: "ignored", reason: result.ignored };
  };
}

/** Whatever such a body holds, reading it takes 10 ms. */
const USUAL_BODY_BYTES = 128 * 1024;

/** Every member that a handler reads, and `action`, by which Probot finds the handler. */
const MEMBERS: ReadonlySet<string> = new Set(["action", ...Object.values(payloads).flatMap(membersIn)]);

/** Of a large body only the members that Forge reads: what a million others would take, and hold, is its sender's choice. */
async function readPayload(body: Buffer): Promise<object | undefined> {
  const read = body.length <= USUAL_BODY_BYTES ? body : await membersOf(body, MEMBERS);
  return read && parseObject(read);
}

function parseObject(body: Buffer): object | undefined {
  try {
    const payload: unknown = JSON.parse(body.toString("utf8"));
    return payload !== null && typeof payload === "object" && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** The names of an object's members, and of theirs. */
function membersIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, member]) => [name, ...membersIn(member)]);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return membersIn(schema.unwrap());
  return schema instanceof z.ZodArray ? membersIn(schema.element) : [];
}

/** Probot makes a client for the installation of each event before a handler sees it, and fails without an id. */
function hasUsableInstallation(payload: object): boolean {
  const { installation } = payload as { readonly installation?: unknown };
  return installation === undefined || installation === null || payloads.Installation.safeParse(installation).success;
}

/** Probot collects the failures of all handlers; a delivery has one handler here, so the first is the one. */
function firstError(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) {
    const first: unknown = error.errors[0];
    return first instanceof Error && first.cause instanceof ForgeError ? first.cause : first;
  }
  return error;
}

type Handled = Promise<{ readonly ignored?: string }>;
type Handle<Name extends EmitterWebhookEventName> = (
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<Name>,
) => Handled;

/** Every event that starts or ends something, with who handles it; `app.yml` asks for exactly these. */
export const HANDLERS = {
  "pull_request.opened": handlePullRequest,
  "pull_request.reopened": handlePullRequest,
  "pull_request.ready_for_review": handlePullRequest,
  "pull_request.synchronize": handlePullRequest,
  "pull_request.edited": handlePullRequest,
  "pull_request.closed": handlePullRequest,
  "issues.labeled": handleIssueLabeled,
  "issues.unlabeled": handleIssueUnlabeled,
  "issues.closed": handleIssueEnded,
  "issues.deleted": handleIssueEnded,
  "issues.transferred": handleIssueEnded,
  "issue_comment.created": handleIssueComment,
  "pull_request_review_comment.created": handleReviewComment,
  "pull_request_review.submitted": handleReviewSubmitted,
  "pull_request_review.dismissed": handleReviewDismissed,
  "check_run.requested_action": handleCheckButton,
  "check_run.rerequested": handleCheckRunRerequested,
  "check_run.completed": handleCheckRunCompleted,
  status: handleStatus,
  "check_suite.rerequested": handleCheckSuiteRerequested,
  "merge_group.checks_requested": handleGroupRequested,
  "merge_group.destroyed": handleGroupDestroyed,
  "deployment_status.created": handleDeploymentStatus,
  "workflow_run.in_progress": handleWorkflowRun,
  "workflow_run.completed": handleWorkflowRun,
  "deployment_protection_rule.requested": handleRuleRequested,
  "installation.created": handleInstallationCreated,
  "installation.deleted": handleInstallationDeleted,
  "installation.suspend": handleInstallationSuspended,
  "installation_repositories.added": handleRepositoriesAdded,
  "installation_repositories.removed": handleRepositoriesRemoved,
  "repository.deleted": handleRepositoryGone,
  "repository.transferred": handleRepositoryGone,
  repository_dispatch: handleDispatched,
  "github_app_authorization.revoked": handleAuthorizationRevoked,
} satisfies { readonly [Name in EmitterWebhookEventName]?: Handle<Name> };

const SEEN_FROM_FORGE: ReadonlySet<string> = new Set([
  "check_run.completed",
  "pull_request.synchronize",
  // What Forge merged itself has an outcome like any other, and what it marked ready may be merged (SAFE-4).
  "pull_request.closed",
  "pull_request.ready_for_review",
  // A workflow that Forge started, or that its deployment set off, carries Forge's name.
  "workflow_run.in_progress",
  "workflow_run.completed",
  // A pull request that takes a rollback back is reviewed like any other: the handler tells which it is.
  "pull_request.opened",
  // What Forge deploys itself waits for its rule like all else.
  "deployment_protection_rule.requested",
] satisfies (keyof typeof HANDLERS)[]);

/** Called once for each delivery that a handler took; `ignored` says why nothing followed. */
type OnHandled = (deliveryId: string, result: { readonly ignored?: string }) => void;

/** Puts the handlers on Probot. A payload that is not as documented is ignored with its reason; other failures reach the queue. */
function registerHandlers(
  probot: Probot,
  dependenciesFor: (deliveryId: string) => HandlerDependencies,
  onHandled: OnHandled,
): void {
  for (const name of Object.keys(HANDLERS) as (keyof typeof HANDLERS)[]) {
    // The name and its handler belong together by the type of the table.
    const handle = HANDLERS[name] as Handle<typeof name>;
    probot.on(name, async ({ id, payload }) => {
      const sender: unknown = payload.sender?.login;
      const dependencies = dependenciesFor(id);
      // What Forge pushes or opens itself is reviewed by the run that did it, not by a new one. A queue waits for its check whatever filled
      // it, and CI that runs because Forge pushed may carry Forge's name: whose check it is is told by the check. A head that Forge pushed
      // for `/forge fix` needs its check like any other (GH-8d): the handler tells which it is.
      const starts = !name.startsWith("merge_group.") && !SEEN_FROM_FORGE.has(name);
      if (starts && typeof sender === "string" && sender.endsWith("[bot]") && (await dependencies.isSelf(sender))) {
        return onHandled(id, { ignored: "caused by Forge itself" });
      }
      onHandled(id, await refuseBadPayload(() => handle(dependencies, id, payload)));
    });
  }
}

async function refuseBadPayload(handle: () => Handled): Handled {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof ForgeError && error.code === "payload_invalid") return { ignored: error.message };
    throw error;
  }
}
