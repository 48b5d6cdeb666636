import { createHash } from "node:crypto";
import type { Impulse, LoopState, MoneyMark } from "../../agents/library.ts";
import { canonicalJson } from "../../domain/canonical-json.ts";
import { defined } from "../../domain/defined.ts";
import type { Gate, GateQuestion } from "../../domain/gates.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RiskReport } from "../../domain/risk.ts";
import type { Role } from "../../domain/subjects.ts";
import type { BudgetLimit } from "../../safety/budget.ts";
import { type Redact, redactAside } from "../../safety/redact.ts";
import { redactBeginning } from "../../safety/redact-beginning.ts";
import { redactStringsInTurns } from "../../safety/redact-value.ts";
import { NOT_SEARCHED } from "../../safety/redacting-thread.ts";
import type { SpendKeeper } from "./spend-keeper.ts";

/** Who decides for the agents of a run where a person is needed, and the answers so far (SAFE-3, LOOP-15). Undefined where there is no person to ask. */
export interface Gatekeeper {
  /** Who may answer. */
  readonly needs: Role;
  /** The gates of the run, as they stood when the work was taken up. */
  readonly gates: readonly Gate[];
  /** The least limit in USD of which a person is asked when most of it is spent; absent where nobody is. */
  readonly asksFromUsd?: number;
}

/** Of a call's arguments: the approver should have read it, and more than this is not read. */
const SHOWN_CHARACTERS = 10_000;
const ASKED_CHARACTERS = 4_000;
/** In place of the hash of a call that has none: no call has this one. */
const NOT_KNOWN = "";

/** Less is not worth a person's attention: the budget ends the work. */
const ASKS_FROM_USD = { auto: 0.5, ask: 0, off: undefined } as const;
/** The share of a budget, 0 to 1, from which on a person is asked. */
const ASKS_FROM_SHARE = 0.8;

/** Whom the agents of a run can ask, and about which budgets. */
export function openGatekeeper(
  gates: readonly Gate[],
  { safety }: RepoConfig,
  risk: Pick<RiskReport, "level"> | undefined,
): Gatekeeper {
  return {
    gates,
    needs: risk?.level === "critical" ? "maintain" : "write",
    ...defined({ asksFromUsd: ASKS_FROM_USD[safety.gates.cost_overrun] }),
  };
}

/** Calls that were asked for and did not run, for the review's report. */
export function noteGates(gates: readonly Gate[]): string[] {
  return gates.flatMap(({ gate, question, standing }) => {
    if (question.type !== "tool_call") return [];
    const what = `A call of ${question.tool} did not run`;
    if (standing.is === "timed_out") return [`${what}: nobody answered ${gate} in time.`];
    return standing.is === "rejected" ? [`${what}: ${standing.by} rejected ${gate}.`] : [];
  });
}

/** The agent's question to a person; undefined for one that does not wait. */
export async function questionOf(
  { standing, agent, totalCalls: step }: LoopState,
  redact: Redact,
): Promise<GateQuestion | undefined> {
  if (standing.is !== "waiting") return undefined;
  const { wait } = standing;
  if (wait.for === "money") {
    const { budget, usedUsd, limitUsd } = wait;
    const next = agent.type === "verifier" ? "findings are checked again" : "the change is read on";
    return { type: "cost_overrun", ...defined({ budget }), usedUsd, limitUsd, next };
  }
  if (wait.for === "answer") {
    const options = wait.options.length === 0 ? "" : ` (${wait.options.join(" / ")})`;
    const phase = agent.type === "planner" ? "planning" : "implementation";
    return {
      type: "question",
      agentId: agent.id,
      question: redactBeginning(`${wait.question}${options}`, redact).slice(0, ASKED_CHARACTERS),
      phase,
    };
  }
  if (wait.for !== "approval") return undefined;
  const { callId, tool, reason } = wait;
  const shown = await redactAside(JSON.stringify(wait.input, null, 2) ?? "null", redact);
  const call = { step, callId, tool, input: shown.slice(0, SHOWN_CHARACTERS), inputCharacters: shown.length };
  const callHash = (await hashCall(tool, wait.input, redact)) ?? NOT_KNOWN;
  return { type: "tool_call", agentId: agent.id, ...call, callHash, reason };
}

/** People's answer to a waiting agent, as it takes it; undefined while there is none. */
export async function impulseOfGates(
  state: LoopState,
  gates: readonly Gate[],
  redact: Redact,
): Promise<Impulse | undefined> {
  const { standing, agent, totalCalls } = state;
  if (standing.is !== "waiting") return undefined;
  const { wait } = standing;
  if (wait.for === "money") return moneyAnswer(gates, wait.budget)?.is === "approved" ? { by: "reopening" } : undefined;
  if (wait.for === "answer") return answerOf(state, gates);
  if (wait.for !== "approval") return undefined;
  for (const { question, standing: answer } of gates.toReversed()) {
    if (question.type !== "tool_call" || question.agentId !== agent.id) continue;
    if (question.step !== totalCalls || question.callId !== wait.callId) continue;
    if (answer.is === "open" || answer.is === "voided") return undefined;
    const denied = (reason: string): Impulse => ({ by: "approval", verdict: { is: "denied", reason } });
    if (answer.is === "timed_out") return denied("nobody answered in time.");
    if (answer.is === "rejected") return denied(answer.note ?? "no reason was given.");
    // Only the very call that was shown runs.
    if (question.callHash !== (await hashCall(wait.tool, wait.input, redact)))
      return denied("it is not the call that was shown.");
    return { by: "approval", verdict: { is: "approved", ...defined({ note: answer.note || undefined }) } };
  }
  return undefined;
}

/** An agent asks one question at a time: the newest of its gates is about the one that it waits with. */
function answerOf({ agent }: LoopState, gates: readonly Gate[]): Impulse | undefined {
  const asked = gates.findLast(({ question }) => question.type === "question" && question.agentId === agent.id);
  if (asked?.standing.is === "approved") return { by: "answer", text: asked.standing.note ?? "yes" };
  if (asked?.standing.is !== "rejected") return undefined;
  const why = asked.standing.note === undefined ? "" : `: ${asked.standing.note}`;
  return { by: "answer", text: `Nobody answers that${why}. Decide by yourself, and say what you assumed.` };
}

/** The answer to the question about one budget of a run, which is put once. */
export function moneyAnswer(gates: readonly Gate[], budget: string | undefined): Gate["standing"] | undefined {
  const answered = gates.findLast(({ question, standing }) => {
    const isAsked = question.type === "cost_overrun" && question.budget === budget;
    return isAsked && standing.is !== "open" && standing.is !== "voided";
  });
  return answered?.standing;
}

/** The budget that is nearly spent when a person is to say whether the work goes on (SAFE-3); once said, it is not asked again. */
export async function heldMoney(
  spend: SpendKeeper,
  limits: readonly BudgetLimit[],
  { asksFromUsd, gates }: Pick<Gatekeeper, "asksFromUsd" | "gates">,
): Promise<MoneyMark | undefined> {
  if (asksFromUsd === undefined) return undefined;
  const used = await spend.used();
  for (const limit of limits) {
    const { limitUsd } = limit;
    const budget = nameOf(limit);
    const usedUsd = used(limit);
    const isNear = usedUsd >= ASKS_FROM_SHARE * limitUsd && usedUsd < limitUsd;
    if (isNear && limitUsd >= asksFromUsd && moneyAnswer(gates, budget)?.is !== "approved") {
      return { budget, usedUsd, limitUsd };
    }
  }
  return undefined;
}

/** How a budget is called where people are asked about it: one run has several phases, and one of everything else. */
function nameOf({ scope, key }: BudgetLimit): string {
  return scope === "phase" ? `phase:${key.split(":").at(-1)}` : scope;
}

/**
 * Stands for a tool with its arguments, whatever order their members have. Without secrets, as people were shown it, and as it is when the
 * agent comes back from the store, which keeps none. Nothing stands for a call that could not be searched for secrets: another one would
 * look the same.
 */
async function hashCall(tool: string, input: unknown, redact: Redact): Promise<string | undefined> {
  const shown = canonicalJson({ tool, input: await redactStringsInTurns(input, redact) });
  return shown.includes(NOT_SEARCHED) ? undefined : createHash("sha256").update(shown).digest("hex");
}
