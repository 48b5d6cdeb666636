import type { PresentedFile } from "../../../analysis/present-change.ts";
import { defined } from "../../../domain/defined.ts";
import { environmentOf } from "../../../domain/deployments.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { MetricsPort } from "../../../tools/ports.ts";
import { USUAL_PROGRAMS } from "../../../tools/run-command.ts";
import type { Tool } from "../../../tools/tool.ts";
import { deployerTools } from "../../../tools/toolsets.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import type { RepositoryFiles } from "../../../workspace/files/repository-files.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { mirrorOf, needed } from "../../change/fetch-ends.ts";
import { presentFiles } from "../../change/present-files.ts";
import { readChange } from "../../change/read-change.ts";
import type { Observed } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";
import { describeDeployment } from "./describe-deployment.ts";
import type { ExplainDependencies } from "./explain-job.ts";

/** A version that was deployed, as the deployer looks at it. */
export interface OpenVersion extends AsyncDisposable {
  readonly files: RepositoryFiles;
  readonly tools: readonly Tool[];
  /** Undefined where nothing is known to have run before. */
  readonly change: readonly PresentedFile[] | undefined;
}

interface Wanted {
  readonly run: Observed;
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Writes the files of the version, and makes the tools that read them, the deployment and its numbers. */
export async function openVersion(
  dependencies: ExplainDependencies,
  { run, scratch, signal }: Wanted,
): Promise<OpenVersion> {
  const { host, mirrorRoot, ai, store } = dependencies;
  const { repository } = run.subject;
  const { sha } = run.deploy;
  const { previous } = run.observed.facts;
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  needed(await fetchCommits(mirror, { shas: [...new Set([sha, previous ?? sha])], signal }));
  const found = await openSandbox();
  const sandbox = "unavailable" in found ? undefined : found;
  const change =
    previous === undefined ? undefined : await readChange(mirror, { baseSha: previous, headSha: sha }, signal);
  const shown = change && (await presentFiles(change));
  const tree = await openWorkingTree({ mirror, base: sha, scratchRoot: scratch, sandbox, signal });
  const status = async () => describeDeployment(replayDeployment(await readEvents(store, run.runId)) ?? run);
  const tools = deployerTools({
    ...{ clone: tree.clone ?? { files: tree.files }, redact: ai.redact, programs: USUAL_PROGRAMS },
    deployment: { status },
    ...defined({ metrics: metricsOf(dependencies, run) }),
  });
  return { files: tree.files, tools, change: shown, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

const MINUTE_MS = 60_000;

/** What the operator lets be read of the environment, by name; undefined where nothing but a health endpoint is there. */
function metricsOf(
  { takeSample }: ExplainDependencies,
  { subject, observed, deploy, steps }: Observed,
): MetricsPort | undefined {
  const names = observed.watched.filter((name) => name !== "health");
  const forward = steps.filter(({ planned }) => planned.task === "deploy");
  const [first, last] = [forward[0], forward.at(-1)];
  if (names.length === 0 || !first || !last) return undefined;
  const to = last.samples.at(-1)?.to ?? last.doneAt ?? last.startedAt;
  const { percentage } = last.planned;
  return {
    names,
    read: (minutes, signal) =>
      takeSample(
        {
          ...{ repository: subject.repository, environment: environmentOf(subject), version: deploy.sha },
          ...{ before: observed.facts.previous, to, since: first.startedAt, weight: percentage },
          from: new Date(Date.parse(to) - minutes * MINUTE_MS).toISOString(),
          ...{ baseline: percentage < 100 ? "concurrent" : "before", queries: observed.settings.judge.queries },
        },
        signal,
      ),
  };
}
