import { USUAL_SHARES } from "../../agents/library.ts";
import type { RunAgent } from "../../agents/reviewer/ports.ts";
import type { ReadGraph } from "../../analysis/map/read-graph.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import { type Actor, atLeast, type Subject } from "../../domain/subjects.ts";
import { chosenModels } from "../../llm/create-models.ts";
import type { Redact } from "../../safety/redact.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import type { Tool } from "../../tools/tool.ts";
import { testerTools } from "../../tools/toolsets.ts";
import type { Clone } from "../../workspace/clone.ts";
import type { ProcessAi } from "../ai/ai-dependencies.ts";
import { openAgentsWithoutRun } from "../review/ai/agents-without-run.ts";
import type { ConfigurationDependencies } from "../runs/configuration/load-configuration.ts";
import type { InputDependencies } from "../runs/handle-input.ts";
import type { PullRequestHost } from "../runs/ports.ts";
import { readFacts } from "../runs/subject.ts";
import type { HeadTests } from "../runs/subject-facts.ts";

export interface TesterDependencies extends InputDependencies {
  readonly host: Pick<PullRequestHost, "readPullRequest" | "remote" | "readRole"> & ConfigurationDependencies["host"];
  readonly ai: ProcessAi;
  readonly scratchRoot: string;
  readonly redact: Redact;
}

export interface TesterRequest {
  readonly subject: Subject;
  readonly tests: HeadTests;
  readonly author: Actor;
  readonly configuration: RepoConfig;
  /** Undefined where nothing can be run. */
  readonly clone: Clone | undefined;
  readonly readGraph: ReadGraph;
  /** Changed files. */
  readonly paths: readonly string[];
  readonly fence: Fence;
  readonly signal: AbortSignal;
}

/** Who looks for the causes of failures, and what that cost so far: USD, over all attempts. */
export interface Tester {
  readonly run: RunAgent;
  readonly tools: readonly Tool[];
  readonly spentUsd: () => Promise<number>;
}

/**
 * A model that looks for the causes of failures on a head that people pushed, where one may read the change (GH-8c). Nobody waits for it:
 * where its provider wants to be asked later, or a call of it needs a person, the failures stay as they were seen.
 */
export async function openTester(
  dependencies: TesterDependencies,
  request: TesterRequest,
): Promise<Tester | undefined> {
  const { redact, ai } = dependencies;
  const { subject, tests, configuration, clone, readGraph, paths, fence, signal } = request;
  if (!clone || !(await mayRead(dependencies, request))) return undefined;
  const models = await ai.modelsFor(chosenModels(configuration));
  if (!models.configured) return undefined;
  const { run, spentUsd } = await openAgentsWithoutRun(dependencies, {
    ...{ subject, runId: tests.traceId, phase: "testing", configuration, models, redact, fence, signal },
    waits: false,
    profile: { work: () => "testing", asks: false, called: "the tester", shares: USUAL_SHARES, memoryShare: 1 },
  });
  return {
    run,
    tools: testerTools({ clone, redact, readGraph, changedPaths: paths }),
    spentUsd,
  };
}

/** As for the AI layer of a review: not where the repository wants no model, nor on what an outsider sent before somebody here said so. */
async function mayRead({ store, host }: TesterDependencies, request: TesterRequest): Promise<boolean> {
  const { subject, tests, author, configuration, signal } = request;
  if (configuration.review.ai === "never") return false;
  if (tests.asked || (await readFacts(store, subject)).trusted === true) return true;
  return author.kind === "user" && atLeast(await host.readRole(subject.repository, author.login, signal), "write");
}
