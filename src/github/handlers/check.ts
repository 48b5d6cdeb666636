import type { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { PullSignal } from "../../domain/implementation.ts";
import type { HeadChanged, RequestMade } from "../../domain/inputs.ts";
import type { CheckName } from "../../domain/phases.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import type { HandlerDependencies, KnownHead } from "./handler-dependencies.ts";
import {
  actor,
  CheckButtonEvent,
  CheckCompletedEvent,
  CheckRunEvent,
  CheckSuiteEvent,
  type Payload,
  parsePayload,
  type RepositoryEvent,
  StatusEvent,
} from "./payloads.ts";

const TESTS: CheckName = "forge/tests";
const DEPLOY: CheckName = "forge/deploy";

/** `check_run.rerequested`: the person wants that check again (GH-5). */
export async function handleCheckRunRerequested(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"check_run.rerequested">,
) {
  const event = parsePayload(CheckRunEvent, payload);
  const { head_sha: headSha, name, app } = event.check_run;
  if (app?.id !== dependencies.appId) return { ignored: "the check belongs to another app" };
  if (name === DEPLOY) return deployAgain(dependencies, deliveryId, event);
  if (name !== TESTS) return reviewAgain(dependencies, deliveryId, event, headSha);
  const work = await dependencies.implementationOf(event.repository.id, { headSha });
  const press = { headSha, identifier: "test" };
  if (work && !work.over) return pressOnWork(dependencies, deliveryId, event, press);
  return pressOnPulls(dependencies, deliveryId, event, press);
}

/** Deploys the version once more: the same as `/forge deploy` on the issue or pull request that has the comment of its deployment. */
async function deployAgain(
  dependencies: HandlerDependencies,
  deliveryId: string,
  { repository, sender, check_run: { id: checkRunId, head_sha: headSha } }: z.infer<typeof CheckRunEvent>,
): Promise<{ readonly ignored?: string }> {
  const deploy = await dependencies.deploymentOf(repository.id, { headSha, checkRunId });
  if (!deploy?.about)
    return { ignored: `no issue or pull request has a comment on a deployment of ${headSha.slice(0, 7)}` };
  const identifier = `deploy-${deploy.environment}-${deploy.sha}`;
  return dependencies.submit(
    pressed(dependencies, { subject: deploy.about, deliveryId, by: actor(sender), identifier }),
  );
}

/** `check_run.requested_action`: a button of ours was pressed, which does what the matching command does (GH-5). */
export async function handleCheckButton(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"check_run.requested_action">,
) {
  const event = parsePayload(CheckButtonEvent, payload);
  const { head_sha: headSha, app } = event.check_run;
  if (app?.id !== dependencies.appId) return { ignored: "the check belongs to another app" };
  return pressOnPulls(dependencies, deliveryId, event, { headSha, identifier: event.requested_action.identifier });
}

/** A press on a check of the pull requests, or groups in a queue, that have this head. */
async function pressOnPulls(
  dependencies: HandlerDependencies,
  deliveryId: string,
  event: z.infer<typeof RepositoryEvent>,
  press: { readonly headSha: string; readonly identifier: string },
): Promise<{ readonly ignored?: string }> {
  const { headSha, identifier } = press;
  const heads = await dependencies.knownHeads(event.repository.id, headSha);
  if (heads.length === 0) return pressOnWork(dependencies, deliveryId, event, press);
  const by = actor(event.sender);
  let last: { readonly ignored?: string } = {};
  for (const head of heads) {
    const { subject } = head;
    // A merge group has no conversation: a press can only ask for another review.
    if (subject.kind === "merge_group") {
      last = await dependencies.submit(anotherLook(dependencies, deliveryId, event, head));
      continue;
    }
    last = await dependencies.submit(pressed(dependencies, { subject, deliveryId, by, identifier }));
  }
  return last;
}

/** `check_suite.rerequested`: all checks of Forge on that head again; the work on an issue has its tests run after a review. */
export async function handleCheckSuiteRerequested(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"check_suite.rerequested">,
) {
  const event = parsePayload(CheckSuiteEvent, payload);
  if (event.check_suite.app?.id !== dependencies.appId) return { ignored: "the check suite belongs to another app" };
  return reviewAgain(dependencies, deliveryId, event, event.check_suite.head_sha);
}

async function reviewAgain(
  dependencies: HandlerDependencies,
  deliveryId: string,
  event: z.infer<typeof RepositoryEvent>,
  headSha: string,
) {
  const heads = await dependencies.knownHeads(event.repository.id, headSha);
  if (heads.length === 0) return { ignored: unknownHead(headSha) };
  let last: { readonly ignored?: string } = {};
  for (const head of heads) last = await dependencies.submit(anotherLook(dependencies, deliveryId, event, head));
  return last;
}

/** A press on a check of the work on an issue, on a head that no review was begun on yet or that is not about a review. */
async function pressOnWork(
  dependencies: HandlerDependencies,
  deliveryId: string,
  event: z.infer<typeof RepositoryEvent>,
  { headSha, identifier }: { readonly headSha: string; readonly identifier: string },
): Promise<{ readonly ignored?: string }> {
  const implementation = await dependencies.implementationOf(event.repository.id, { headSha });
  if (!implementation) return { ignored: unknownHead(headSha) };
  const by = actor(event.sender);
  return dependencies.submit(pressed(dependencies, { subject: implementation.subject, deliveryId, by, identifier }));
}

function unknownHead(headSha: string): string {
  return `no pull request with the head ${headSha.slice(0, 7)} is known`;
}

function anotherLook(
  dependencies: HandlerDependencies,
  deliveryId: string,
  event: z.infer<typeof RepositoryEvent>,
  { subject, ends }: KnownHead,
): HeadChanged {
  return {
    type: "head.changed",
    subject,
    at: dependencies.now(),
    newRunId: dependencies.makeId(),
    request: { id: deliveryId, reason: "rerequested", automatic: false },
    by: actor(event.sender),
    ends,
    title: "asked for again",
    debounceMs: 0,
  };
}

/** Conclusions of a check-run that ask for somebody to do something. */
export const FAILED_CHECK = ["failure", "timed_out", "action_required", "startup_failure"];
export const FAILED_STATUS = ["failure", "error"];
/** Of a check-run and of a status. */
const PASSED = "success";

/**
 * `check_run.completed` of another app on a head that Forge wrote: the project's own CI (GH-5). A check suite and a workflow run end with
 * their last check, so that they say nothing more.
 */
export async function handleCheckRunCompleted(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"check_run.completed">,
) {
  const event = parsePayload(CheckCompletedEvent, payload);
  const { id, name, head_sha: headSha, conclusion, html_url: url, app } = event.check_run;
  if (app?.id === dependencies.appId) return { ignored: "the check is Forge's own" };
  const tells = conclusion === PASSED || (conclusion && FAILED_CHECK.includes(conclusion));
  if (!conclusion || !tells) return { ignored: "the check neither failed nor passed" };
  const facts = { headSha, name, app: app?.slug ?? "", checkRunId: id, conclusion };
  return signal(dependencies, event, { from: "ci", ...facts, ...defined({ url: url || undefined }) });
}

/** `status`, of any service that sets commit statuses (GH-5). */
export async function handleStatus(dependencies: HandlerDependencies, _deliveryId: string, payload: Payload<"status">) {
  const event = parsePayload(StatusEvent, payload);
  const { sha: headSha, context: name, state: conclusion, target_url: url, sender } = event;
  if (conclusion !== PASSED && !FAILED_STATUS.includes(conclusion))
    return { ignored: "the status is neither a failure nor a success" };
  return signal(dependencies, event, {
    from: "ci",
    headSha,
    name,
    app: sender.login,
    conclusion,
    ...defined({ url: url || undefined }),
  });
}

async function signal(
  dependencies: HandlerDependencies,
  event: z.infer<typeof RepositoryEvent>,
  said: Extract<PullSignal, { from: "ci" }>,
): Promise<{ readonly ignored?: string }> {
  const { headSha } = said;
  const implementation = await dependencies.implementationOf(event.repository.id, { headSha });
  if (!implementation) return { ignored: `Forge did not write ${headSha.slice(0, 7)}` };
  const common = { subject: implementation.subject, at: dependencies.now(), newRunId: dependencies.makeId() };
  return dependencies.submit({ ...common, type: "pull.signalled", signal: said });
}

interface Press {
  readonly subject: Subject;
  readonly deliveryId: string;
  readonly by: Actor;
  /** What the button stands for: `test`, `approve-G-1`. */
  readonly identifier: string;
}

/** A press on a button, or what counts as one: it does what the matching command does (GH-5). */
export function pressed(
  { now, makeId }: Pick<HandlerDependencies, "now" | "makeId">,
  { subject, deliveryId, by, identifier }: Press,
): RequestMade {
  return {
    type: "request.made",
    subject,
    at: now(),
    newRunId: makeId(),
    source: { kind: "button", id: deliveryId },
    by,
    deliveryId,
    plain: false,
    press: { identifier, by },
  };
}
