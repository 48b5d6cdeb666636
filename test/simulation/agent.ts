import type { RunLimit } from "../../src/domain/command-arguments.ts";
import type { GateQuestion } from "../../src/domain/gates.ts";
import type { Role } from "../../src/domain/subjects.ts";
import type { Implementation } from "../../src/pipeline/implement/implementation.ts";
import { extensionsOf } from "../../src/pipeline/runs/subject-facts.ts";
import type { Held } from "./queue.ts";
import type { World } from "./world.ts";

/** The work waits for a person. */
export class Awaits extends Error {
  readonly question: GateQuestion;
  readonly needs: Role;
  constructor(question: GateQuestion, needs: Role) {
    super(question.type);
    this.question = question;
    this.needs = needs;
  }
}
export class Stopped extends Error {}
/** Whoever was asked wants to be asked later. */
export class Later extends Error {}
export class Failure extends Error {}

export interface Halt {
  readonly reason: string;
  readonly limit?: RunLimit;
}

/** How far an agent got, by its own record: its steps are not done, and not paid, a second time. */
export interface Checkpoint {
  done: number;
  readonly all: number;
  readonly paid: Map<number, number>;
  /** Calls that were in flight when their worker died. */
  lost: number;
  asks?: GateQuestion;
}

const STEP_USD = 0.3;

/** An agent at work, step by step: it comes to its end, asks, halts or fails; taken up again it goes on where it stood. */
export function* runAgent(
  world: World,
  held: Held,
  run: Implementation,
  key: string,
): Generator<void, Halt | undefined> {
  const { ledger, mind, random } = world;
  const id = `${run.runId}:${key}`;
  const fresh: Checkpoint = { done: 0, all: random.between(1, 3), paid: new Map(), lost: 0 };
  const point = world.checkpoints.get(id) ?? fresh;
  world.checkpoints.set(id, point);
  if (point.asks && !isAnswered(run, point.asks)) throw new Awaits(point.asks, "write");
  delete point.asks;
  while (point.done < point.all) {
    heedStop(world, run.runId);
    const added = extensionsOf(ledger.facts, run.runId);
    const limitUsd = run.configuration!.safety.cost.run + added.usd;
    const spent = world.spentUsd.get(run.runId) ?? 0;
    if (spent + STEP_USD > limitUsd) return { reason: "the money is spent", limit: "usd" };
    const step = point.done + 1;
    const times = (point.paid.get(step) ?? 0) + 1;
    point.paid.set(step, times);
    if (times > 1 + point.lost) world.broken(`step ${step} of ${key} was paid ${times} times, ${point.lost} were lost`);
    world.spentUsd.set(run.runId, spent + STEP_USD);
    point.lost += 1;
    // A worker that dies here has paid and has no answer.
    yield;
    ledger.guard(held.fence);
    point.lost -= 1;
    point.done = step;
    heedStop(world, run.runId);
    if (mind.bad(0.06)) {
      point.asks = question(world, key);
      throw new Awaits(point.asks, "write");
    }
    if (mind.bad(0.04)) return { reason: "it went in circles" };
    if (mind.bad(0.04)) return { reason: "a limit was met", limit: random.pick(["usd", "iterations", "minutes"]) };
    if (mind.bad(0.04)) throw new Later("the model is overloaded");
    if (mind.bad(0.04)) throw new Failure("the model cannot be understood");
  }
  return undefined;
}

function question({ random, ids }: World, agentId: string): GateQuestion {
  const asked = { type: "question", agentId, question: `What is it, ${ids()}?`, phase: "planning" } as const;
  const call = { callId: `call-${ids()}`, tool: "run_tests", input: "{}", inputCharacters: 2, reason: "it has to" };
  return random.pick<GateQuestion>([
    asked,
    { type: "tool_call", agentId, step: 1, callHash: "1".repeat(64), ...call },
    { type: "cost_overrun", usedUsd: 8.5, limitUsd: 10, next: "the change is written on" },
  ]);
}

/** What an agent waits with, as its gates answer it; whoever asked for a call goes on without it when nobody answers. */
function isAnswered({ gates }: Implementation, asks: GateQuestion): boolean {
  const own = gates.findLast(({ question }) => isSame(question, asks));
  if (!own) return false;
  const { is } = own.standing;
  return is === "approved" || is === "rejected" || (is === "timed_out" && asks.type === "tool_call");
}

function isSame(one: GateQuestion, other: GateQuestion): boolean {
  if (one.type === "question") return other.type === "question" && one.question === other.question;
  if (one.type === "tool_call") return other.type === "tool_call" && one.callId === other.callId;
  return one.type === other.type;
}

/** Between two steps a worker looks whether anybody stopped the run. */
function heedStop({ ledger }: World, runId: string): void {
  if (ledger.rows.get(runId)?.status === "waiting") throw new Stopped("somebody stopped the run");
}
