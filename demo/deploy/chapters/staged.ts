import { POSTAGE } from "../../github.ts";
import type { IssueAt } from "../../implement/issue.ts";
import { showText } from "../../implement/show.ts";
import { waitFor } from "../../implement/wait.ts";
import type { Telling } from "../../telling.ts";
import { letGo } from "../let-go.ts";
import { endOf } from "../look.ts";

/** mia merges, and the version goes to staging, where it is judged against the time before. Resolves with its commit. */
export async function staged(telling: Telling, issue: IssueAt, pull: number): Promise<string> {
  const { stage, screen, expectations } = telling;
  const sha = await stage.github.mergePullRequest(POSTAGE, pull, "mia");
  await letGo(telling, issue, "staging");
  const ended = await waitFor(stage, screen, issue, "staging is judged", () => endOf(stage, issue, "staging"));
  const [first = ""] = ended.split("\n");
  showText(screen, "Forge writes there:", first);
  expectations.expect(
    "staging found the version as good as the one before",
    first.startsWith(`**Deployed**: \`${sha.slice(0, 7)}\` runs in staging`),
    true,
  );
  return sha;
}
