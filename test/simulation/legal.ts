import { type Implementation, openGates } from "../../src/pipeline/implement/implementation.ts";
import { nextWork } from "../../src/pipeline/implement/work/run-work.ts";
import { mayAsk, PIPELINES, type PipelineDefinition } from "../../src/pipeline/runs/definition.ts";

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** What is wrong with the state of a run on an issue, by itself: one sentence for each law that it breaks. */
export function illegal(run: Implementation, pipeline: PipelineDefinition = PIPELINES.implement): string[] {
  return [...ofStatus(run), ...ofGates(run, pipeline), ...ofPhase(run), ...ofCounts(run)];
}

type Law = readonly [boolean, string];

function broken(laws: readonly Law[]): string[] {
  return laws.flatMap(([holds, law]) => (holds ? [] : [law]));
}

function ofStatus(run: Implementation): string[] {
  const { status, end, endedAt, phase, stopped, pull } = run;
  const isOver = ENDED.has(status);
  return broken([
    [isOver === (end !== undefined) && isOver === (endedAt !== undefined), `${status} with the end ${end?.is}`],
    [status !== "pending" || phase === undefined, `pending in ${phase}`],
    [status !== "running" || phase !== undefined, "running in no phase"],
    [status !== "waiting" || stopped !== undefined || pull?.ready === true, "waits for nobody"],
    [isOver || stopped === undefined || status === "waiting", `stopped and ${status}`],
    [!isOver || nextWork(run).is === "nothing", `ended, and ${nextWork(run).is} comes next`],
  ]);
}

function ofGates(run: Implementation, pipeline: PipelineDefinition): string[] {
  const open = openGates(run);
  const ids = run.gates.map(({ gate }) => gate);
  const unknown = open.find(({ question }) => !mayAsk(pipeline, run.phase, question.type));
  return broken([
    [open.length <= 1, `${open.length} gates are open`],
    [
      open.length === 0 || (run.end === undefined && run.stopped === undefined),
      "a gate is open of a run that ended or stopped",
    ],
    [new Set(ids).size === ids.length, "two gates have one id"],
    [unknown === undefined, `${unknown?.question.type} is no gate of ${run.phase}`],
  ]);
}

function ofPhase(run: Implementation): string[] {
  const { phase, plan, pull, work, pushed, toJoin, reviewed, tests, status, stopped, end, branch } = run;
  const isLive = stopped === undefined && end === undefined;
  const isLate = phase === "review" || phase === "testing";
  const isReady = isLive && status === "waiting" && pull?.ready === true;
  return broken([
    [phase !== "implementation" || plan?.accepted === true, "implements a plan that nobody accepted"],
    [
      !isLate || (pull !== undefined && work !== undefined && plan !== undefined),
      `in ${phase} without pull request or work`,
    ],
    [!isLate || !isLive || toJoin === undefined, `in ${phase} with commits to join`],
    [!isLate || !isLive || pushed === work?.headSha, `in ${phase} of a head that is not pushed`],
    [phase !== "testing" || !isLive || reviewed?.headSha === work?.headSha, "testing a head that was not reviewed"],
    [!isReady || (phase === "testing" && tests?.headSha === work?.headSha), "ready, and its head was not tested"],
    [pull === undefined || branch !== undefined, "a pull request without a branch"],
  ]);
}

function ofCounts({ bounces, costUsd, took, tasksDone, plan }: Implementation): string[] {
  const spent = Object.values(took).reduce((sum, one) => sum + one.costUsd, 0);
  const ids = new Set(plan?.plan.tasks.map(({ id }) => id));
  const { review = 0, tests = 0, coverage = 0, ci = 0, conflict = 0, person = 0 } = bounces;
  return broken([
    [
      review <= 3 && tests <= 2 && coverage <= 1 && ci <= 2 && conflict <= 2 && person <= 10,
      `bounced ${JSON.stringify(bounces)}`,
    ],
    [spent <= costUsd + 1e-9, `its phases cost ${spent}, all of it ${costUsd}`],
    [tasksDone.every(({ taskId }) => ids.has(taskId)), "a task is done that is not in the plan"],
    [new Set(tasksDone.map(({ taskId }) => taskId)).size === tasksDone.length, "a task was done twice"],
  ]);
}
