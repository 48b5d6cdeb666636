import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { Ask } from "./ask.ts";
import { GitHubCallFailed } from "./classify-failure.ts";
import type { DeploymentOnGitHub, GitHubRepository, WorkflowRunOnGitHub } from "./github-repository.ts";

const Author = z.object({ type: z.string() }).nullish();
/** GitHub gives the payload back as it took it, and as text where it was given as text. */
const DeploymentAnswer = z
  .object({ id: z.number(), payload: z.unknown(), creator: Author })
  .transform(({ id, payload, creator }): DeploymentOnGitHub => ({ id, payload, byBot: creator?.type === "Bot" }));
/** 202: it merged the default branch into the ref instead of deploying. */
const Requested = z.union([DeploymentAnswer, z.object({ message: z.string() })]);
const StatusAnswer = z
  .object({ state: z.string(), description: z.string().nullish(), creator: Author })
  .transform(({ state, description, creator }) => ({
    state,
    description: description ?? "",
    byBot: creator?.type === "Bot",
  }));
const RunAnswer = z
  .object({ id: z.number(), display_title: z.string().nullish(), created_at: z.string(), actor: Author })
  .transform(
    ({ id, display_title, created_at, actor }): WorkflowRunOnGitHub => ({
      ...{ id, title: display_title ?? "", createdAt: created_at, byBot: actor?.type === "Bot" },
    }),
  );
export const Runs = z.object({ workflow_runs: z.array(RunAnswer) }).transform(({ workflow_runs: found }) => found);
/** Nothing where GitHub does not know the question for it (204). */
const Dispatched = z.preprocess(
  (answer) => (answer && typeof answer === "object" ? answer : {}),
  z.object({ workflow_run_id: z.number().int().positive().optional() }),
);
const Head = z.object({ object: z.object({ sha: z.string() }) }).transform(({ object }) => object.sha);
const Changed = z
  .object({ files: z.array(z.object({ filename: z.string() })).nullish() })
  .transform(({ files }) => (files ?? []).map(({ filename }) => filename));
const OpenedIssue = z
  .object({ number: z.number(), body: z.string().nullish(), user: Author, pull_request: z.unknown().optional() })
  .transform(({ number, body, user, pull_request }) => ({
    ...{ number, body: body ?? "", byBot: user?.type === "Bot", isPull: pull_request !== undefined },
  }));
const Tree = z.object({ tree: z.object({ sha: z.string() }) });
const Made = z.object({ sha: z.string() });
const REVERT = `mutation ($id: ID!, $title: String!, $body: String!) {
  revertPullRequest(input: { pullRequestId: $id, title: $title, body: $body }) { revertPullRequest { number } }
}`;
const Reverted = z.object({ revertPullRequest: z.object({ revertPullRequest: z.object({ number: z.number() }) }) });

type Deploying = Pick<
  GitHubRepository,
  | "listDeployments"
  | "lastDeploymentStatus"
  | "listDispatchedRuns"
  | "readBranch"
  | "changedFiles"
  | "listOwnIssues"
  | "createDeployment"
  | "createDeploymentStatus"
  | "dispatchWorkflow"
  | "revertPull"
  | "createBackBranch"
  | "createIssue"
>;

/** Deployments, the runs of workflows, and what follows a rollback: their part of `GitHubRepository`. */
export function octokitDeployments({ ask, askAll, find, pages, query }: Ask): Deploying {
  const deployments = "/repos/{owner}/{repo}/deployments";
  const workflow = "/repos/{owner}/{repo}/actions/workflows/{workflow_id}";
  return {
    listDeployments: (by) => askAll(DeploymentAnswer, `GET ${deployments}`, { ...by }),
    lastDeploymentStatus: async (id) => {
      const route = `GET ${deployments}/{deployment_id}/statuses`;
      for await (const newestFirst of pages(z.array(StatusAnswer), route, { deployment_id: id })) return newestFirst[0];
      return undefined;
    },
    listDispatchedRuns: async (file, since) => {
      const wanted = { workflow_id: file, event: "workflow_dispatch", created: `>=${since}` };
      const all: WorkflowRunOnGitHub[] = [];
      for await (const found of pages(Runs, `GET ${workflow}/runs`, wanted)) all.push(...found);
      return all;
    },
    readBranch: (branch) => find(Head, "GET /repos/{owner}/{repo}/git/ref/{ref}", { ref: `heads/${branch}` }),
    changedFiles: async (from, to) =>
      (await find(Changed, "GET /repos/{owner}/{repo}/compare/{basehead}", { basehead: `${from}...${to}` })) ?? [],
    listOwnIssues: async (since) => {
      const wanted = { state: "all", sort: "created", direction: "desc", since };
      const found = await askAll(OpenedIssue, "GET /repos/{owner}/{repo}/issues", wanted);
      return found.filter(({ byBot, isPull }) => byBot && !isPull);
    },
    createDeployment: async (wanted) => {
      const made = await ask(Requested, `POST ${deployments}`, {
        ...{ ref: wanted.ref, task: wanted.task, environment: wanted.environment, payload: wanted.payload },
        // Both default to something else: to merging the default branch into the ref, and to every status that there is.
        ...{ auto_merge: false, required_contexts: [] },
        ...{ description: wanted.description, production_environment: wanted.production },
      });
      return "id" in made ? { id: made.id } : { merged: made.message };
    },
    createDeploymentStatus: async (id, { state, description, logUrl, url }) => {
      await ask(z.object({ id: z.number() }), `POST ${deployments}/{deployment_id}/statuses`, {
        ...{ deployment_id: id, state, description, auto_inactive: false },
        ...defined({ log_url: logUrl, environment_url: url }),
      });
    },
    dispatchWorkflow: async (file, { ref, inputs }) => {
      const wanted = { workflow_id: file, ref, inputs, return_run_details: true };
      const { workflow_run_id: runId } = await ask(Dispatched, `POST ${workflow}/dispatches`, wanted);
      return defined({ runId });
    },
    revertPull: async (id, { title, body }) =>
      (await query(Reverted, REVERT, { id, title, body })).revertPullRequest.revertPullRequest,
    createBackBranch: async (branch, { on, to, message }) => {
      const { tree } = await ask(Tree, "GET /repos/{owner}/{repo}/git/commits/{commit_sha}", { commit_sha: to });
      const made = { message, tree: tree.sha, parents: [on] };
      const { sha } = await ask(Made, "POST /repos/{owner}/{repo}/git/commits", made);
      try {
        await ask(z.unknown(), "POST /repos/{owner}/{repo}/git/refs", { ref: `refs/heads/${branch}`, sha });
      } catch (error) {
        if (!(error instanceof GitHubCallFailed) || !/already exists/i.test(error.failure.message)) throw error;
      }
    },
    createIssue: (issue) => ask(z.object({ number: z.number() }), "POST /repos/{owner}/{repo}/issues", { ...issue }),
  };
}
