import { StoryFailed } from "../../expect.ts";
import { POSTAGE } from "../../github.ts";
import type { IssueAt } from "../../implement/issue.ts";
import { issueOf } from "../../implement/look.ts";
import { showText } from "../../implement/show.ts";
import { waitFor } from "../../implement/wait.ts";
import type { Telling } from "../../telling.ts";
import type { Company } from "../company.ts";
import { ERROR } from "../issues.ts";
import { openedByForge } from "../look.ts";
import { sendError } from "../send-error.ts";

/** What the version said of its errors comes to Forge's door and becomes an issue that names the cause. Resolves with that issue. */
export async function toldOfError(telling: Telling, company: Company, wish: IssueAt, sha: string): Promise<IssueAt> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("The errors of the version arrive at a door of Forge, which finds the change that causes them");
  const [first, ...more] = company.errors.filter(({ version }) => version === sha);
  if (!first) throw new StoryFailed("the version reported no error");
  const { name, message, stack, at } = first;
  const error = { project: "postage", type: name, message, stack, sha, count: 1 + more.length, first_seen: at };
  expect("an error with a wrong signature is refused", await sendError(stage, "a secret of someone else", error), 401);
  expect("a signed one is taken", await sendError(stage, company.secret, error), 202);
  screen.say(
    `The company sends to ${stage.forge.address}/api/feedback/errors, signed:`,
    `  ${name}: ${message}, ${error.count} times, in ${sha.slice(0, 7)}`,
    `  ${stack.split("\n")[1]?.trim()}`,
    "With another secret it was refused.",
    "",
  );
  const find = () => openedByForge(stage).filter(({ title }) => title === `In production: ${name}: ${ERROR}`);
  await waitFor(stage, screen, wish, "the error is an issue", () => find().length > 0);
  const [issue] = find();
  showText(screen, `Forge opens #${issue!.number} ${issue!.title}`, issue!.body ?? "");
  const isMarked = () => issueOf(stage, wish).status.includes("**Caused an error in production**");
  await waitFor(stage, screen, wish, "the work that caused it says so", isMarked);
  const { status } = issueOf(stage, wish);
  const marked = status.split("\n\n").find((paragraph) => paragraph.startsWith("**Caused an error in production**"));
  showText(screen, `On #${wish.number}, which led to the change, Forge adds:`, marked ?? "");
  const place = "`src/numbers.js` line 20";
  expect("there is one issue about the error", find().length, 1);
  expect(
    "the issue names the version and the line that caused it",
    [`**Caused by the deployment of \`${sha.slice(0, 7)}\`**`, place, `#${wish.number + 1} brought it`].filter(
      (text) => !issue!.body?.includes(text),
    ),
    [],
  );
  expect("the work that led to it is marked", marked?.includes(place), true);
  return { repository: POSTAGE, number: issue!.number };
}
