import type { DashboardDependencies } from "../dashboard/dashboard-dependencies.ts";
import type { AppClient } from "../github/app-client.ts";
import { createPullRequestHost } from "../github/pull-request-host.ts";
import { estimateTextTokens } from "../llm/estimate-tokens.ts";
import { openMemory } from "../memory/open-memory.ts";
import { readMemories } from "../pipeline/commands/tell.ts";
import type { Redact } from "../safety/redact.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

interface Resources {
  readonly store: Store;
  readonly client: AppClient;
  readonly redact: Redact;
  readonly config: Pick<Config, "github">;
  readonly now: () => string;
}

/** Reads what is known in a repository for its page, as `/forge memory` does. */
export function createMemoriesReader(resources: Resources): DashboardDependencies["readMemories"] {
  const { store, client, redact, config, now } = resources;
  const memory = openMemory({ store, redact, estimateTokens: estimateTextTokens, now });
  const host = createPullRequestHost(client, config.github);
  return (repository, signal) => readMemories({ memory, host, now }, repository, undefined, signal);
}
