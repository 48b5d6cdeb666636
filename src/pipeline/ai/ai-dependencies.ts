import type { Clock, LoopEvent } from "../../agents/library.ts";
import { defined } from "../../domain/defined.ts";
import type { MakeId } from "../../domain/ids.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { ModelNames, Models } from "../../llm/create-models.ts";
import type { PriceOf } from "../../llm/price.ts";
import type { Memory } from "../../memory/open-memory.ts";
import type { Redact } from "../../safety/redact.ts";
import type { TokenSense } from "./calibrate-models.ts";
import type { OperatorLimits } from "./open-budget.ts";
import type { SpendKeeper } from "./spend-keeper.ts";

/** Dependencies of all agents. */
export interface AiDependencies {
  readonly models: Extract<Models, { configured: true }>;
  readonly priceOf: PriceOf;
  readonly spend: SpendKeeper;
  readonly tokens: TokenSense;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly random: () => number;
  readonly redact: Redact;
  /** Price of an hour of this machine in USD, if configured. */
  readonly machineUsdPerHour?: number | undefined;
}

/** The same before it is known whose models are asked and on whose account: what this process has for the agents of every run. */
export interface ProcessAi extends Omit<AiDependencies, "models" | "spend">, OperatorLimits {
  /** The models, with those that a repository chose; a value that says so where none is set up. */
  readonly modelsFor: (names: ModelNames) => Promise<Models>;
  readonly memory: Memory;
  /** Told at once what agents do; the events about it are stored at the end of each step. */
  readonly heard?: (event: LoopEvent) => void;
}

/** Which calls need a person. */
export function policyOf({ safety }: RepoConfig, { machineUsdPerHour }: Pick<AiDependencies, "machineUsdPerHour">) {
  const { approve, approve_over_usd: approveOverUsd } = safety;
  return { ask: approve, ...defined({ approveOverUsd, machineUsdPerHour }) };
}
