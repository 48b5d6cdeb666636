import { type ErrorFacts, errorFacts, ForgeError, RetryLater } from "../../domain/errors.ts";
import type { GateQuestion } from "../../domain/gates.ts";
import type { Role } from "../../domain/subjects.ts";

/** A phase's work in a job, and how its run is told what kept it from its end; what a kind of run has no words for is left out. */
export interface PhaseOfJob {
  readonly signal: AbortSignal;
  readonly now: () => string;
  readonly run: () => Promise<void>;
  /** The provider of a model wants to be asked later: the run says so while it waits. `until` is ISO 8601. */
  readonly park?: (until: string, message: string) => Promise<unknown>;
  /** A person is needed. @returns `outdated` where the question is void, and the phase is run anew */
  readonly suspend?: (awaited: AwaitsPerson) => Promise<"suspended" | "outdated">;
  /** This try failed; the queue says whether there is another. */
  readonly fail?: (error: ErrorFacts) => Promise<unknown>;
}

/**
 * Runs a phase, and is the one place where it is caught: it ends, it is stopped by people, it waits for a person, or it throws what the queue
 * goes by.
 * @throws RetryLater when it is too early; whatever the phase failed with, once the run was told
 */
export async function runPhase(phase: PhaseOfJob): Promise<void> {
  try {
    await untilSettled(phase);
  } catch (error) {
    // A worker that lost the job must not write about it.
    if (phase.signal.aborted || hasCode(error, "lease_lost")) throw error;
    if (hasCode(error, "run_stopped")) return;
    if (!(error instanceof RetryLater)) await phase.fail?.(errorFacts(error));
    else if (error.code === "model_later") await phase.park?.(inMs(phase.now(), error.afterMs ?? 0), error.message);
    throw error;
  }
}

async function untilSettled({ run, suspend }: PhaseOfJob): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!suspend || !(error instanceof AwaitsPerson)) throw error;
      if ((await suspend(error)) === "suspended") return;
    }
  }
}

function inMs(now: string, milliseconds: number): string {
  return new Date(Date.parse(now) + milliseconds).toISOString();
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof ForgeError && error.code === code;
}

/** The work cannot go on without a person; what is done is recorded, and work goes on exactly there. */
export class AwaitsPerson extends Error {
  override readonly name = "AwaitsPerson";
  readonly question: GateQuestion;
  readonly needs: Role;

  constructor(question: GateQuestion, needs: Role) {
    super(`The run waits for a person: ${question.type}`);
    this.question = question;
    this.needs = needs;
  }
}
