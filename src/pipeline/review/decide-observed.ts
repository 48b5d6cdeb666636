import { defined } from "../../domain/defined.ts";
import { effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ReviewObserved } from "../../domain/inputs.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { cancelRun } from "./decide-head.ts";
import { skipRun } from "./end-events.ts";
import { goOnUnlessWaiting } from "./gates.ts";
import { isActive } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/**
 * The worker has read the pull request from the API, which is right where the event was only a hint: the run goes on, is left out by
 * configuration, or ends because the pull request moved on meanwhile.
 */
export function decidePullObserved(view: SubjectView, input: ReviewObserved): Decision {
  const run = view.addressed;
  if (!isActive(run)) return ignore("the run has ended");
  if (!input.open) return cancelRun(run, input.at, { reason: "closed", settle: true });
  if (input.ends.headSha !== run.ends.headSha) {
    return cancelRun(run, input.at, { reason: "superseded", byHead: input.ends.headSha, settle: true });
  }
  const pause = view.facts.pause ?? view.repository.pause;
  const paused = pause && `paused by ${pause.by}${pause.scope === "repository" ? " for the repository" : ""}`;
  // The work of a run of Forge's own waits for this very review: what leaves out other people's drafts does not count for it.
  const asked = !run.request.automatic || run.implements !== undefined;
  const skip = asked ? undefined : paused ? { reason: paused } : reasonToSkip(input);
  if (skip) {
    const { events, effects } = skipRun({
      subject: run.subject,
      headSha: run.ends.headSha,
      request: run.request,
      startedAt: run.startedAt,
      at: input.at,
      ...skip,
      paused: paused === undefined ? undefined : pause?.scope,
    });
    return {
      ...NOTHING,
      appends: [{ runId: run.runId, expectedVersion: run.version, events }],
      effects: [{ runId: run.runId, headSha: run.ends.headSha, effects }],
      jobs: [applyEffects(run.subject, input.at)],
    };
  }
  if (run.status === "running") return goOnUnlessWaiting(run, input);
  const of = subjectKey(run.subject);
  const { headSha } = run.ends;
  const entered: NewEvent = {
    type: "phase.entered",
    phase: "review",
    payload: {
      phase: "review",
      ends: input.ends,
      configuration: input.configuration,
      ...defined({ updatedAt: input.updatedAt }),
    },
  };
  return {
    ...NOTHING,
    appends: [{ runId: run.runId, expectedVersion: run.version, events: [entered] }],
    effects: [
      {
        runId: run.runId,
        headSha,
        effects: [
          {
            kind: "check.start",
            key: effectKey("check.start", of, headSha, run.request.id),
            payload: {
              check: "forge/review",
              headSha,
              openKey: effectKey("check.open", of, headSha, run.request.id),
            },
          },
        ],
      },
    ],
    jobs: [applyEffects(run.subject, input.at)],
  };
}

/** People put it on a pull request that Forge should leave alone. */
const QUIET_LABEL = "forge:skip";

/**
 * The reason for which the configuration leaves a head out (GH-2), in words for the check's title. Drafts and labels come and go, so
 * people may want a review all the same; whose changes and which branches are left out is settled.
 */
function reasonToSkip(input: ReviewObserved): { readonly reason: string; readonly askable?: boolean } | undefined {
  const { review }: RepoConfig = input.configuration;
  if (input.leftOut) return { reason: input.leftOut };
  if (!review.on_pr) return { reason: "reviews are switched off in the configuration", askable: true };
  if (input.draft && !review.drafts) return { reason: "draft", askable: true };
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (review.authors.exclude.some((login) => same(login, input.author.login))) {
    return { reason: `author ${input.author.login}` };
  }
  if (input.labels.some((name) => same(name, QUIET_LABEL))) {
    return { reason: `label ${QUIET_LABEL}`, askable: true };
  }
  const label = input.labels.find((name) => review.labels.exclude.some((left) => same(left, name)));
  if (label) return { reason: `label ${label}`, askable: true };
  const { baseRef } = input.ends;
  if (review.base_branches.length > 0 && !review.base_branches.includes(baseRef)) {
    return { reason: `base branch ${baseRef}` };
  }
  return undefined;
}
