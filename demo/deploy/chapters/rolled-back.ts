import { POSTAGE } from "../../github.ts";
import type { IssueAt } from "../../implement/issue.ts";
import { showText } from "../../implement/show.ts";
import { waitFor } from "../../implement/wait.ts";
import type { Telling } from "../../telling.ts";
import type { Company } from "../company.ts";
import { letGo } from "../let-go.ts";
import { deployedSteps, endOf, openedByForge, verdicts } from "../look.ts";

interface Versions {
  readonly before: string;
  readonly sha: string;
}

/** Few customers see nothing wrong, more do: the version goes back by itself, and nothing else is deployed. */
export async function rolledBack(
  telling: Telling,
  { servers }: Company,
  issue: IssueAt,
  { before, sha }: Versions,
): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  const [old, fresh] = [before.slice(0, 7), sha.slice(0, 7)];
  screen.step("Production waits for a person; 5 % of its customers get the new version, then 25 %");
  await letGo(telling, issue, "production");
  const text = await waitFor(stage, screen, issue, "production is judged", () => endOf(stage, issue, "production"));

  screen.step("At 25 % it fails under the load: Forge takes it back, and holds production");
  showText({ ...screen, unfolded: true }, "Forge writes on the issue:", text);
  const counts = await servers.counts("production");
  screen.say(
    `Customers of ${fresh}: ${counts[`${sha} 200`] ?? 0} got a price, ${counts[`${sha} 500`] ?? 0} an error.`,
    "",
  );
  expect("the new version is rolled back", text.startsWith(`**Rolled back**: production runs \`${old}\` again.`), true);
  expect("5 % of the traffic showed nothing, and 25 % did", verdicts(text), [
    "5 %: as good as the one before",
    "25 %: worse than the one before",
  ]);
  expect("the error rate is in the numbers", /\| error rate \| \d+(?:\.\d+)? % \| 0 % \| \*\*worse/.test(text), true);
  expect("production is held", text.includes("**Production is held** by `forge`"), true);
  expect("each step was deployed once, and the old version after them", deployedSteps(stage), [
    `staging deploy 100 % ${fresh}`,
    `production deploy 5 % ${fresh}`,
    `production deploy 25 % ${fresh}`,
    `production rollback 100 % ${old}`,
  ]);

  const wanted = [
    `${fresh} was rolled back in production`,
    `Revert #${issue.number + 1}, which was rolled back in production`,
  ];
  const opened = () => openedByForge(stage).filter(({ title }) => wanted.includes(title));
  await waitFor(stage, screen, issue, "the revert and the issue are opened", () => opened().length >= 2);
  const titles = opened().map(({ number, title }) => `  #${number} ${title}`);
  screen.say(
    `Forge opens a pull request that reverts the change, and an issue with the numbers in ${POSTAGE}:`,
    ...titles,
  );
  expect(
    "there is one revert and one issue",
    opened()
      .map(({ title }) => title)
      .sort(),
    wanted.sort(),
  );
}
