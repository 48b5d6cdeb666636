import type { EmitterWebhookEventName } from "@octokit/webhooks";
import type { Probot } from "probot";
import { ForgeError } from "../../domain/errors.ts";
import {
  handleCheckButton,
  handleCheckRunCompleted,
  handleCheckRunRerequested,
  handleCheckSuiteRerequested,
  handleStatus,
} from "./check.ts";
import { handleIssueComment, handleReviewComment, handleReviewSubmitted } from "./comment.ts";
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
import type { Payload } from "./payloads.ts";
import { handleGroupDestroyed, handleGroupRequested, handlePullRequest } from "./pull-request.ts";

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
  "check_run.requested_action": handleCheckButton,
  "check_run.rerequested": handleCheckRunRerequested,
  "check_run.completed": handleCheckRunCompleted,
  status: handleStatus,
  "check_suite.rerequested": handleCheckSuiteRerequested,
  "merge_group.checks_requested": handleGroupRequested,
  "merge_group.destroyed": handleGroupDestroyed,
  "installation.created": handleInstallationCreated,
  "installation.deleted": handleInstallationDeleted,
  "installation.suspend": handleInstallationSuspended,
  "installation_repositories.added": handleRepositoriesAdded,
  "installation_repositories.removed": handleRepositoriesRemoved,
  "repository.deleted": handleRepositoryGone,
  "repository.transferred": handleRepositoryGone,
} satisfies { readonly [Name in EmitterWebhookEventName]?: Handle<Name> };

const SEEN_FROM_FORGE: ReadonlySet<string> = new Set([
  "check_run.completed",
  "pull_request.synchronize",
] satisfies (keyof typeof HANDLERS)[]);

/** Called once for each delivery that a handler took; `ignored` says why nothing followed. */
export type OnHandled = (deliveryId: string, result: { readonly ignored?: string }) => void;

/** Puts the handlers on Probot. A payload that is not as documented is ignored with its reason; other failures reach the queue. */
export function registerHandlers(probot: Probot, dependencies: HandlerDependencies, onHandled: OnHandled): void {
  for (const name of Object.keys(HANDLERS) as (keyof typeof HANDLERS)[]) {
    // The name and its handler belong together by the type of the table.
    const handle = HANDLERS[name] as Handle<typeof name>;
    probot.on(name, async ({ id, payload }) => {
      const sender: unknown = payload.sender?.login;
      // What Forge pushes or opens itself is reviewed by the run that did it, not by a new one. A queue waits for its check whoever filled
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
