import { afterEach, expect } from "vitest";
import { boxed } from "../needs/sandbox.ts";
import { goodMind } from "./implementer.ts";
import { createIssueWorld, type IssueWorld, REPOSITORY } from "./issue-world.ts";

let told: IssueWorld;
afterEach(async () => {
  await told.expectGoodManners();
  await told.end();
});

boxed(
  "GH-1, GH-7, IMPL-1, TEST-1: a labeled issue is planned, implemented, reviewed, tested and ready, and its run ends with the merge",
  async () => {
    told = await createIssueWorld(goodMind);
    const { world, github, issue, label, said, run, pull } = told;
    await label();
    expect(pull()).toMatchObject({ draft: false, title: "feat: show prices with two digits" });
    expect(pull().body).toContain(`Closes #${issue}.`);
    expect(pull().body).toContain("**Considered and not chosen**: Intl.NumberFormat: two digits are all");
    const checks = github.checkRunsOn(REPOSITORY, pull().headSha);
    expect(checks.map(({ name, conclusion }) => [name, conclusion]).sort()).toEqual([
      ["forge/review", "success"],
      ["forge/tests", "success"],
    ]);
    const review = checks.find(({ name }) => name === "forge/review");
    expect(review?.summary).toMatch(/^\*\*Risk\*\* \d+, low, planned as low: size/m);
    expect(said()).toHaveLength(2);
    await github.mergePullRequest(REPOSITORY, pull().number, "ana");
    await world.settled();
    const { row, events } = await run();
    const done = events.flatMap((event) => (event.type === "work.completed" ? (event.payload.files ?? []) : []));
    const id = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(done).toContainEqual({ path: "src/price.js", before: id, after: id });
    expect(row).toMatchObject({ status: "completed", conclusion: "success", pullNumber: pull().number });
    expect(said()).toHaveLength(2);
    expect(said().some((body) => body.startsWith("**Done**"))).toBe(true);
  },
);
