import { defined } from "../../../domain/defined.ts";
import { type DeployRequest, environmentSubject, firstEnvironment } from "../../../domain/deployments.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import { FORGE, numberOf } from "../../../domain/subjects.ts";
import type { JobContext } from "../../../queue/ports.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import { workBehind } from "../../runs/implementation-of.ts";
import type { PullRequestHost } from "../../runs/ports.ts";
import { readLevel } from "./level-now.ts";

interface MergedDependencies extends InputDependencies, ConfigurationDependencies {
  readonly host: ConfigurationDependencies["host"] & Pick<PullRequestHost, "readPullRequest">;
}

/**
 * A pull request was merged: what it became is to be deployed where the repository wants that (GH-7). At level 0 nothing is begun, and the end
 * that it has at once says how to deploy by hand (SAFE-4).
 */
export async function deployMerged(
  dependencies: MergedDependencies,
  { subject }: JobPayload<"merged">,
  { signal, fence }: JobContext,
): Promise<void> {
  const { repository } = subject;
  const number = numberOf(subject);
  const { value: configuration } = await loadConfiguration(dependencies, repository, signal);
  const environment = firstEnvironment(configuration);
  if (!environment) return;
  const pull = await dependencies.host.readPullRequest(subject, signal);
  if (pull?.mergedAs === undefined || pull.ends.baseRef !== pull.defaultBranch) return;
  const work = await workBehind(dependencies.store, subject);
  const { level } = await readLevel(dependencies, repository, signal);
  const deploy: DeployRequest = {
    ...{ environment, sha: pull.mergedAs, by: FORGE, cause: "merge", id: `merged:${number}:${pull.mergedAs}` },
    ...{ about: work?.subject ?? subject, level },
    ...defined({ implements: work && { issue: numberOf(work.subject), runId: work.runId } }),
  };
  const where = environmentSubject(repository, environment);
  const input = { type: "deploy.requested", subject: where, deploy } as const;
  await handleInput(dependencies, { ...input, at: dependencies.now(), newRunId: dependencies.makeId() }, fence);
}
