import type { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { PullSignal } from "../../domain/implementation.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { CheckCompletedEvent, type Payload, parsePayload, type RepositoryEvent, StatusEvent } from "./payloads.ts";

/** Conclusions of a check-run that ask for somebody to do something. */
export const FAILED_CHECK = ["failure", "timed_out", "action_required", "startup_failure"];
export const FAILED_STATUS = ["failure", "error"];

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
  if (!conclusion || !FAILED_CHECK.includes(conclusion)) return { ignored: "the check did not fail" };
  const facts = { headSha, name, app: app?.slug ?? "", checkRunId: id, conclusion };
  return signal(dependencies, event, { from: "ci", ...facts, ...defined({ url: url || undefined }) });
}

/** `status` of whoever sets commit statuses (GH-5). */
export async function handleStatus(dependencies: HandlerDependencies, _deliveryId: string, payload: Payload<"status">) {
  const event = parsePayload(StatusEvent, payload);
  const { sha: headSha, context: name, state: conclusion, target_url: url, sender } = event;
  if (!FAILED_STATUS.includes(conclusion)) return { ignored: "the status is no failure" };
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
