import { z } from "zod";
import type { RuleHost } from "../pipeline/deploy/rule/answer-rule.ts";
import type { AppClient } from "./app-client.ts";
import type { Ask } from "./ask.ts";
import type { RuleWrites } from "./github-repository.ts";
import { DEPLOY_READ_PERMISSIONS, LOG_PERMISSIONS } from "./permissions.ts";
import { createReader } from "./reader.ts";

const Pending = z.array(z.object({ environment: z.object({ name: z.string() }) }));
const PENDING = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments";
const Run = z.object({
  head_sha: z.string(),
  path: z.string(),
  repository: z.object({ id: z.number() }),
  head_repository: z.object({ id: z.number() }).nullish(),
});
const Deployments = z.array(z.object({ id: z.number(), sha: z.string() }));
const Statuses = z.array(z.object({ state: z.string() }));
/** Deployments that are looked through for one that succeeded. */
const DEPLOYMENTS = 20;

/** Reads what jobs wait for the rule of an environment, through the REST API. */
export function createRuleHost(client: Pick<AppClient, "repository">): RuleHost {
  return {
    readAskingRun: async (repository, { workflowRunId, environment }, signal) => {
      const read = createReader(client, repository, LOG_PERMISSIONS, signal);
      const waiting = await read(Pending, PENDING, { run_id: workflowRunId });
      if (!waiting || !isWaiting(waiting, environment)) return undefined;
      const run = await read(Run, "GET /repos/{owner}/{repo}/actions/runs/{run_id}", { run_id: workflowRunId });
      if (!run) return undefined;
      const { head_sha: sha, path, repository: at, head_repository: from } = run;
      return { sha, path, isOurs: at.id === repository.id && from?.id === repository.id };
    },
    readLastDeployed: async (repository, environment, signal) => {
      const read = createReader(client, repository, DEPLOY_READ_PERMISSIONS, signal);
      const route = "GET /repos/{owner}/{repo}/deployments";
      for (const { id, sha } of (await read(Deployments, route, { environment, per_page: DEPLOYMENTS })) ?? []) {
        const of = { deployment_id: id, per_page: DEPLOYMENTS };
        const said = await read(Statuses, `${route}/{deployment_id}/statuses`, of);
        if (said?.some(({ state }) => state === "success")) return sha;
      }
      return undefined;
    },
  };
}

/** GitHub does not tell names of environments apart by their case. */
function isWaiting(waiting: z.infer<typeof Pending>, environment: string): boolean {
  return waiting.some(({ environment: { name } }) => name.toLowerCase() === environment.toLowerCase());
}

/** What the effect asks and does. The address comes from the repository and the number of the run, never from a payload. */
export function octokitRules({
  ask,
  find,
}: Ask): RuleWrites & { waitsFor(run: number, environment: string): Promise<boolean> } {
  return {
    waitsFor: async (run, environment) => isWaiting((await find(Pending, PENDING, { run_id: run })) ?? [], environment),
    answerRule: async (run, { environment, state, comment }) => {
      const route = "POST /repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule";
      const body = { run_id: run, environment_name: environment, comment, ...(state === undefined ? {} : { state }) };
      await ask(z.unknown(), route, body);
    },
  };
}
