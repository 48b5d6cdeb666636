import type { EmitterWebhookEvent, EmitterWebhookEventName } from "@octokit/webhooks";
import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import { type Actor, type PullRequestEnds, type RepositoryRef, Sha } from "../../domain/subjects.ts";

/** The payload of an event (`pull_request`) or of one of its actions (`pull_request.opened`), as GitHub describes it. */
export type Payload<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>["payload"];

/** Described as optional, because webhooks of other kinds lack it; those of an App, or this event, cannot do without. */
function always<T extends z.ZodType>(schema: T): z.ZodPipe<z.ZodOptional<T>, T> {
  return z.pipe(z.optional(schema), schema as never) as z.ZodPipe<z.ZodOptional<T>, T>;
}

/** Only the members that Forge reads; everything else of a payload may change without harm. */
export const Sender = z.object({ login: z.string(), id: z.number().int(), type: always(z.string()) });
export const Installation = z.object({ id: z.number().int().positive() });
export const Repository = z.object({
  id: z.number().int().positive(),
  name: z.string().min(1),
  owner: z.object({ login: z.string().min(1) }),
});

/** In characters; GitHub takes 256 for a title and 255 bytes for a branch. A longer title is cut, a payload with a longer branch is refused. */
const LONGEST_TITLE = 1_000;
const LONGEST_REFERENCE = 1_000;
const Reference = z.string().max(LONGEST_REFERENCE, { error: "is longer than any name of a branch" });

export const PullRequest = z.object({
  number: z.number().int().positive(),
  title: z.string().transform((title) => title.slice(0, LONGEST_TITLE)),
  merged: z.boolean().nullish(),
  updated_at: z.string().nullish(),
  head: z.object({
    sha: Sha,
    ref: Reference,
    repo: z.object({ id: z.number().int() }).nullish(),
  }),
  base: z.object({ sha: Sha, ref: Reference }),
});

export const RepositoryEvent = z.object({
  installation: always(Installation),
  repository: always(Repository),
  sender: always(Sender),
});
/** A person ended what the App may do for them. */
export const AuthorizationEvent = z.object({ sender: always(Sender) });
/** `client_payload` is whatever its sender wrote: ten members at most, 64 KB. */
export const DispatchEvent = RepositoryEvent.extend({
  action: z.string(),
  client_payload: z.record(z.string(), z.unknown()).nullish(),
});
export const PullRequestEvent = RepositoryEvent.extend({
  action: z.string(),
  pull_request: PullRequest,
  changes: z.object({ base: z.unknown().optional() }).nullish(),
});
export const CheckRunEvent = RepositoryEvent.extend({
  check_run: z.object({
    id: z.number().int().positive(),
    head_sha: Sha,
    name: z.string(),
    app: z.object({ id: z.number().int() }).nullish(),
  }),
});
export const CheckButtonEvent = CheckRunEvent.extend({
  requested_action: always(z.object({ identifier: always(z.string()) })),
});
/** `details_url` is the App's own page, `html_url` GitHub's. */
export const CheckCompletedEvent = RepositoryEvent.extend({
  check_run: z.object({
    id: z.number().int().positive(),
    name: z.string(),
    head_sha: Sha,
    conclusion: z.string().nullish(),
    html_url: z.string().nullish(),
    app: z.object({ id: z.number().int(), slug: z.string().nullish() }).nullish(),
  }),
});
export const StatusEvent = RepositoryEvent.extend({
  sha: Sha,
  context: z.string(),
  state: z.string(),
  target_url: z.string().nullish(),
});
export const WorkflowRunEvent = RepositoryEvent.extend({ workflow_run: z.object({ event: z.string() }) });
export const CheckSuiteEvent = RepositoryEvent.extend({
  check_suite: z.object({ head_sha: Sha, app: z.object({ id: z.number().int().nullable() }).nullish() }),
});
export const CommentBody = z.object({
  id: z.number().int().positive(),
  body: z.string().nullish(),
  user: Sender.nullish(),
});
const PullNumber = z.object({ number: z.number().int().positive() });
export const ReviewCommentEvent = RepositoryEvent.extend({
  pull_request: PullNumber,
  comment: CommentBody.extend({ in_reply_to_id: z.number().int().nullish() }),
});
export const ReviewEvent = RepositoryEvent.extend({
  pull_request: PullNumber,
  review: CommentBody.extend({ state: z.string().nullish(), commit_id: z.string().nullish() }),
});
export const IssueEvent = RepositoryEvent.extend({
  issue: PullNumber.extend({ pull_request: z.looseObject({}).nullish() }),
});
export const IssueCommentEvent = IssueEvent.extend({ comment: CommentBody });
export const IssueLabelEvent = IssueEvent.extend({ label: always(z.object({ name: z.string() })) });
export const MergeGroupEvent = RepositoryEvent.extend({
  merge_group: z.object({
    head_sha: Sha,
    /** With `refs/heads/`, as is the base. */
    head_ref: Reference,
    base_sha: Sha,
    base_ref: Reference,
  }),
});
/** GitHub's description has no commit in it; what was recorded has. */
export const ProtectionRuleEvent = RepositoryEvent.extend({
  environment: always(z.string()),
  deployment_callback_url: always(z.string()),
  deployment: z.object({ sha: Sha }).nullish(),
  sha: Sha.optional(),
});
export const InstallationEvent = z.object({ installation: always(Installation), sender: always(Sender) });
const Miniature = z.object({ id: z.number().int().positive(), full_name: z.string().regex(/^[^/]+\/[^/]+$/) });
export const InstalledEvent = InstallationEvent.extend({ repositories: z.array(Miniature).nullish() });
export const RepositoriesAddedEvent = InstallationEvent.extend({ repositories_added: z.array(Miniature) });
export const RepositoriesEvent = InstallationEvent.extend({
  repositories_removed: z.array(z.object({ id: z.number().int() })),
});

/**
 * Reads what Forge needs from a payload. That a schema asks for nothing but what GitHub describes of the event is checked by the compiler;
 * that GitHub kept to it, here.
 * @throws ForgeError `payload_invalid` naming the member, when it is not as GitHub documents it.
 */
export function parsePayload<T extends z.ZodType>(schema: T, payload: z.input<T>): z.infer<T> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const place = first ? first.path.join(".") || "payload" : "payload";
  throw new ForgeError("payload_invalid", `The payload has no usable \`${place}\`: ${first?.message ?? "unknown"}.`, {
    source: "validation",
    severity: "low",
    recoverability: "none",
  });
}

export function repositoryRef(event: z.infer<typeof RepositoryEvent>): RepositoryRef {
  const { id, name, owner } = event.repository;
  return { id, name, owner: owner.login, installationId: event.installation.id };
}

export function actor(sender: z.infer<typeof Sender>): Actor {
  return { login: sender.login, id: sender.id, kind: sender.type === "Bot" ? "bot" : "user" };
}

/** GitHub shows a deleted account as this user. */
const GHOST: Actor = { login: "ghost", id: 10_137, kind: "user" };

/** Who wrote something that may have outlived its author's account. */
export function authorOf(user: z.infer<typeof Sender> | null | undefined): Actor {
  return user ? actor(user) : GHOST;
}

export function isGhost({ id }: Actor): boolean {
  return id === GHOST.id;
}

export function ends({ head, base }: z.infer<typeof PullRequest>): PullRequestEnds {
  return {
    headSha: head.sha,
    headRef: head.ref,
    headRepositoryId: head.repo?.id ?? null,
    baseSha: base.sha,
    baseRef: base.ref,
  };
}
