import { z } from "zod";
import { numberOf, type RepositoryRef } from "../domain/subjects.ts";
import type { IssueHost } from "../pipeline/runs/ports.ts";
import type { Redact } from "../safety/redact.ts";
import type { AppClient } from "./app-client.ts";
import { createCommentReader } from "./comment-reader.ts";
import { ends, PullRequest } from "./handlers/payloads.ts";
import { readCiFeedback } from "./issues/ci-feedback.ts";
import { readJobLog } from "./issues/job-log.ts";
import { issueFacts, issuesForAgents, readIssue } from "./issues/read-issue.ts";
import { readSnapshot } from "./issues/read-snapshot.ts";
import { readReviewFeedback } from "./issues/review-feedback.ts";
import {
  CI_PERMISSIONS,
  ISSUE_READ_PERMISSIONS,
  READ_PERMISSIONS,
  STATUS_PERMISSIONS,
  type TaskPermissions,
} from "./permissions.ts";
import { createReader, createRemote } from "./reader.ts";
import { lackingForWork, pushToken } from "./work-permissions.ts";

const Repository = z.object({ default_branch: z.string() });
const Branch = z.object({ commit: z.object({ sha: z.string() }), protected: z.boolean().optional() });
const Pull = PullRequest.extend({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
});

export interface IssueHostOptions {
  readonly origin: string;
  readonly allowHttp: boolean;
  /** What people write and what CI puts out is stored: a secret in it is not (SEC-6). */
  readonly redact: Redact;
}

/** Reads issues, reviews, CI and branches through the REST API, each with a token that can do no more than that (SEC-2). */
export function createIssueHost(client: AppClient, { origin, allowHttp, redact }: IssueHostOptions): IssueHost {
  const { readRole } = createCommentReader(client);
  const as = (repository: RepositoryRef, permissions: TaskPermissions, signal: AbortSignal) =>
    createReader(client, repository, permissions, signal);
  const roleIn = (repository: RepositoryRef, signal: AbortSignal) => (login: string) =>
    readRole(repository, login, signal);
  return {
    readIssue: async (subject, signal) => {
      const issue = await readIssue(as(subject.repository, ISSUE_READ_PERMISSIONS, signal), numberOf(subject));
      return issue && issueFacts(issue);
    },
    readSnapshot: (subject, signal, until) => {
      const { repository } = subject;
      const read = as(repository, ISSUE_READ_PERMISSIONS, signal);
      return readSnapshot({ read, readRole: roleIn(repository, signal), redact, signal }, numberOf(subject), until);
    },
    issuesOf: (repository) => issuesForAgents((signal) => as(repository, ISSUE_READ_PERMISSIONS, signal)),
    readBranchHead: async (repository, named, signal) => {
      const read = as(repository, READ_PERMISSIONS, signal);
      const ref = named ?? (await read(Repository, "GET /repos/{owner}/{repo}"))?.default_branch;
      if (ref === undefined) return undefined;
      const branch = await read(Branch, "GET /repos/{owner}/{repo}/branches/{branch}", { branch: ref });
      return branch && { ref, sha: branch.commit.sha, ...(branch.protected ? { isProtected: true } : {}) };
    },
    readPull: async (repository, number, signal) => {
      const read = as(repository, READ_PERMISSIONS, signal);
      const pull = await read(Pull, "GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number });
      if (!pull) return undefined;
      const { state, merged, draft, title, mergeable } = pull;
      return {
        open: state === "open",
        merged: merged ?? false,
        draft: draft ?? false,
        title,
        ends: ends(pull),
        mergeable: mergeable === true ? "clean" : mergeable === false ? "conflicts" : "unknown",
      };
    },
    readReviewFeedback: (repository, review, signal) => {
      const read = as(repository, READ_PERMISSIONS, signal);
      return readReviewFeedback({ read, readRole: roleIn(repository, signal), redact }, review);
    },
    readCiFeedback: (repository, said, signal) => {
      const checks = as(repository, CI_PERMISSIONS, signal);
      const statuses = as(repository, STATUS_PERMISSIONS, signal);
      const readLog = (jobId: number) => readJobLog(client, repository, jobId, { signal, allowHttp });
      return readCiFeedback({ checks, statuses, readLog, redact }, said);
    },
    lackingForWork: (repository) => lackingForWork(client, repository),
    pushRemote: createRemote({ origin, allowHttp }, (repository) => pushToken(client, repository)),
  };
}
