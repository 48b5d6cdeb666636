import type {
  AgentDependencies,
  AgentType,
  Budget,
  Check,
  Clock,
  ContextPiece,
  End,
  Learning,
  LoopEvent,
  LoopState,
  MoneyMark,
  PolicyRules,
  PromptLayer,
  Reflection,
} from "../../agents/library.ts";
import {
  createAgent,
  createPolicy,
  promptInjection,
  reportRun,
  secretsInOutput,
  USUAL_SHARES,
} from "../../agents/library.ts";
import type { AgentOutcome, RunAgent } from "../../agents/reviewer/ports.ts";
import { defined } from "../../domain/defined.ts";
import { RetryLater } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { chooseModel, type ModelChain, type Models, type Work } from "../../llm/create-models.ts";
import type { Model } from "../../llm/ports.ts";
import { ceilingOf, type PriceOf } from "../../llm/price.ts";
import { withRedactedRequests } from "../../llm/redacted-requests.ts";
import type { Redact } from "../../safety/redact.ts";
import { dollars } from "../../safety/trip-rules.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { AwaitsPerson } from "../runs/run-phase.ts";
import type { TokenSense } from "./calibrate-models.ts";
import { type Gatekeeper, impulseOfGates, moneyAnswer, questionOf } from "./gatekeeper.ts";
import type { StepKeeper } from "./step-keeper.ts";
import { type PeoplesWord, takeUp } from "./take-up.ts";
import type { ErrorWatch } from "./watch-errors.ts";

export interface RunAgentDependencies {
  readonly models: Extract<Models, { configured: true }>;
  readonly budget: Budget;
  readonly checks: readonly Check[];
  /** Of all agents of the run together. */
  readonly errors: ErrorWatch;
  readonly steps: StepKeeper;
  readonly tokens: TokenSense;
  readonly priceOf: PriceOf;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly random: () => number;
  readonly redact: Redact;
  /** Milliseconds of work that the phase has, for the warning near the limit. */
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
  /** Decisions of people while the run did not work. */
  readonly word: PeoplesWord;
  /** Of the repository: what agents are told of the project, how they go about their work, and how much they remember. */
  readonly configuration: Pick<RepoConfig, "project" | "loop" | "memory">;
  /** Calls that need a person's approval. */
  readonly policy: Omit<PolicyRules, "deny">;
  /** Whom to ask; without one, what needs a person is denied. */
  readonly gatekeeper?: Gatekeeper | undefined;
  /** Where the money stands when a person is to say whether the work goes on. */
  readonly hold?: () => Promise<MoneyMark | undefined>;
  /** Lessons of earlier runs, for the readers of a change; a verifier gets none. */
  readonly memory?: AgentMemory | undefined;
  /**
   * Takes the reflections that are under way when an agent ends, each with USD that it comes to cost; the taker waits for them before the job
   * ends. Without it each agent waits for its own.
   */
  readonly afterwards?: ((work: Promise<number>) => void) | undefined;
  readonly onEvent?: ((agent: string, event: LoopEvent) => void) | undefined;
  /** The sort of these agents; readers of a change when left out. */
  readonly profile?: AgentProfile;
}

/** Differences between agents that read a change and agents that plan and change. */
export interface AgentProfile {
  readonly work: (agent: AgentType) => Work;
  /** Whether its questions reach a person (PLAN-1); a reader has to decide by itself. */
  readonly asks: boolean;
  /** Its name in words: "the planner". */
  readonly called: string;
  /** Files to be written without asking, beside the policy of the repository. */
  readonly permit?: (policy: AgentDependencies["policy"]) => AgentDependencies["policy"];
  readonly shares: typeof USUAL_SHARES;
  /** Of the tokens that memories may take. */
  readonly memoryShare: number;
}

/** The memory of the repository as an agent of this run may use it (MEM-2). */
export interface AgentMemory {
  /** Text relevant to the task, inside so many tokens. */
  readonly bearingOn: (tokens: number) => Promise<readonly ContextPiece[]>;
  readonly learn: (learnings: readonly Learning[]) => Promise<void>;
}

/** A reviewer's context stays lean (REV-4a): memories get a tenth of what a planner's would. */
const READERS: AgentProfile = {
  work: (agent) => (agent === "verifier" ? "verification" : "review"),
  asks: false,
  called: "the AI layer",
  shares: { ...USUAL_SHARES, memories: 0.06 },
  memoryShare: 0.25,
};

/** From the beginning of an agent to the last moment at which it is taken up again for a provider that wanted to wait. */
const LONGEST_PARK_MS = 24 * 60 * 60_000;

/**
 * Runs agents of one run, one after the other or side by side; each goes on where its last checkpoint stands.
 * @throws {AwaitsPerson} from what it makes, when an agent needs a person who has not answered yet
 */
export function createRunAgent(given: RunAgentDependencies): RunAgent {
  const guarded = ([first, ...rest]: ModelChain): ModelChain => {
    const guard = (model: Model) => withRedactedRequests(model, given.redact);
    return [guard(first), ...rest.map(guard)];
  };
  const { strong, fast } = given.models;
  const dependencies = { ...given, models: { ...given.models, strong: guarded(strong), fast: guarded(fast) } };
  return async (agent, { key, task: given }) => {
    const { recorder, state } = await dependencies.steps.open(key);
    const { definition, task, impulse } = takeUp(agent, given, state, {
      ...dependencies.word,
      timeMs: dependencies.timeLimitMs,
    });
    const { profile = READERS } = dependencies;
    const work = profile.work(definition.type);
    const { project, loop: going, memory: remembering } = dependencies.configuration;
    const memory = definition.type === "verifier" || !remembering.enabled ? undefined : dependencies.memory;
    const memoryTokens = Math.floor(remembering.tokens * profile.memoryShare);
    const { makeId, clock, budget, checks, random, redact, timeLimitMs, tokens, onEvent, gatekeeper, errors } =
      dependencies;
    const models: AgentDependencies["models"] = () => {
      const [first, ...rest] = chooseModel(dependencies.models, work, budget.left());
      const heard = (model: Model) => errors.model(tokens.listen(model));
      return [heard(first), ...rest.map(heard)];
    };
    const loop = createAgent(
      {
        ...definition,
        layers: [...definition.layers, ...projectLayers(project)],
        tools: definition.tools.map(errors.tool),
      },
      {
        ...{ models, budget, recorder, clock, makeId, random, redact, timeLimitMs },
        checks: [...checks, errors.check],
        errorsAreMany: errors.areMany,
        policy: (profile.permit ?? asItIs)(createPolicy({ deny: [], ...dependencies.policy })),
        guardrails: [promptInjection, secretsInOutput(redact)],
        estimateTokens: (text) => tokens.estimate(models()[0].id, text),
        someoneToAsk: profile.asks && gatekeeper !== undefined,
        someoneToApprove: gatekeeper !== undefined,
        ...defined({ hold: dependencies.hold }),
        settings: {
          stagnation: going.stagnation,
          compressAt: going.compress_at,
          keepRecent: going.keep_recent,
          reflectionUsd: going.reflection.usd,
          reflectFromUsd: going.reflection.from_usd,
          attempts: going.retry.attempts,
          pauseMs: going.retry.pause_seconds * 1_000,
        },
        context: {
          task,
          shares: profile.shares,
          sources: memory ? { memories: (tokens) => memory.bearingOn(Math.min(tokens, memoryTokens)) } : {},
        },
        ...defined({
          reflection: memory && going.reflection.enabled ? reflectionWith(memory, dependencies) : undefined,
        }),
        ...(onEvent ? { onEvent: (event) => onEvent(key, event) } : {}),
        abort: dependencies.signal,
      },
      state,
    );
    const answered = state && gatekeeper && (await impulseOfGates(state, gatekeeper.gates, dependencies.redact));
    const ended = await loop.run(answered ?? impulse);
    dependencies.signal.throwIfAborted();
    return outcomeOf(ended, dependencies);
  };
}

function asItIs(policy: AgentDependencies["policy"]): AgentDependencies["policy"] {
  return policy;
}

/** The repository's own instructions, for every agent: after the role, which is the same everywhere. */
function projectLayers({ name, language }: RepoConfig["project"]): readonly PromptLayer[] {
  const text = [
    ...(name === undefined ? [] : [`The project is called ${oneLine(name)}.`]),
    ...(language === undefined ? [] : [`It is written in ${oneLine(language)}.`]),
  ].join(" ");
  if (text === "") return [];
  return [{ name: "project", priority: 100, text, tags: [], owner: "repository", stable: true }];
}

function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ");
}

function reflectionWith(
  { learn }: AgentMemory,
  { models, priceOf, afterwards, steps }: RunAgentDependencies,
): Reflection {
  const [model] = models.fast;
  const price = priceOf(model.provider, model.id);
  return {
    model,
    remember: learn,
    estimateUsd: (inputTokens, outputTokens) => ceilingOf({ inputTokens, outputTokens }, price),
    ...(afterwards
      ? {
          later: (work) =>
            afterwards(
              work.then(async (events) => {
                await steps.note(events);
                return events.reduce((sum, event) => sum + usdOf(event), 0);
              }),
            ),
        }
      : {}),
  };
}

function usdOf({ type, payload, cost }: NewEvent): number {
  return (type === "agent.reflected" ? payload.costUsd : 0) + (cost?.usd ?? 0);
}

/**
 * @throws RetryLater `model_later` when the provider named a time that is too far off to wait for
 * @throws {AwaitsPerson}
 */
async function outcomeOf<Output>(
  state: LoopState,
  dependencies: Pick<RunAgentDependencies, "clock" | "redact" | "gatekeeper" | "steps" | "profile">,
): Promise<AgentOutcome<Output>> {
  const { clock, redact, gatekeeper, steps, profile = READERS } = dependencies;
  const now = clock.now();
  const report = reportRun(state, now);
  const { standing } = state;
  if (standing.is === "ended") {
    const { reason, output } = standing.end;
    if (reason === "completed") return { ok: true, output: output as Output, report };
    return { ok: false, reason: describeStop(standing.end, profile), report };
  }
  if (standing.is === "waiting" && standing.wait.for === "provider") {
    const { until, message } = standing.wait;
    // A check that stands open for days is of no use to anybody.
    if (!steps.outlives || until - state.startedAt > LONGEST_PARK_MS)
      return { ok: false, reason: tooLong(until - now, message), report };
    throw new RetryLater("model_later", `The model's provider wants to be asked later: ${message}`, {
      source: "llm",
      afterMs: Math.max(0, until - now),
    });
  }
  const question = await questionOf(state, redact);
  if (!gatekeeper || !question) return { ok: false, reason: "it stopped in the middle", report };
  if (question.type !== "cost_overrun" || !moneyAnswer(gatekeeper.gates, question.budget)) {
    throw new AwaitsPerson(question, gatekeeper.needs);
  }
  const spent = `${dollars(question.usedUsd)} of ${dollars(question.limitUsd)}`;
  return { ok: false, reason: `${profile.called} ended at ${spent}: nobody let it go on`, report };
}

function tooLong(waitMs: number, message: string): string {
  const minutes = Math.ceil(waitMs / 60_000);
  const wait = minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
  return `the model's provider asks to wait ${wait}: ${message}`;
}

/** Why an agent did not get to its end, in words that people read as the reason of a check. */
function describeStop({ reason, message, limit }: End, { called }: AgentProfile): string {
  switch (reason) {
    case "budget":
      return limit ? `${called} reached the budget of ${dollars(limit.limit)}` : `${called}: ${message}`;
    case "iteration_limit":
      return limit ? `${called} reached its limit of ${limit.limit} model calls` : `${called}: ${message}`;
    case "model_failed":
      return `the model did not answer: ${message}`;
    case "completed":
    case "stopped":
    case "refused":
    case "breaker":
    case "guardrail":
    case "context_exceeded":
    case "stagnated":
    case "no_usable_reply":
      return `${called} ended early: ${message}`;
  }
}
