import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import { learnHistories } from "../../src/learning/learn-history.ts";
import { mirrorOf } from "../../src/pipeline/change/fetch-ends.ts";
import { readChange } from "../../src/pipeline/change/read-change.ts";
import { measureRisk } from "../../src/pipeline/review/work/measure-risk.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { addJobs } from "../../src/store/jobs/add-jobs.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { keepConfiguration } from "../../src/store/runs/kept-configuration.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { pruneMirrors } from "../../src/workspace/prune-mirrors.ts";
import { DAY_MS, type Landing, land, START } from "../analysis/risk/past-changes.ts";
import { decision, pullRequest, run } from "../store/fixtures.ts";
import { expectOk, startFixture } from "../workspace/fixture.ts";

const { signal } = new AbortController();
const dayOf = (day: number) => new Date(START + day * DAY_MS).toISOString();

/** 120 changes of a file each, every fourth of which is mended two days later. */
const PAST: Landing[] = Array.from({ length: 120 }, (_, at) => {
  const add: Landing = { day: at, message: "Add", files: { [`src/${at}.js`]: `const value_${at} = ${at};\n` } };
  const fix: Landing = {
    day: at + 0.5,
    message: "Fix it",
    files: { [`src/${at}.js`]: `const value_${at} = -${at};\n` },
  };
  return at % 4 === 0 ? [add, fix] : [add];
}).flat();

async function scene() {
  const fixture = await startFixture();
  const shas = land(fixture.origin, [...PAST, { day: 300, message: "Add notes", files: { "notes.md": "n\n" } }]);
  const base = shas.at(-1)!;
  const store = await openStore({ url: `file:${join(fixture.folder, "forge.db")}` });
  const subject = pullRequest(1);
  const mirrorRoot = join(fixture.folder, "mirrors");
  const scratchRoot = join(fixture.folder, "scratch");
  mkdirSync(scratchRoot);
  const remote = { url: fixture.server.urlOf("origin"), allowHttp: true, token: async () => "t" };
  let now = dayOf(301);
  const host = { remote: () => remote };
  const started = (at: string, baseSha: string) => {
    const of = run(`run-${at}`, "completed", { startedAt: at, baseSha, subject });
    return commitDecision(store, decision({ appends: [], run: [of], at }));
  };
  await started(now, base);
  const mirror = mirrorOf(subject.repository, mirrorRoot, remote);
  return {
    ...{ fixture, store, subject, mirror, mirrorRoot, scratchRoot, base, started },
    fetch: async (sha: string) => expectOk(await fetchCommits(mirror, { shas: [sha] })),
    learn: () => learnHistories({ store, host, now: () => now, mirrorRoot, scratchRoot }, signal),
    at: (day: number) => {
      now = dayOf(day);
    },
    async [Symbol.asyncDispose]() {
      await closeStore(store);
      await fixture[Symbol.asyncDispose]();
    },
  };
}

it("RISK-1: what the history says is worked out beside the mirror, once for a head, and said of the next change", async () => {
  await using here = await scene();
  expect(await here.learn()).toBeUndefined();
  await here.fetch(here.base);
  expect(await here.learn()).toEqual({ repository: 100, changes: 150, fitted: false });
  expect(await here.learn()).toBeUndefined();

  const [head] = land(here.fixture.origin, [
    { day: 301, message: "Add", files: { "src/new.js": "const fresh = 1;\n" } },
  ]);
  await here.fetch(head!);
  const change = await readChange(here.mirror, { baseSha: here.base, headSha: head! }, signal);
  const configuration = DEFAULT_REPO_CONFIG;
  const asked = { change, configuration, author: "ana", at: dayOf(301), scratchRoot: here.scratchRoot, signal };
  const risk = await measureRisk({ mirror: here.mirror, ...asked });
  expect(risk?.mended).toMatchObject({ all: 150, allMended: 30, days: 90, alike: 100 });
  expect(risk?.mended?.mended).toBeGreaterThan(10);

  const off = { ...configuration, review: { ...configuration.review, learn_risk: false } };
  expect(await measureRisk({ mirror: here.mirror, ...asked, configuration: off })).not.toHaveProperty("mended");
  writeFileSync(here.mirror.places.learnt, '{"version":1,"head":"x","past":[[1');
  const without = await measureRisk({ mirror: here.mirror, ...asked });
  expect(without).toEqual({ ...risk, mended: undefined });
  expect(without).not.toHaveProperty("mended");
});

it("RISK-1: an old result is renewed when the head moved, after a week and not before", async () => {
  await using here = await scene();
  await here.fetch(here.base);
  expect(await here.learn()).toMatchObject({ changes: 150 });
  const [moved] = land(here.fixture.origin, [{ day: 299, message: "Add", files: { "z.js": "z();\n" } }]);
  await here.fetch(moved!);
  await here.started(dayOf(302), moved!);
  here.at(303);
  expect(await here.learn()).toBeUndefined();
  here.at(309);
  expect(await here.learn()).toMatchObject({ repository: 100 });
  expect(JSON.parse(readFileSync(here.mirror.places.learnt, "utf8")).head).toBe(moved);
});

it("RISK-1: where the repository does not want it, its history is not read", async () => {
  await using here = await scene();
  await here.fetch(here.base);
  const { installationId, id: repositoryId } = here.subject.repository;
  const key = { installationId, repositoryId };
  const off = { text: "review:\n  learn_risk: false\n", at: dayOf(300) };
  await keepConfiguration(here.store, key, off);
  expect(await here.learn()).toBeUndefined();
  await keepConfiguration(here.store, key, { ...off, text: "" });
  expect(await here.learn()).toMatchObject({ changes: 150 });
});

it("RISK-1: work on the repository goes before, and nothing half is kept", async () => {
  await using here = await scene();
  await here.fetch(here.base);
  const { subject } = here;
  const job = { kind: "review", key: "k", payload: { runId: "r", subject }, runAt: dayOf(300) } as const;
  await addJobs(here.store, [job]);
  expect(await here.learn()).toBeUndefined();
  expect(() => readFileSync(here.mirror.places.learnt)).toThrow(/ENOENT/);
});

it("RISK-1: a base that is gone is noted, and not tried again at once; pruning takes the result along", async () => {
  await using here = await scene();
  await here.fetch(here.base);
  await here.started(dayOf(301.1), "9".repeat(40));
  here.at(302);
  expect(await here.learn()).toMatchObject({ repository: 100, outcome: expect.stringContaining("failed") });
  expect(await here.learn()).toBeUndefined();
  expect(await pruneMirrors(here.mirrorRoot, 0)).toMatchObject({ removed: ["100"] });
  expect(() => readFileSync(here.mirror.places.learnt)).toThrow(/ENOENT/);
});
