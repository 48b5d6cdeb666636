import type { HostEffect } from "../domain/effects.ts";
import { isCourtesy, type SendEffect } from "../pipeline/runs/effects/write-port.ts";
import { listEffectsOfRun, readEffect, type StoredEffect } from "../store/effects/read-effects.ts";
import type { Store } from "../store/store.ts";
import type { AppClient } from "./app-client.ts";
import { applyEffect } from "./effects/apply-effect.ts";
import type { PushBranch } from "./effects/effect-ports.ts";
import { createWriteBudget } from "./installation-limits.ts";
import { octokitRepository } from "./octokit-port.ts";
import {
  CHECK_PERMISSIONS,
  DEPLOYMENT_PERMISSIONS,
  DISPATCH_PERMISSIONS,
  ISSUE_PERMISSIONS,
  MERGE_PERMISSIONS,
  PULL_PERMISSIONS,
  READY_PERMISSIONS,
  RESOLVE_PERMISSIONS,
  REVIEW_PERMISSIONS,
  RULE_PERMISSIONS,
  type TaskPermissions,
} from "./permissions.ts";
import type { Wording } from "./words/wording.ts";

export interface GitHubSender {
  readonly store: Store;
  readonly client: AppClient;
  readonly now: () => string;
  readonly key: Buffer;
  readonly wording: Wording;
  /** Puts commits of a run's working tree on GitHub. */
  readonly pushBranch: PushBranch;
}

/** GitHub as the place where effects are written. */
export function createGitHubSender({ store, client, now, key, wording, pushBranch }: GitHubSender): SendEffect {
  return (effect, { signal, sending, unanswered }) => {
    const { repository } = effect.subject;
    // Where the App lacks one of the permissions, what needs the other is still written.
    const as = (permissions: TaskPermissions) =>
      octokitRepository(client.repository(repository, permissions), repository, { signal });
    const here = as(permissionsFor(effect));
    const { setThreadResolved } = as(RESOLVE_PERMISSIONS);
    const { checkPause } = client;
    return applyEffect(effect, {
      ...{ now, wording, signal, sending, unanswered },
      repository: here,
      writes: { ...here, setThreadResolved, pushBranch },
      results: async (of) => (await readEffect(store, of))?.result,
      earlier: async () =>
        (await listEffectsOfRun(store, effect.runId)).findLast(
          ({ kind, state }) => kind === effect.kind && state === "done",
        )?.result,
      markerSecret: key.toString("base64"),
      budget: createWriteBudget(store, repository.installationId, { courtesy: isCourtesy(effect), now, checkPause }),
    });
  };
}

/** The least that an effect needs (SEC-2): where the App lacks one of the permissions, what needs the others is still written. */
function permissionsFor(effect: StoredEffect<HostEffect>): TaskPermissions {
  switch (effect.kind) {
    case "check.open":
    case "check.start":
    case "check.complete":
    case "check.revise":
    case "check.wait":
    case "check.park":
    case "check.progress":
    case "deploy.check":
      return CHECK_PERMISSIONS;
    case "deployment.begin":
      return effect.payload.step.way === "workflow_dispatch" ? DISPATCH_PERMISSIONS : DEPLOYMENT_PERMISSIONS;
    case "deployment.say":
      return DEPLOYMENT_PERMISSIONS;
    // GitHub makes the commit and the branch.
    case "revert.open":
      return RESOLVE_PERMISSIONS;
    case "issue.open":
    case "issue.explain":
    case "feedback.show":
      return ISSUE_PERMISSIONS;
    case "rule.answer":
      return RULE_PERMISSIONS;
    case "pull.ready":
      return READY_PERMISSIONS;
    case "pull.merge":
      return MERGE_PERMISSIONS;
    case "pull.open":
    case "pull.describe":
      return PULL_PERMISSIONS;
    case "review.post":
    case "review.verdict":
    case "comment.react":
    case "comment.reply":
    case "gate.show":
    case "thread.resolve":
    case "thread.reopen":
    case "issue.status":
    case "plan.show":
    case "branch.push":
    case "merge.show":
    case "deploy.show":
      // What is not about an issue is written to a pull request.
      return effect.subject.kind === "issue" ? ISSUE_PERMISSIONS : REVIEW_PERMISSIONS;
    default:
      return effect satisfies never;
  }
}
