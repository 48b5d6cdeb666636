import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { learnFrom } from "../../src/pipeline/runs/decision.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { addJobs } from "../../src/store/jobs/add-jobs.ts";
import { FAULTY, openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import type { World } from "./world.ts";

export const TOKEN = "a-long-token-for-scrapers";
const FIXED = FAULTY.replace("limit = 4;", "void limit;");
const COMPARES = "export const isNumber = (a: number) => a === a;\n";

async function subjectOf(world: World, number: number): Promise<Subject> {
  const rows = await world.forge!.store.read.all<{ subject: string }>(
    sql`select subject from runs where subject_key like ${`pull_request:%:${number}`}`,
  );
  return JSON.parse(rows[0]!.subject);
}

/** The feedback and metric events of a pull request. */
export async function learnt(world: World, number: number) {
  const subject = await subjectOf(world, number);
  const events = await readEvents(world.forge!.store, subjectKey(subject));
  return events.filter(({ type }) => type.startsWith("feedback.") || type === "metric.collected");
}

/** Findings by where they stand. */
function findings(world: World, number: number) {
  return world.github.pullRequest("acme/shop", number).reviewComments.map(({ id, body, path, line }) => {
    return { comment: id, finding: /F-[0-9A-Z]{4,8}/.exec(body)![0], place: `${path}:${line}` };
  });
}

/** A pull request with three findings, merged by this method: one is fixed, one dismissed, one ignored, and nothing is learned twice. */
export async function followToMerge(world: World, method: "squash" | "rebase" | "merge"): Promise<void> {
  const { github } = world;
  const { say } = talkIn(() => world);
  const isMeasured = world.config.metrics.token !== undefined;
  github.createAccount("eve");
  const { number } = await openPull(world, { "same.ts": FAULTY, "number.ts": COMPARES }, { branch: "topic" });
  await world.settled();
  const at = Object.fromEntries(findings(world, number).map((each) => [each.place, each]));
  const [constant, same, isNumber] = [at["same.ts:3"]!, at["same.ts:4"]!, at["number.ts:1"]!];
  for (const by of ["ben", "eve"]) github.react("acme/shop", { reviewComment: same.comment }, "-1", by);
  github.react("acme/shop", { reviewComment: same.comment }, "+1", "ben");
  github.react("acme/shop", { reviewComment: same.comment }, "heart", "ben");
  github.replyToReviewComment("acme/shop", number, same.comment, { by: "ben", body: "/forge dismiss it tells NaN" });
  await world.settled();
  // Merged at once: no review has seen the fix, only the text can tell.
  await github.commit("acme/shop", "topic", { files: { "same.ts": FIXED }, message: "Fix", author: "ana" });
  await github.mergePullRequest("acme/shop", number, "ana", method);
  await world.settled();

  const events = await learnt(world, number);
  const of = (type: string) => events.filter((event) => event.type === type);
  const outcomes = of("feedback.outcome").map(
    ({ payload }) => "outcome" in payload && "findingId" in payload && [payload.findingId, payload.outcome],
  );
  expect(new Map(outcomes as [string, string][])).toEqual(
    new Map([
      [constant.finding, "fixed"],
      [same.finding, "dismissed"],
      [isNumber.finding, "ignored"],
    ]),
  );
  expect(of("feedback.human_dismissed").map(({ actor }) => actor?.login)).toEqual(["ben"]);
  expect(of("feedback.reaction").map(({ payload, actor }) => [actor?.login, "is" in payload && payload.is])).toEqual([
    ["ben", "down"],
  ]);
  expect(of("metric.collected")).toMatchObject([{ payload: { findings: 3, comments: 3, firstPass: false } }]);

  expect((await say(number, "/forge metrics")).answers).toEqual([
    expect.stringMatching(/findings fixed when merged \| 1 of 3 \| none \|.*\n.*findings dismissed \| 1 of 3 \| none/),
  ]);

  // Served to anyone who has the token, and to nobody where the operator set none.
  const scrape = `http://127.0.0.1:${world.forge!.port}/metrics`;
  const scraped = await fetch(scrape, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect([scraped.status, (await fetch(scrape)).status]).toEqual(isMeasured ? [200, 401] : [404, 404]);
  if (isMeasured) {
    const text = await scraped.text();
    for (const outcome of ["fixed", "dismissed", "ignored"]) {
      expect(text).toContain(`forge_findings_outcomes_total{layer="static",outcome="${outcome}"} 1\n`);
    }
  }

  // A worker that dies after it wrote, and before its job was done: the next one has the job again.
  await world.stop();
  await world.start();
  await addJobs(world.forge!.store, [learnFrom(await subjectOf(world, number), new Date(0).toISOString())]);
  await world.settled();
  expect(await learnt(world, number)).toHaveLength(events.length);
}
