import type { z } from "zod";
import type { HeadChanged } from "../../domain/inputs.ts";
import type { CheckName } from "../../domain/phases.ts";
import type { HandlerDependencies, KnownHead } from "./handler-dependencies.ts";
import {
  actor,
  CheckButtonEvent,
  CheckRunEvent,
  CheckSuiteEvent,
  type Payload,
  parsePayload,
  type RepositoryEvent,
} from "./payloads.ts";
import { pressed } from "./pressed.ts";

const TESTS: CheckName = "forge/tests";

/** `check_run.rerequested`: the person wants that check again (GH-5). */
export async function handleCheckRunRerequested(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"check_run.rerequested">,
) {
  const event = parsePayload(CheckRunEvent, payload);
  const { head_sha: headSha, name, app } = event.check_run;
  if (app?.id !== dependencies.appId) return { ignored: "the check belongs to another app" };
  if (name !== TESTS) return reviewAgain(dependencies, deliveryId, event, headSha);
  return pressOnWork(dependencies, deliveryId, event, { headSha, identifier: "test" });
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
  const heads = await dependencies.knownHeads(event.repository.id, headSha);
  const { identifier } = event.requested_action;
  if (heads.length === 0) return pressOnWork(dependencies, deliveryId, event, { headSha, identifier });
  const by = actor(event.sender);
  let last: { readonly ignored?: string } = {};
  for (const head of heads) {
    const { subject } = head;
    // Nobody talks on a merge group: all that a press can want there is another look.
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
