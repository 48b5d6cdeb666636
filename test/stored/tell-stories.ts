import { CLEAN, FAULTY, openPull } from "../e2e/pulls.ts";
import type { World } from "../e2e/world.ts";
import { sum } from "./mind.ts";

/** Where something waits or has ended, by what it is: repository and number. */
export type Places = Record<string, { readonly repository: string; readonly number: number }>;

/**
 * Brings runs of every kind to where they wait for people, or to an end. What is left in the middle comes last: `leaveInTheMiddle`.
 * @param hear receives the name of each story when the story ends
 */
export async function tellStories(world: World, hear: (story: string) => void): Promise<Places> {
  const { github } = world;
  const places: Places = {};
  const say = async (repository: string, number: number, body: string, by = "ana") => {
    github.comment(repository, number, { body, by });
    await world.settled();
  };
  const ask = async (repository: string, way: string, by = "ben") => {
    const { number } = github.openIssue(repository, {
      title: `Prices (${way})`,
      body: "250 is shown as 2.5",
      by: "ana",
    });
    github.addLabel(repository, number, "forge:implement", by);
    await world.settled();
    places[way] ??= { repository, number };
    hear(`${way}, as ${repository}#${number}`);
    return number;
  };
  const pull = async (name: string, files: Parameters<typeof openPull>[1], more: object = {}) => {
    const branch = name.replaceAll(" ", "-");
    const opened = await openPull(world, files, {
      repository: "acme/shop",
      title: `Change (${name})`,
      branch,
      ...more,
    });
    await world.settled();
    const { repository = "acme/shop" } = more as { repository?: string };
    places[name] = { repository, number: opened.number };
    hear(`${name}, as ${repository}#${opened.number}`);
    return opened.number;
  };
  const ids = (repository: string, number: number) =>
    github.pullRequest(repository, number).reviewComments.map(({ body }) => /F-[0-9A-Z]{4,8}/.exec(body)![0]);

  // Implementations that are over.
  const merged = await ask("acme/shop", "plain");
  await github.mergePullRequest("acme/shop", merged + 1, "ana");
  await world.settled();
  places.merged = places.plain!;
  const taken = await ask("acme/shop", "question");
  places["label taken off"] = places.question!;
  delete places.question;
  github.removeLabel("acme/shop", taken, "forge:implement", "ben");
  await world.settled();
  const planned = github.openIssue("acme/shop", { title: "Prices (plain)", body: "again", by: "ana" }).number;
  await say("acme/shop", planned, "/forge plan");
  places["only planned"] = { repository: "acme/shop", number: planned };

  // Implementations that wait.
  await ask("acme/shop", "question");
  const stopped = await ask("acme/shop", "question");
  await say("acme/shop", stopped, "/forge stop");
  places.stopped = { repository: "acme/shop", number: stopped };
  await ask("acme/shop", "risky plan");
  await ask("acme/cart", "plain");
  places.ready = { repository: "acme/cart", number: 1 };
  await ask("acme/cart", "weak tests");
  await ask("acme/cart", "never mended");
  await ask("acme/cart", "failing tests");
  await ask("acme/vault", "changed hash");
  const workflow = await ask("acme/cart", "workflow");
  await say("acme/cart", workflow, "/forge approve");
  const risky = await ask("acme/bank", "plain");
  await say("acme/bank", risky, "/forge approve");
  places["high risk"] = { repository: "acme/bank", number: 1 };

  // Reviews that are over, with what people said to them.
  const dismissed = await pull("dismissed", { "src/same.ts": FAULTY });
  await say("acme/shop", dismissed, `/forge dismiss ${ids("acme/shop", dismissed)[0]} that is meant`);
  const fixed = await pull("fixed", { "src/other.ts": FAULTY.replace("same", "other") });
  await github.commit("acme/shop", "fixed", { files: { "src/other.ts": CLEAN }, message: "Mend", author: "ana" });
  await world.settled();
  places.fixed = { repository: "acme/shop", number: fixed };
  const overridden = await pull("overridden", { "src/third.ts": FAULTY.replace("same", "third") });
  await say("acme/shop", overridden, "/forge override review it has to go out today");
  await say("acme/shop", overridden, "/forge extend usd 1");
  await say("acme/shop", overridden, "/forge explain F-NOPE");
  const paused = await pull("paused", { "src/fourth.ts": CLEAN });
  await say("acme/shop", paused, "/forge pause");
  await pull("left out", { "src/fifth.ts": CLEAN }, { draft: true });
  const closed = await pull("closed", { "src/sixth.ts": FAULTY.replace("same", "sixth") });
  await github.closePullRequest("acme/shop", closed, "ana");
  await world.settled();
  await pull("notes", { "src/total.js": sum("notes") }, { repository: "acme/till" });

  // Reviews that wait.
  await pull("expensive", { "src/total.js": sum("expensive") }, { repository: "acme/bank" });
  await pull("tests", { "src/total.js": sum("plain") }, { repository: "acme/gate" });
  return places;
}

/** Two runs whose models do not answer: an implementation with a step written down, and a review. */
export async function leaveInTheMiddle(world: World, until: (way: string) => Promise<void>): Promise<Places> {
  const { github } = world;
  const issue = github.openIssue("acme/cart", { title: "Prices (unfinished)", body: "250 is shown as 2.5", by: "ana" });
  github.addLabel("acme/cart", issue.number, "forge:implement", "ben");
  await until("unfinished");
  const opened = await openPull(
    world,
    { "src/total.js": sum("unread") },
    {
      ...{ repository: "acme/till", branch: "unread", title: "Change (unread)" },
    },
  );
  await until("unread");
  return {
    unfinished: { repository: "acme/cart", number: issue.number },
    unread: { repository: "acme/till", number: opened.number },
  };
}
