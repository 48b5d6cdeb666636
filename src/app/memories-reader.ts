import type { DashboardDependencies } from "../dashboard/dashboard-dependencies.ts";
import type { AppClient } from "../github/app-client.ts";
import { createIssueHost } from "../github/issue-host.ts";
import { createPullRequestHost } from "../github/pull-request-host.ts";
import { estimateTextTokens } from "../llm/estimate-tokens.ts";
import { openMemory } from "../memory/open-memory.ts";
import { readMemories } from "../pipeline/commands/tell.ts";
import type { Redact } from "../safety/redact.ts";
import type { Store } from "../store/store.ts";
import { createCitedFiles } from "./cited-files.ts";
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
  const { readFile } = createPullRequestHost(client, config.github);
  const { readBranchHead } = createIssueHost(client, { ...config.github, redact });
  const files = createCitedFiles({ readFile, readBranchHead });
  return async (repository, signal) => {
    const host = await files.atHead(repository, signal);
    return readMemories({ memory, host, now }, repository, undefined, signal);
  };
}
