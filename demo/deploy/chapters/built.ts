import { POSTAGE } from "../../github.ts";
import { showChecks, waitUntilReady } from "../../implement/chapters/mended-and-tested.ts";
import { type IssueAt, LABEL } from "../../implement/issue.ts";
import { commitsBetween } from "../../implement/look.ts";
import type { PullRequest } from "../../show.ts";
import type { Telling } from "../../telling.ts";

/** The label is set, and the issue becomes a pull request: the first story has all of it. */
export async function built(telling: Telling, issue: IssueAt): Promise<PullRequest> {
  const { stage, screen, expectations } = telling;
  await stage.github.addLabel(POSTAGE, issue.number, LABEL, "ana");
  const pull = await waitUntilReady(telling, issue);
  const commits = await commitsBetween(stage, POSTAGE, { base: pull.baseSha, head: pull.headSha });
  screen.say(`Forge opens #${pull.number} ${pull.title}:`, ...commits.map((commit) => `  ${commit}`), "");
  await showChecks(telling, POSTAGE, pull);
  expectations.expect(`#${pull.number} is one commit`, commits.length, 1);
  return pull;
}
