import type { Command, RunLimit } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse, requestOf } from "../../commands/deed.ts";
import { extensionsOf } from "../../subject-facts.ts";
import { askPerson } from "../ask-person.ts";
import { type Implementation, isAtWork, openGates, ownsIssue } from "../implementation.ts";
import { enter, type Step, stepOf } from "../step.ts";
import type { IssueView } from "../view.ts";
import { push } from "../worked.ts";
import { answer } from "./give-verdict.ts";

/** `/forge stop`: the run ends after its step in flight and keeps what it has. */
export function giveStop({ active: run }: IssueView, { at, by }: IssueCommandGiven): Outcome {
  if (!ownsIssue(run)) return refuse({ reason: "nothing_at_work" });
  if (run.stopped) return {};
  const stopped: NewEvent = { type: "run.stopped", payload: {}, actor: by };
  // Work that has begun is not cut off: a call of a model that is in flight is paid.
  return { decision: stepOf(run, { events: [stopped], cancelJobs: run.status === "pending" }, at) };
}

/** `/forge resume`: the run goes on where it stands, with new instructions for whoever works next. */
export function giveResume(
  view: IssueView,
  input: IssueCommandGiven,
  command: Extract<Command, { name: "resume" }>,
): Outcome {
  const { active: run } = view;
  if (!ownsIssue(run)) return refuse({ reason: "nothing_to_resume" });
  const { stopped } = run;
  if (!stopped) return command.instructions ? refuse({ reason: "at_work" }) : {};
  const { limit } = stopped;
  if (limit && extensionsOf(view.facts, run.runId)[limit] === 0) return refuse({ reason: "nothing_to_resume", limit });
  return { decision: stepOf(run, goOn(view, run, input, command.instructions), input.at) };
}

/** A stopped run goes on: what was not pushed is, a gate that nobody answered in time is asked again, and work that was cut off is taken up. */
export function goOn(view: IssueView, run: Implementation, input: IssueCommandGiven, instructions?: string): Step {
  const { by, at } = input;
  const request = { ...run.request, id: requestOf(input), reason: "commanded" as const };
  const said = instructions === undefined ? {} : { instructions };
  const resumed: NewEvent = {
    type: "run.resumed",
    payload: { attempt: 1, reason: `${by.login} had it go on`, request, ...said },
    actor: by,
  };
  const late = run.gates.at(-1);
  if (late?.standing.is === "timed_out") {
    const asked = askPerson(view, { ...run, stopped: undefined }, late.question, at, late.needs);
    return { ...asked, events: [resumed, ...asked.events] };
  }
  // A push that GitHub refused is tried again under a new key: its outcome was told once.
  const lost = run.phase !== "implementation" && run.work !== undefined && run.pushed !== run.work.headSha;
  return { events: [resumed], work: true, ...(lost ? { effects: [pushAgain(run, request.id)] } : {}) };
}

function pushAgain(run: Implementation, request: string) {
  const effect = push(run);
  return { ...effect, key: `${effect.key}/${request}` };
}

/** `/forge retry`: a phase once more, by default the present one; also of a run that failed. */
export function giveRetry(
  view: IssueView,
  input: IssueCommandGiven,
  { phase }: Extract<Command, { name: "retry" }>,
): Outcome {
  const run = view.active ?? view.latest;
  const failed = run?.end?.is === "failed";
  if (!run || (!ownsIssue(run) && !failed)) return refuse({ reason: "nothing_to_retry" });
  if (isAtWork(run)) return refuse({ reason: "at_work" });
  const wanted = phase ?? run.phase;
  const late = run.gates.at(-1)?.standing.is === "timed_out";
  if (wanted === undefined || (late && phase === undefined)) {
    return { decision: stepOf(run, goOn(view, run, input), input.at) };
  }
  const isPossible =
    wanted === "planning" || (wanted === "implementation" && run.plan) || (run.pull && run.work && run.plan);
  if (!isPossible) return refuse({ reason: "nothing_to_retry" });
  const { by, at } = input;
  const request = { ...run.request, id: requestOf(input), reason: "commanded" as const };
  const voided = openGates(run).map(({ gate }): NewEvent => ({ type: "gate.voided", payload: { gate } }));
  const resumed: NewEvent = {
    type: "run.resumed",
    payload: { attempt: 1, reason: `${by.login} wanted ${wanted} again`, request },
    actor: by,
  };
  const events = [...voided, resumed, enter(run, wanted, `${by.login} wanted it again`)];
  return { decision: stepOf(run, { events, work: true, cancelJobs: true }, at) };
}

/** What is configured for the phase that the run is in. */
function configuredLimit({ configuration, phase = "planning" }: Implementation, limit: RunLimit): number {
  const safety = configuration?.safety;
  const of = phase === "planning" || phase === "testing" ? phase : "implementation";
  return { usd: safety?.cost[of], iterations: safety?.iterations[of], minutes: safety?.time[of] }[limit] ?? 0;
}

/** With all that was added a limit may become so many times what is configured. */
const CEILING = 5;

/** `/forge extend`: raises a limit of the run; one that stopped at it, or asks about its money, goes on at once. */
export function giveExtend(
  view: IssueView,
  input: IssueCommandGiven,
  command: Extract<Command, { name: "extend" }>,
): Outcome {
  const { limit, amount } = command;
  const run = view.active;
  if (!ownsIssue(run)) return refuse({ reason: "nothing_to_extend" });
  const configured = configuredLimit(run, limit);
  const before = extensionsOf(view.facts, run.runId)[limit];
  const most = Math.max(0, (CEILING - 1) * configured - before);
  if (amount > most) return refuse({ reason: "above_ceiling", limit, most });
  const payload = { runId: run.runId, limit, amount };
  const events: NewEvent[] = [{ type: "limit.extended", payload, actor: input.by }];
  const told = (to: "resumed" | "at_work" | "stopped") =>
    ({ kind: "extended", limit, total: configured + before + amount, run: to }) as const;
  const gate = limit === "usd" ? openGates(run).find(({ question }) => question.type === "cost_overrun") : undefined;
  if (gate) return { events, decision: answer(view, run, gate, input, { name: "approve" }), answer: told("resumed") };
  if (run.stopped?.limit === limit) {
    return { events, decision: stepOf(run, goOn(view, run, input), input.at), answer: told("resumed") };
  }
  return { events, answer: told(run.stopped ? "stopped" : "at_work") };
}
