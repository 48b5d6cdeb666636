import { POSTAGE } from "../../github.ts";
import type { IssueAt } from "../../implement/issue.ts";
import { issueOf } from "../../implement/look.ts";
import { showCommand, showText } from "../../implement/show.ts";
import { waitFor } from "../../implement/wait.ts";
import type { Telling } from "../../telling.ts";
import type { Company } from "../company.ts";
import { letGo } from "../let-go.ts";
import { deployedSteps, endOf, openedByForge, verdicts } from "../look.ts";
import { built } from "./built.ts";
import { staged } from "./staged.ts";

/** The issue about the error is worked on like any other; the fix is deployed in the same steps, and stays. */
export async function healthy(telling: Telling, { servers }: Company, issue: IssueAt): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { github } = stage;
  const { expect } = expectations;
  const stepsBefore = deployedSteps(stage).length;
  screen.step(`Forge fixes #${issue.number}`);
  const pull = await built(telling, issue);

  screen.step("mia closes the revert, releases production, and merges the fix");
  const revert = openedByForge(stage).find(({ title }) => title.startsWith("Revert #"));
  if (revert) await github.closePullRequest(POSTAGE, revert.number, "mia");
  const command = "/forge release production";
  showCommand(screen, "mia", `on #${issue.number}`, command);
  const { id } = github.comment(POSTAGE, issue.number, { by: "mia", body: command });
  const isReleased = () => {
    const all = github.issue(POSTAGE, issue.number).comments.filter((one) => one.id === id || one.body === command);
    return all.some(({ reactions }) => reactions.some(({ content }) => content === "rocket"));
  };
  await waitFor(stage, screen, issue, "production is released", isReleased);
  const sha = (await staged(telling, issue, pull.number)).slice(0, 7);

  screen.step("Production gets the fix: 5 %, 25 %, 100 %");
  await letGo(telling, issue, "production");
  const end = () => endOf(stage, issue, "production");
  const text = await waitFor(stage, screen, issue, "production is judged", end);
  await stage.chaos?.calm();
  await waitFor(stage, screen, issue, "the work is done", () => issueOf(stage, issue).status.startsWith("**Done**"));
  showText({ ...screen, unfolded: true }, `Forge writes on #${issue.number}:`, text);
  showText(screen, "The status comment:", issueOf(stage, issue).status);
  const counts = Object.entries(await servers.counts("production")).filter(([key]) => key.startsWith(sha));
  screen.say(
    `Customers of ${sha}: ${counts.map(([, count]) => count).join(" and ")} answers, all of them with a price.`,
  );
  expect("the fix runs in production", text.startsWith(`**Deployed**: \`${sha}\` runs in production`), true);
  expect(
    "no step of it is worse",
    verdicts(text).map((row) => row.replace(/(good).*/, "$1")),
    ["5 %: as good", "25 %: as good", "100 %: as good"],
  );
  expect(
    "every customer of the fix gets a price",
    counts.map(([key]) => key.slice(41)),
    ["200"],
  );
  expect("each of its steps was deployed once", deployedSteps(stage).slice(stepsBefore), [
    `staging deploy 100 % ${sha}`,
    ...[5, 25, 100].map((share) => `production deploy ${share} % ${sha}`),
  ]);
  // Not with the merge: once production was quiet for a while after the fix came there.
  const isClosed = () => issueOf(stage, issue).state === "closed";
  await waitFor(stage, screen, issue, "production is quiet, and the issue about the error is closed", isClosed);
}
