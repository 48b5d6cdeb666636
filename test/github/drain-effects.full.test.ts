import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandSource } from "../../src/domain/command-source.ts";
import { ForgeError, RetryLater } from "../../src/domain/errors.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { IssueInput } from "../../src/domain/inputs.ts";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import type { NumberedSubject } from "../../src/domain/subjects.ts";
import { createAppClient } from "../../src/github/app-client.ts";
import type { PushOutcome } from "../../src/github/effects/effect-ports.ts";
import { createGitHubSender } from "../../src/github/send-effects.ts";
import { createEffectDrain, giveUpEffect } from "../../src/pipeline/runs/effects/drain-effects.ts";
import { handleInput } from "../../src/pipeline/runs/handle-input.ts";
import { listEffectsOfRun, nextEffects } from "../../src/store/effects/read-effects.ts";
import { markEffectSending } from "../../src/store/effects/settle-effect.ts";
import { takeWrite } from "../../src/store/effects/take-write.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { temporaryFolder } from "../store/databases.ts";
import { wording } from "./samples.ts";
import { estimate, plan } from "./work-samples.ts";

const STORE = "acme/store";
const RUN = "run-1";
const AT = "2026-11-20T10:00:00.000Z";
const folder = temporaryFolder();
let world: World;
let store: Store;
let subject: NumberedSubject;
let push: () => Promise<PushOutcome>;

beforeEach(async () => {
  world = await createWorld({ start: false });
  const { github, installation } = world;
  const { id } = await github.createRepository("acme", "store", { files: { "README.md": "# Store\n" } });
  const { number } = github.openIssue(STORE, { title: "Limit the login", by: "ana" });
  subject = {
    kind: "issue",
    repository: { id, owner: "acme", name: "store", installationId: installation.id },
    number,
  };
  store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
  push = async () => ({ is: "pushed" });
});
afterEach(async () => {
  await closeStore(store);
  await world.end();
  expect(world.github.referee.findings).toEqual([]);
});

const makeId = createIdMaker();

type Told = { [T in IssueInput as T["type"]]: Omit<T, "subject" | "at" | "newRunId" | "runId"> }[IssueInput["type"]];

/** Something happens to the run on the issue. */
async function tell(input: Told): Promise<void> {
  const { ignored } = await handleInput({ store, makeId }, {
    subject,
    at: AT,
    newRunId: RUN,
    runId: RUN,
    ...input,
  } as IssueInput);
  expect(ignored).toBeUndefined();
}

/** What a worker does with the effects that wait; what it is told of them. */
async function drain() {
  const { app, github, webhookSecrets } = world.config;
  const client = createAppClient({
    ...{ appId: app.id, privateKey: app.privateKey, webhookSecret: webhookSecrets[0]!, apiUrl: github.apiUrl },
    log: pino({ level: "silent" }),
  });
  const now = () => AT;
  const host = { store, client, now, wording, key: Buffer.from("a key for tests only"), pushBranch: () => push() };
  const send = createGitHubSender(host);
  const apply = createEffectDrain({ store, makeId, now, send, log: pino({ level: "silent" }) });
  const job = await claimJob(store, { workerId: "w", now: AT, leaseMs: 60_000, kinds: ["effects"] });
  const fence = { jobId: job!.id, token: job!.token };
  await apply(subject, { signal: new AbortController().signal, fence });
  await completeJob(store, job!);
}

const by = { login: "ana", id: 7, kind: "user" } as const;
const said = { by, role: "admin", at: AT, text: "Passwords can be tried without end." } as const;
const snapshot = {
  title: "Limit the login",
  body: said,
  labels: [],
  comments: [],
  leftOut: { comments: 0, characters: 0 },
};
const took = { durationMs: 1_000, costUsd: 0.2 };

/** Asked for, planned and begun. */
async function planned(source: CommandSource = { kind: "label", id: "delivery-1" }): Promise<void> {
  await tell({
    type: "command.given",
    source,
    index: 0,
    by,
    role: "admin",
    parsed: { command: { name: "implement" } },
    alone: true,
    plain: false,
    issue: { open: true, snapshot },
  });
  const base = { ref: "main", sha: "0".repeat(40) };
  await tell({ type: "work.observed", attempt: 1, open: true, configuration: DEFAULT_REPO_CONFIG, base });
  await tell({ type: "plan.made", plan: plan(), estimate, ...took });
}

/** A commit, which waits to be pushed. */
async function implemented(): Promise<string> {
  const branch = `forge/${subject.number}-rate-limit-the-login-endpoint`;
  const files = { "limiter.ts": "export {};\n" };
  const headSha = await world.github.commit(STORE, branch, { files, message: "feat: limit the login", author: "ana" });
  const commits = [{ sha: headSha, subject: "feat: limit the login" }];
  const work = { headSha, treeSha: "1".repeat(40), commits, filesChanged: 1, testsAdded: 0, validated: true };
  await tell({ type: "work.finished", work: { ...work, answers: [], notDone: [] }, ...took });
  return headSha;
}

const states = async (kind: string) =>
  (await listEffectsOfRun(store, RUN)).filter((effect) => effect.kind === kind).map(({ state }) => state);
const events = async () => (await readEvents(store, RUN)).map(({ type }) => type);
const comments = () => world.github.issue(STORE, subject.number).comments.map(({ body }) => body.split("\n")[0]);

describe("effects of the work on an issue", () => {
  it("GH-12: a status that a later one replaces at once is not written", async () => {
    await planned();
    const all = await states("issue.status");
    expect(all.length).toBeGreaterThan(1);
    await drain();
    expect(await states("issue.status")).toEqual([...all.slice(1).map(() => "obsolete"), "done"]);
    expect(comments()).toEqual([expect.stringContaining("**Plan: "), expect.stringContaining("**Implementing**")]);
  });

  it("GH-13: a push and the pull request after it are told to the run, in the transaction that settles them", async () => {
    await planned();
    await drain();
    const headSha = await implemented();
    await drain();
    expect(await events()).toContain("branch.pushed");
    await drain();
    expect(await states("branch.push")).toEqual(["done"]);
    expect(await states("pull.open")).toEqual(["done"]);
    const opened = (await readEvents(store, RUN)).find(({ type }) => type === "pull.opened");
    expect(opened?.payload).toEqual({ number: subject.number + 1, headSha });
    expect(world.github.pullRequest(STORE, subject.number + 1)).toMatchObject({ draft: true, headSha });
    expect(comments()).toHaveLength(2);
  });

  it("a branch of the same name that is somebody else's is told too, and nothing is opened", async () => {
    await planned();
    await implemented();
    push = async () => ({ is: "moved", to: "b".repeat(40) });
    await drain();
    expect(await events()).toContain("branch.taken");
    expect(await states("pull.open")).toEqual([]);
  });

  it("GH-12a: a push that GitHub refuses stops the run, which says why and what to do", async () => {
    await planned();
    await implemented();
    push = async () => ({ is: "refused", reason: "GH006: Protected branch update failed" });
    await drain();
    expect(await events()).toContain("run.stopped");
    await drain();
    expect(comments().join("\n")).toContain("A branch protection or ruleset covers `forge/**`");
  });

  it("PIPE-7: where the process died twice at a push, it counts as failed, the run stops and says so", async () => {
    await planned();
    await drain();
    await implemented();
    const job = await claimJob(store, { workerId: "w", now: AT, leaseMs: 60_000, kinds: ["effects"] });
    const error = new ForgeError("set_aside", "Forge ended twice while at work on this: set aside", {
      source: "resource",
      recoverability: "none",
    });
    const dependencies = { store, makeId, log: pino({ level: "silent" }), now: () => AT };
    await giveUpEffect(dependencies, { subject }, { fence: { jobId: job!.id, token: job!.token }, error });
    await completeJob(store, job!);
    expect(await states("branch.push")).toEqual(["failed"]);
    expect(await events()).toContain("run.stopped");
    await drain();
    expect(comments().join("\n")).toContain("Forge ended twice while at work on this: set aside");
  });

  it("PIPE-7: it is the effect that was being sent which fails, not one that waits before it", async () => {
    await planned({ kind: "issue_comment", id: "1" });
    const job = await claimJob(store, { workerId: "w", now: AT, leaseMs: 60_000, kinds: ["effects"] });
    const fence = { jobId: job!.id, token: job!.token };
    const waiting = () => nextEffects(store, subject);
    const before = await waiting();
    const sending = before.at(-1)!;
    expect(before.length).toBeGreaterThan(2);
    await markEffectSending(store, { key: sending.key, first: true }, AT, fence);
    const error = new ForgeError("set_aside", "died", { source: "resource", recoverability: "none" });
    const dependencies = { store, makeId, log: pino({ level: "silent" }), now: () => AT };
    await giveUpEffect(dependencies, { subject }, { fence, error });
    const left = before.slice(0, -1).map(({ key }) => key);
    expect((await waiting()).map(({ key }) => key)).toEqual([...left, expect.stringContaining("/unwritten/")]);
  });

  it("GH-12: where the budget of writes is short the plan goes before reactions and progress, which wait", async () => {
    const { installationId } = subject.repository;
    const write = { installationId, at: AT, content: true, courtesy: true };
    await Promise.all(Array.from({ length: 60 }, () => takeWrite(store, write)));
    await planned({ kind: "issue_comment", id: "1" });
    await expect(drain()).rejects.toMatchObject({ constructor: RetryLater, afterMs: 60_000 });
    expect(comments()).toEqual([expect.stringContaining("**Plan: ")]);
    const left = await nextEffects(store, subject);
    // Waiting looks neither like an attempt nor like a crash.
    expect(left.map(({ kind, state, attempts }) => [kind, state, attempts])).toEqual([
      ["comment.react", "planned", 0],
      ["issue.status", "planned", 0],
    ]);
  });

  it("waits where GitHub does not answer a push", async () => {
    await planned();
    await implemented();
    push = async () => ({ is: "unavailable", reason: "the connection was cut" });
    await expect(drain()).rejects.toMatchObject({ constructor: RetryLater, afterMs: 5_000 });
    expect(await states("branch.push")).toEqual(["sending"]);
  });
});
