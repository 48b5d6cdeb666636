import { z } from "zod";
import type { RuleHost } from "../pipeline/deploy/rule/answer-rule.ts";
import type { AppClient } from "./app-client.ts";
import type { Ask } from "./ask.ts";
import type { RuleWrites } from "./github-repository.ts";
import type { Identity } from "./identity.ts";
import { LOG_PERMISSIONS } from "./permissions.ts";
import { createReader } from "./reader.ts";
import { isBy, isOfRepository, pathOf, readRun } from "./workflow-run.ts";

const Pending = z.array(z.object({ environment: z.object({ name: z.string() }) }));
const PENDING = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments";

/** Reads what jobs wait for the rule of an environment, through the REST API. */
export function createRuleHost(client: Pick<AppClient, "repository">, identity: Pick<Identity, "login">): RuleHost {
  return {
    readAskingRun: async (repository, { workflowRunId, environment }, signal) => {
      const read = createReader(client, repository, LOG_PERMISSIONS, signal);
      const waiting = await read(Pending, PENDING, { run_id: workflowRunId });
      if (!waiting || !isWaiting(waiting, environment)) return undefined;
      const run = await readRun(read, workflowRunId);
      if (!run) return undefined;
      const { head_sha: sha, run_attempt: attempt = 1, actor } = run;
      const isOurs = isOfRepository(run, repository.id);
      return { sha, path: pathOf(run), isOurs, byForge: isBy(await identity.login(), actor), attempt };
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
