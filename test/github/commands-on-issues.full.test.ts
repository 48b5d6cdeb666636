import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Command } from "../../src/domain/commands.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import type { GateQuestion } from "../../src/domain/gates.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { RunStatus } from "../../src/domain/phases.ts";
import type { NumberedSubject, Subject } from "../../src/domain/subjects.ts";
import { type AppClient, createAppClient } from "../../src/github/app-client.ts";
import { createCommentReader } from "../../src/github/comment-reader.ts";
import { createIssueHost } from "../../src/github/issue-host.ts";
import { createPullRequestHost } from "../../src/github/pull-request-host.ts";
import { readCommandTarget, redirectTarget } from "../../src/pipeline/commands/command-facts.ts";
import { bodyHash } from "../../src/pipeline/commands/parse-comment.ts";
import { readGiven } from "../../src/pipeline/commands/run-commands.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createWorld, type World } from "../e2e/world.ts";
import { run } from "../store/fixtures.ts";

const SHOP = "acme/shop";
const SECRET = "hunter2-hunter2-hunter2";
const AT = "2026-11-20T10:00:00.000Z";
const redact = createRedactor([SECRET]);
const makeId = createIdMaker();
const { signal } = new AbortController();
let world: World;
let client: AppClient;
let store: Store;
let issue: NumberedSubject;
let pull: NumberedSubject;
let sequence = 0;

beforeAll(async () => {
  world = await createWorld({ start: false });
  const { app, github, webhookSecrets } = world.config;
  client = createAppClient({
    ...{ appId: app.id, privateKey: app.privateKey, webhookSecret: webhookSecrets[0]!, apiUrl: github.apiUrl },
    log: pino({ level: "silent" }),
  });
});
afterAll(async () => {
  expect(world.github.referee.findings).toEqual([]);
  await world.end();
});

/** An issue and a pull request of their own, in a database of their own. */
beforeEach(async () => {
  const { github, installation, directory } = world;
  sequence += 1;
  store = await openStore({ url: `file:${join(directory, `commands-${sequence}.db`)}` });
  const branch = `forge/${sequence}`;
  await github.commit(SHOP, branch, { files: { [`${sequence}.txt`]: "new\n" }, message: "Change", author: "ben" });
  const { number } = await github.openPullRequest(SHOP, { title: "Limit", head: branch, by: "ben" });
  const id = world.github.deliveries.at(-1)!.repositoryId!;
  const repository = { id, owner: "acme", name: "shop", installationId: installation.id };
  issue = { kind: "issue", repository, number: github.openIssue(SHOP, { title: "Limit", by: "ana" }).number };
  pull = { kind: "pull_request", repository, number };
  return () => closeStore(store);
});

const ports = () => ({
  store,
  redact,
  comments: createCommentReader(client),
  host: createPullRequestHost(client, world.config.github),
  issues: createIssueHost(client, { ...world.config.github, redact }),
});

/** The work on the issue, which opened the pull request. */
function work(status: RunStatus = "running") {
  const of = { kind: "implement", subject: issue, pullNumber: pull.number, branch: "forge/1" } as const;
  return commitDecision(store, { appends: [], run: [run("run-work", status, of)], at: AT, makeId, source: "test" });
}

/** An open gate of a run. */
async function wait(runId: string, subject: Subject, question: GateQuestion) {
  const kind = subject.kind === "issue" ? "implement" : "review";
  const payload = { gate: "G-1", question, headSha: "a".repeat(40), deadline: AT, needs: "write" } as const;
  const events: NewEvent[] = [{ type: "gate.requested", payload }];
  const appends = [{ traceId: runId, expectedVersion: 0, events }];
  const projected = run(runId, "waiting", { kind, subject });
  await commitDecision(store, { appends, run: [projected], at: AT, makeId, source: "test" });
}

const QUESTION = { type: "question", agentId: "planner", question: "How many?", phase: "planning" } as const;
const OVERRUN = { type: "cost_overrun", usedUsd: 2, limitUsd: 2, next: "read on" } as const;

describe("GH-14: where a command is carried out", () => {
  const placed = async (command: Command) => {
    const place = (await readCommandTarget(ports(), pull, signal))!;
    const { kind, subject } = await redirectTarget(ports(), place, { command }, signal);
    return { kind, subject };
  };
  const STOP = { name: "stop" } as const;
  const APPROVE = { name: "approve" } as const;

  it("an issue is told with the pull request of the work on it", async () => {
    expect(await readCommandTarget(ports(), issue, signal)).toEqual({
      kind: "issue",
      subject: issue,
      issue: { open: true },
    });
    await work();
    world.github.closeIssue(SHOP, issue.number, "ana");
    const { headSha } = world.github.pullRequest(SHOP, pull.number);
    const known = { number: pull.number, open: true, title: "Limit", ends: { headSha } };
    expect(await readCommandTarget(ports(), issue, signal)).toMatchObject({ issue: { open: false }, pull: known });
    expect(await readCommandTarget(ports(), { ...issue, number: pull.number }, signal)).toBeUndefined();
    expect(await readCommandTarget(ports(), { ...issue, number: 9_999 }, signal)).toBeUndefined();
  });

  it("what is about the work goes from its pull request to the issue, all else stays", async () => {
    expect(await placed(STOP)).toEqual({ kind: "pull", subject: pull });
    await work();
    const onIssue = { kind: "issue", subject: issue };
    const aboutWork: Command[] = [STOP, APPROVE, { name: "test" }, { name: "fix", findings: [] }];
    for (const command of aboutWork) {
      expect(await placed(command)).toEqual(onIssue);
    }
    for (const command of [{ name: "review", full: false }, { name: "status" }, { name: "cost" }] as const) {
      expect(await placed(command)).toEqual({ kind: "pull", subject: pull });
    }
    const place = (await readCommandTarget(ports(), pull, signal))!;
    const told = await redirectTarget(ports(), place, { command: STOP }, signal);
    expect(told).toMatchObject({
      givenOn: pull,
      pull: { number: pull.number, open: true },
      issue: { open: true },
    });
    expect(await redirectTarget(ports(), place, { refusal: { reason: "edited" } }, signal)).toBe(place);
  });

  it("it goes there while the work can go on: also when it failed, not when it is over", async () => {
    await work("failed");
    expect(await placed(STOP)).toEqual({ kind: "issue", subject: issue });
    await work("completed");
    expect(await placed(STOP)).toEqual({ kind: "pull", subject: pull });
  });

  it("an answer is for the review of the pull request while that waits for one", async () => {
    await work();
    await wait("run-review", pull, OVERRUN);
    expect(await placed(APPROVE)).toEqual({ kind: "pull", subject: pull });
    expect(await placed(STOP)).toEqual({ kind: "issue", subject: issue });
  });
});

describe("GH-4: what is given on an issue", () => {
  const given = (job: Partial<Parameters<typeof readGiven>[1]>) => {
    const source = { kind: "label", id: "delivery-1" } as const;
    return readGiven(ports(), { subject: issue, source, plain: false, ...job }, signal);
  };
  const say = (body: string, by = "ben") => {
    const { id } = world.github.comment(SHOP, issue.number, { by, body });
    return { source: { kind: "issue_comment", id: String(id) }, bodyHash: bodyHash(body) } as const;
  };

  it("GH-1: the label is the command of whoever put it there", async () => {
    const by = { login: "ana", id: 5, kind: "user" } as const;
    const press = { identifier: "implement", by };
    expect(await given({ press })).toEqual({ by, commands: [{ command: { name: "implement" } }], alone: true });
    expect(await given({ press: { ...press, identifier: "unknown" } })).toBeUndefined();
  });

  it("plain words are an answer as long as a question is open, without secrets and not endless", async () => {
    const said = { ...say(`Ten, as ${SECRET} says. ${"x".repeat(5_000)}`), talk: true };
    expect(await given(said)).toBeUndefined();
    await wait("run-plan", issue, QUESTION);
    const answered = await given(said);
    const text = `Ten, as [redacted] says. ${"x".repeat(5_000)}`.slice(0, 4_000);
    expect(answered).toMatchObject({ by: { login: "ben" }, commands: [{ command: { name: "answer", text } }] });
    expect(await given({ ...said, bodyHash: bodyHash("edited since") })).toBeUndefined();
  });

  it("a comment with commands is told with when it was written, and refused when it was edited", async () => {
    const said = say("/forge status");
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await given(said)).toMatchObject({ at, commands: [{ command: { name: "status" } }] });
    const edited = { ...said, bodyHash: bodyHash("/forge stop") };
    expect(await given(edited)).toMatchObject({ refusal: { reason: "edited" }, by: { login: "ben" } });
  });
});
