import type { RepositoryRef } from "../domain/subjects.ts";
import type { MemoriesFacts } from "../domain/told-facts.ts";
import type { DeliveriesHost } from "../github/deliveries-host.ts";
import type { PersonHost } from "../github/person-host.ts";
import type { ReadInstalled } from "../github/project-host.ts";
import type { RateLimit } from "../github/rate-limits.ts";
import type { Store } from "../store/store.ts";
import type { SandboxState } from "./words.ts";

export interface DashboardSettings {
  /** Where people reach this Forge: an origin, https, or http on this machine. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** People who see every repository, as GitHub numbers them. */
  readonly operators: readonly number[];
}

/** What the process knows of itself. */
export interface ProcessFacts {
  /** USD that models may cost in a day. */
  readonly dayLimitUsd: number;
  readonly hasModel: boolean;
  /** Names of the models that the operator set; a provider's own are not named. */
  readonly models: readonly string[];
  readonly version: string;
  /** Whether packages are looked up at an advisory service. */
  readonly asksAdvisories: boolean;
  readonly sandbox: () => SandboxState;
  /** As this process heard them last. */
  readonly rateLimits: () => readonly RateLimit[];
}

export interface DashboardDependencies {
  readonly store: Store;
  readonly host: PersonHost;
  readonly settings: DashboardSettings;
  readonly deliveries: DeliveriesHost;
  /** Of GitHub's pages. */
  readonly origin: string;
  readonly process: ProcessFacts;
  /** What a repository is, read from GitHub. */
  readonly readInstalled: ReadInstalled;
  /** What is known in a repository; the files that it rests on are read from GitHub. */
  readonly readMemories: (repository: RepositoryRef, signal: AbortSignal) => Promise<MemoriesFacts>;
  readonly now: () => Date;
  readonly log: { error(fields: object, message: string): void };
}
