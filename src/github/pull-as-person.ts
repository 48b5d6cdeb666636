import { Octokit } from "@octokit/rest";
import { pino } from "pino";
import { z } from "zod";
import { CONFIGURATION_PATH } from "../domain/repo-config.ts";
import type { PullToReview } from "../pipeline/review/folder/review-pull.ts";
import { createAsk } from "./ask.ts";
import { ends, PullRequest, Repository } from "./handlers/payloads.ts";
import { FILE_TEXT, FileText } from "./pull-request-host.ts";
import { createRemote, rethrow } from "./reader.ts";

/** How GitHub is reached for a person: with their own token, which needs to read contents and pull requests and nothing else. */
interface PersonAccess {
  readonly token: string;
  readonly apiUrl: string;
  readonly origin: string;
  readonly allowHttp: boolean;
}

const Pull = PullRequest.extend({
  base: PullRequest.shape.base.extend({ repo: Repository.extend({ default_branch: z.string() }) }),
});

/**
 * A pull request as somebody sees it who is no App: for the command line, outside of any installation.
 * @returns undefined where there is none, or the token does not show it
 * @throws ForgeError `github_unavailable`, `github_forbidden` or `github_refused`
 */
export async function readPullAsPerson(
  { token, apiUrl, ...github }: PersonAccess,
  { owner, name, number }: { readonly owner: string; readonly name: string; readonly number: number },
  signal: AbortSignal,
): Promise<PullToReview | undefined> {
  const octokit = new Octokit({ auth: token, baseUrl: apiUrl, userAgent: "forge", log: pino({ level: "silent" }) });
  const { find } = createAsk(octokit, { owner, name }, { signal });
  try {
    const pull = await find(Pull, "GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number });
    if (!pull) return undefined;
    const { id, owner: account, name: called, default_branch: ref } = pull.base.repo;
    // Configuration is read where a pull request cannot change it.
    const configuration = await find(FileText, FILE_TEXT, { path: CONFIGURATION_PATH, ref });
    const repository = { id, owner: account.login, name: called, installationId: 0 };
    const remote = createRemote(github, async () => token)(repository);
    return { subject: { kind: "pull_request", repository, number }, ends: ends(pull), configuration, remote };
  } catch (error) {
    return rethrow(error);
  }
}
