import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProductionFeedback } from "../../../src/domain/production-feedback.ts";
import { suspect } from "../../../src/pipeline/deploy/feedback/suspect.ts";
import { versionsMet } from "../../../src/pipeline/deploy/feedback/versions-met.ts";
import type { VersionRange } from "../../../src/pipeline/deploy/work/ports.ts";
import { type Fixture, startFixture } from "../../workspace/fixture.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld();
const EVA = { login: "eva", id: 3 };
let fixture: Fixture;
let good = "";
let bad = "";
let run = "";

const lines = (third: string) => `one();\ntwo();\n${third}\nfour();\n`;
const moment = () => new Date(Date.parse("2026-11-20T10:00:00.000Z") + world.minutes * 60_000).toISOString();

beforeEach(async () => {
  fixture = await startFixture();
  good = fixture.origin.commit({ branch: "main", files: [{ path: "src/a.js", content: lines("three();") }] });
  bad = fixture.origin.commit({
    ...{ branch: "main", parents: [good] },
    files: [{ path: "src/a.js", content: lines("tree();") }],
  });
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Brings a version as far as its first step, of 5 %. */
async function toFirstStep(sha: string, previous: string | undefined) {
  run = await world.request({ sha, id: `merged:${sha}:${world.minutes}` });
  await world.observe({ sha, previous });
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
  await world.say("approve", {}, EVA);
}

const stepped = (step: number, is: "done" | "never_started") =>
  world.tell({ type: "deploy.stepped", runId: run, step, outcome: { is } });

/** The bad version has 5 % of the traffic for ten minutes and is taken back. */
async function rolledBack() {
  await toFirstStep(bad, good);
  world.minutes += 10;
  await stepped(0, "done");
  await world.say("rollback", { reason: "it looks odd" }, EVA);
  await stepped(1, "done");
}

async function told(change: Partial<Extract<ProductionFeedback, { is: "error" }>> = {}, firstAt = moment()) {
  const frames = [{ file: "/app/src/a.js", line: 3, inApp: true }];
  const error: ProductionFeedback = {
    ...{ is: "error", id: "1", fingerprint: "f", type: "TypeError", message: "x", resolved: false, frames },
    ...{ release: `shop@${bad.slice(0, 12)}`, ...change },
  };
  const { git } = fixture.origin;
  const readRange = async (_repository: unknown, from: string | undefined, to: string): Promise<VersionRange> => {
    const pull = { number: 12, title: "Sum right", author: "ben" };
    if (from === undefined) return { is: "ahead", files: [], pulls: [pull], direct: 0, more: 0 };
    const is = from === to ? "same" : git("merge-base", `${from}`, to) === from ? "ahead" : "behind";
    const files = git("diff", "--name-only", `${from}`, to).split("\n").filter(Boolean);
    return { is, files, pulls: [], direct: 1, more: 0 };
  };
  const remote = () => ({ url: fixture.server.urlOf("origin"), allowHttp: true, token: async () => "t" });
  const dependencies = {
    ...{ store: world.store, deployHost: { readRange }, host: { remote }, mirrorRoot: `${fixture.folder}/m` },
  };
  const versions = await versionsMet(world.store, world.subject);
  return suspect(dependencies, world.subject, { feedback: error, firstAt, versions }, new AbortController().signal);
}

it("PROD-1: a version that had 5 % and was rolled back has caused what was seen first in it, on a line that it changed", async () => {
  await rolledBack();
  world.minutes += 30;
  const cause = {
    is: "caused",
    why: "after_and_on_line",
    sha: bad,
    runId: run,
    commit: bad,
    file: "src/a.js",
    line: 3,
    pull: 12,
  };
  expect(await told()).toEqual(cause);
  // A clock of the sender that is ahead says nothing, and is no reason to believe less than Forge heard itself.
  expect(await told({ firstSeen: "2027-01-01T00:00:00.000Z" })).toEqual(cause);
  // While the step was being made somebody could meet it.
  expect(await told({ firstSeen: "2026-11-20T10:05:00.000Z" })).toEqual(cause);
});

it("one condition alone is a suspicion, and none is nothing", async () => {
  await rolledBack();
  const before = "2026-11-20T09:59:59.000Z";
  expect(await told({ frames: [{ file: "src/a.js", line: 1, inApp: true }] })).toMatchObject({
    why: "after",
    sha: bad,
  });
  expect(await told({ firstSeen: before })).toMatchObject({ is: "suspected", why: "on_line", sha: bad });
  expect(await told({ firstSeen: before, frames: [{ file: "src/a.js", line: 1, inApp: true }] })).toBeUndefined();
  // What names no version was met by whoever runs there then, which is the version before again.
  world.minutes += 1;
  expect(await told({ release: "v1.2" })).toBeUndefined();
});

it("a version that nobody met has caused nothing, and of several the one that is named has", async () => {
  await toFirstStep(bad, good);
  await stepped(0, "never_started");
  expect(await told()).toBeUndefined();
  world.minutes += 5;
  await rolledBack();
  await world.say("release", {}, EVA);
  const first = run;
  world.minutes += 5;
  const worse = fixture.origin.commit({ branch: "main", parents: [bad], files: [{ path: "b.js", content: "b\n" }] });
  await toFirstStep(worse, good);
  await stepped(0, "done");
  expect(await told()).toMatchObject({ is: "caused", sha: bad, runId: first });
  expect(await told({ release: worse })).toMatchObject({ sha: worse, runId: run });
});
