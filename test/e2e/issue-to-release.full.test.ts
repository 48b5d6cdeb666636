import { afterEach, expect } from "vitest";
import { reportText } from "../../src/cli/show-report.ts";
import { viewRun } from "../../src/pipeline/views/view-run.ts";
import { boxed } from "../needs/sandbox.ts";
import { until } from "../until.ts";
import { plainMind, SHOP } from "./implementer.ts";
import { createIssueWorld, type IssueWorld, REPOSITORY } from "./issue-world.ts";

const WORKFLOW = ".github/workflows/deploy.yml";
const environment = (name: string, steps: string) => `  ${name}:
    way: deployment
    workflow: ${WORKFLOW}
    steps: ${steps}
    bake_minutes: 0
    ask_minutes: 0.02
    probe_seconds: 1
    watch_minutes: 0.02
`;
const SETTINGS = "review:\n  tests: never\ndeploy:\n  after_merge: production\n";
const FILES = {
  ...SHOP,
  ".github/forge.yml": `${SETTINGS}${environment("production", "[50, 100]")}`,
  [WORKFLOW]: "on: deployment\njobs:\n  deploy: { runs-on: ubuntu-latest }\n",
};

let at: IssueWorld;
afterEach(async () => {
  await at.expectGoodManners();
  await at.end();
});

/** The status comment, which is the first. */
const status = () => at.said()[0] ?? "";
const say = (body: string, by = "ana") => at.github.comment(REPOSITORY, at.issue, { body, by });
const shows = (text: string) => until(() => status().includes(text));

boxed(
  "GH-7, GH-12, DEP-1: the issue says where its version is until users have it, and a stop there stops its deployment",
  async () => {
    at = await createIssueWorld(plainMind, { files: FILES });
    at.github.workflows(REPOSITORY).on(WORKFLOW, async () => {});
    await at.label();
    expect(status()).toMatch(/^\*\*Ready\*\*/);
    await at.github.mergePullRequest(REPOSITORY, at.issue + 1, "ana");
    await shows("**Waiting for a person's yes to deploy `");
    expect(status()).not.toContain("pull request ready");

    say("/forge approve G-1 it is the first version");
    await shows("step 1 of 2, 50 % of the traffic");
    say("/forge stop", "ben");
    await shows("stopped by `ben`");
    await shows("To continue: `/forge resume`; to go back: `/forge rollback production` (maintain permission).");
    expect(status()).not.toContain("stop after this step");
    expect(at.github.deployments(REPOSITORY)).toHaveLength(1);
    const { row } = await at.run();
    const report = await viewRun(at.world.forge!.store, row!.traceId, () => true);
    const shown = reportText(report!, { now: new Date(), columns: 80 });
    expect(shown).toContain("Version: production: watched after a step, and stopped, step 1 of 2, 50 % of the traffic");

    // Where the health of the step is unknown, a person says that it goes on.
    say("/forge promote production looked at it");
    await shows("**Done**: pull request #2 is merged");
    expect(status()).toContain("**Deployed, and not judged**");
    expect(at.github.deployments(REPOSITORY)).toHaveLength(2);
    expect((await at.run()).types.filter((type) => type === "run.stopped")).toEqual([]);
  },
);

boxed("GH-7: a stop right after the merge keeps it from being deployed, and says how to deploy it", async () => {
  at = await createIssueWorld(plainMind, { files: FILES });
  await at.label();
  await at.github.mergePullRequest(REPOSITORY, at.issue + 1, "ana");
  await shows("**Waiting for a person's yes to deploy `");
  say("/forge stop", "ben");
  await shows("**Done**: pull request #2 is merged");
  expect(status()).toContain("ben stopped it. To ask again: `/forge deploy production`");
  expect(at.github.deployments(REPOSITORY)).toEqual([]);

  // To run its check again is to ask again.
  await at.world.settled();
  const sha = (await at.git("rev-parse", "main")).trim();
  const checks = () => at.github.checkRunsOn(REPOSITORY, sha).filter(({ name }) => name === "forge/deploy");
  expect(checks()).toMatchObject([{ conclusion: "neutral" }]);
  at.github.rerequestCheckRun(REPOSITORY, checks()[0]!.id, "ben");
  await until(() => at.said().some((body) => body.startsWith("`deploy` needs maintain permission here")));
  at.github.rerequestCheckRun(REPOSITORY, checks()[0]!.id, "ana");
  await until(() => checks().length === 2);
  await until(() => at.said().filter((body) => body.startsWith("**May `")).length > 0);
});

boxed("GH-7, DEP-1: a stop while its version goes to staging keeps it from production", async () => {
  const settings = `${SETTINGS}${environment("staging", "[100]")}${environment("production", "[100]")}`;
  at = await createIssueWorld(plainMind, { files: { ...FILES, ".github/forge.yml": settings } });
  const { promise: stopped, resolve: goOn } = Promise.withResolvers<void>();
  at.github.workflows(REPOSITORY).on(WORKFLOW, () => stopped);
  await at.label();
  await at.github.mergePullRequest(REPOSITORY, at.issue + 1, "ana");
  await shows("**Waiting for a person's yes to deploy `");
  say("/forge approve G-1 it is the first version");
  await shows("to staging** · 100 % of the traffic");
  say("/forge stop", "ben");
  await shows("stopped by `ben`");
  goOn();
  await shows("**Done**: pull request #2 is merged");
  expect(status()).toContain("runs in staging");
  await at.world.settled();
  expect(at.github.deployments(REPOSITORY).map((each) => each.environment)).toEqual(["staging"]);
});
