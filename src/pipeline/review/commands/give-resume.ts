import type { Command, RunLimit } from "../../../domain/commands.ts";
import { effectKey } from "../../../domain/effects.ts";
import type { RunRequest } from "../../../domain/event-catalogue.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { type Outcome, refuse, requestOf } from "../../runs/commands/deed.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { extensionsOf } from "../../runs/subject-facts.ts";
import { type CompletedRun, isActive, type WaitingRun } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

type Resume = Extract<Command, { name: "resume" }>;

/** `/forge resume`: a review that was stopped, or that ended at a limit which was raised since, goes on with what it has. */
export function giveResume(view: SubjectView, input: CommandGiven, { instructions }: Resume): Outcome {
  const { active, latest } = view;
  if (!input.pull.open) return refuse({ reason: "closed" });
  if (isActive(active)) return instructions ? refuse({ reason: "at_work" }) : {};
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause) return refuse({ reason: "paused", by: pause.by, scope: pause.scope });
  if (active?.status === "waiting") return { decision: goOn(active, input, instructions) };
  const limits = latest ? limitsMet(view, input) : [];
  if (latest?.status !== "completed" || limits.length === 0) return refuse({ reason: "nothing_to_resume" });
  const extensions = extensionsOf(view.facts, latest.runId);
  return limits.some((limit) => extensions[limit] > 0)
    ? { decision: goOn(latest, input, instructions) }
    : refuse({ reason: "nothing_to_resume", limit: limits[0] });
}

/** The limits at which the finished review of the newest head left something unread. */
export function limitsMet({ latest }: SubjectView, { pull }: CommandGiven): readonly RunLimit[] {
  if (latest?.status !== "completed" || latest.ends.headSha !== pull.ends.headSha) return [];
  const ai = latest.review?.coverage.layers.find(({ layer }) => layer === "ai");
  return ai?.state === "partly" || ai?.state === "failed" ? (latest.endedAtLimits ?? []) : [];
}

/**
 * The same run once more, so that its agents go on from their checkpoints and nothing is paid twice. The request is a new one: it has a check
 * of its own.
 */
export function goOn(run: WaitingRun | CompletedRun, input: CommandGiven, instructions?: string): Decision {
  const { runId, subject, ends, version } = run;
  const { at, by } = input;
  const { headSha } = ends;
  const of = subjectKey(subject);
  const request: RunRequest = { ...run.request, id: requestOf(input), reason: "commanded", automatic: false };
  const said = instructions === undefined ? {} : { instructions };
  const payload = { attempt: 1, reason: `${by.login} had it go on`, request, ...said };
  return {
    ...NOTHING,
    appends: [
      {
        runId,
        expectedVersion: version,
        events: [{ type: "run.resumed", phase: "review", payload, actor: by }],
      },
    ],
    effects: [
      {
        runId,
        headSha,
        effects: [
          {
            kind: "check.open",
            key: effectKey("check.open", of, headSha, request.id),
            payload: { check: "forge/review", headSha },
          },
        ],
      },
    ],
    jobs: [{ kind: "review", key: of, payload: { runId, subject }, runId, runAt: at }, applyEffects(subject, at)],
  };
}
