import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { type DeployerOutput, deployerAgent, deployerTask } from "../../../agents/deployer/deployer-agent.ts";
import { USUAL_SHARES } from "../../../agents/library.ts";
import { wordsTrace } from "../../../domain/command-source.ts";
import { defined } from "../../../domain/defined.ts";
import type { Explanation } from "../../../domain/explanations.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { chosenModels, type Models } from "../../../llm/create-models.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { removeFolder } from "../../../workspace/remove-folder.ts";
import { openAgentsWithoutRun } from "../../ai/agents-without-run.ts";
import { checkPlaces } from "../../ai/checked-places.ts";
import { costOf } from "../../ai/cost-of.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { submit } from "../../runs/handle-input.ts";
import { runPhase } from "../../runs/run-phase.ts";
import type { Observed } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";
import { describeDeployment, TO_EXPLAIN } from "./describe-deployment.ts";
import type { ExplainDependencies, ExplainJob } from "./explain-job.ts";
import { isToExplain } from "./moment.ts";
import { openVersion } from "./open-version.ts";

type Context = Pick<JobContext, "signal" | "fence">;
type Configured = Extract<Models, { configured: true }>;

/**
 * Has a model put a verdict into words while the deployment goes on (TOOLS-3). If there is no model, its money is used up, or it fails, people
 * read the verdict without an explanation. If a worker dies, the steps of the model are kept and are not paid for again.
 * @throws RetryLater `model_later` when the provider wants to be asked later
 */
export function explainVerdict(dependencies: ExplainDependencies, job: ExplainJob, context: Context): Promise<void> {
  const { now } = dependencies;
  return runPhase({ signal: context.signal, now, run: () => explain(dependencies, job, context) });
}

async function explain(dependencies: ExplainDependencies, job: ExplainJob, context: Context): Promise<void> {
  const { store, ai, scratchRoot } = dependencies;
  const run = replayDeployment(await readEvents(store, job.runId));
  if (!isToExplain(run, job.of)) return;
  const { value: configuration } = await loadConfiguration(dependencies, run.subject.repository, context.signal);
  if (configuration.review.ai === "never") return;
  const models = await ai.modelsFor(chosenModels(configuration));
  if (!models.configured) return;
  const scratch = await mkdtemp(join(scratchRoot, "deployer-"));
  try {
    const explanation = await ask(dependencies, { run, job, context, configuration, models, scratch });
    if (explanation)
      await submit(dependencies, { ...job, ...context }, { type: "deploy.explained", runId: job.runId, explanation });
  } finally {
    await removeFolder(scratch);
  }
}

interface Asked {
  readonly run: Observed;
  readonly job: ExplainJob;
  readonly context: Context;
  readonly configuration: RepoConfig;
  readonly models: Configured;
  readonly scratch: string;
}

/** Undefined where the model did not come to an end. */
async function ask(
  dependencies: ExplainDependencies,
  { run, job, context, configuration, models, scratch }: Asked,
): Promise<Explanation | undefined> {
  const { ai } = dependencies;
  const { redact } = ai;
  const { subject, of } = job;
  await using version = await openVersion(dependencies, { run, scratch, signal: context.signal });
  const agent = deployerAgent(version.tools, configuration.safety.iterations.deployment);
  const agents = await openAgentsWithoutRun(dependencies, {
    ...{ subject, runId: wordsTrace(run.runId), phase: "deployment", configuration, models, redact, ...context },
    waits: true,
    profile: { work: () => "deployment", asks: false, called: "the deployer", shares: USUAL_SHARES, memoryShare: 0 },
  });
  const task = await deployerTask({
    ...{ record: describeDeployment(run), verdict: TO_EXPLAIN[of.is], change: version.change, redact },
    steps: agent.iterationLimit,
  });
  const outcome = await agents.run<DeployerOutput>(agent, { key: `deployer/${of.is}/${of.step}`, task });
  if (!outcome.ok) return undefined;
  return { of, ...(await looked(outcome.output, version.files, context.signal)), cost: costOf([outcome.report]) };
}

/** Places that are not in the version are dropped, and marked where the words name them. */
async function looked(
  { words, places, shares }: DeployerOutput,
  files: Pick<RepositoryFiles, "list" | "readMany">,
  signal: AbortSignal,
): Promise<Pick<Explanation, "words" | "places" | "shares">> {
  const { text } = await checkPlaces(words, files, signal);
  const named = places.map(({ path, line }) => `\`${path}:${line}\``).join("\n");
  const there = (await checkPlaces(named, files, signal)).places;
  const isThere = ({ path, line }: { path: string; line: number }) =>
    there.some((place) => place.path === path && place.line === line);
  return { words: text, places: places.filter(isThere), ...defined({ shares }) };
}
