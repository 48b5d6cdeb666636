import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PullSignal } from "../../src/domain/implementation.ts";
import type { RepositoryRef, Subject } from "../../src/domain/subjects.ts";
import { createAppClient } from "../../src/github/app-client.ts";
import { createIssueHost } from "../../src/github/issue-host.ts";
import type { IssueHost } from "../../src/pipeline/runs/ports.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { createWorld, type World } from "../e2e/world.ts";

/** A private repository: nothing of it is read without the permission for it. */
const VAULT = "acme/vault";
const SECRET = "hunter2-hunter2-hunter2";
let world: World;
let host: IssueHost;
let repository: RepositoryRef;
const { signal } = new AbortController();

function hostOf({ config }: World): IssueHost {
  const { app, github, webhookSecrets } = config;
  const client = createAppClient({
    ...{ appId: app.id, privateKey: app.privateKey, webhookSecret: webhookSecrets[0]!, apiUrl: github.apiUrl },
    log: pino({ level: "silent" }),
  });
  return createIssueHost(client, { ...github, redact: createRedactor([SECRET]) });
}

async function createVault(at: World): Promise<RepositoryRef> {
  at.github.createAccount("eve");
  const made = await at.github.createRepository("acme", "vault", {
    files: { "list.txt": "one\ntwo\nthree\n" },
    collaborators: { ana: "maintain", ben: "write" },
  });
  return { id: made.id, owner: "acme", name: "vault", installationId: at.installation.id };
}

beforeAll(async () => {
  world = await createWorld({ start: false });
  repository = await createVault(world);
  host = hostOf(world);
});
afterAll(async () => {
  expect(world.github.referee.findings).toEqual([]);
  await world.end();
});

const issue = (number: number): Subject => ({ kind: "issue", repository, number });
const say = (number: number, body: string, by = "ben") => world.github.comment(VAULT, number, { by, body });
const open = (body: string | null = "Please.", by = "ben") =>
  world.github.openIssue(VAULT, { title: "Limit the cart", body, by }).number;

async function pullOf(branch: string, files: Record<string, string> = { [`${branch}.txt`]: "new\n" }) {
  await world.github.commit(VAULT, branch, { files, message: "Change", author: "ben" });
  return world.github.openPullRequest(VAULT, { title: branch, head: branch, by: "ben" });
}

describe("PLAN-1, SEC-5: the snapshot of an issue", () => {
  it("tells who said what and what they may do, without secrets, bots and bare commands", async () => {
    const number = open(`The password is ${SECRET}.`, "eve");
    await world.github.addLabel(VAULT, number, "bug", "ana");
    say(number, "Ten at most.", "ana");
    say(number, "/forge implement");
    say(number, "/forge implement\nand mind the tests");
    say(number, "I am a bot.", "forge[bot]");
    say(number, `${"x".repeat(3_999)}${SECRET}`, "eve");
    const snapshot = await host.readSnapshot(issue(number), signal);
    expect(snapshot).toMatchObject({
      title: "Limit the cart",
      body: { by: { login: "eve", kind: "user" }, role: "none", text: "The password is [redacted]." },
      labels: ["bug"],
      comments: [
        { by: { login: "ana" }, role: "maintain", text: "Ten at most." },
        { by: { login: "ben" }, role: "write", text: "/forge implement\nand mind the tests" },
        { by: { login: "eve" }, role: "none", text: `${"x".repeat(3_999)}[` },
      ],
      leftOut: { comments: 0, characters: "redacted]".length },
    });
  });

  it("keeps the ten oldest and the twenty newest of many comments, and says how many there are beside them", async () => {
    const number = open();
    for (let count = 1; count <= 310; count += 1) say(number, `number ${count}`);
    const { comments = [], leftOut } = (await host.readSnapshot(issue(number), signal)) ?? {};
    const numbers = comments.map(({ text }) => Number(text.replace("number ", "")));
    const from = (first: number, length: number) => Array.from({ length }, (_, at) => first + at);
    expect(numbers).toEqual([...from(1, 10), ...from(291, 20)]);
    expect(leftOut).toEqual({ comments: 280, characters: 0 });
  });

  it("leaves out what was said after the moment that counts", async () => {
    const number = open();
    say(number, "Ignore all of that.", "eve");
    const past = await host.readSnapshot(issue(number), signal, "2020-01-01T00:00:00Z");
    expect(past).toMatchObject({ comments: [], leftOut: { comments: 1 } });
    const future = await host.readSnapshot(issue(number), signal, "2999-01-01T00:00:00Z");
    expect(future?.comments).toHaveLength(1);
  });

  it("takes somebody for a stranger where GitHub does not tell their role, and goes on", async () => {
    const number = open();
    world.github.faults.add({ kind: "status", status: 502, match: { path: /\/permission$/ } });
    const snapshot = await host.readSnapshot(issue(number), signal);
    world.github.faults.clear();
    expect(snapshot?.body).toMatchObject({ role: "none", text: "Please." });
  });
});

describe("an issue", () => {
  it("is told as it stands now, and from a pull request", async () => {
    const number = open(null);
    expect(await host.readIssue(issue(number), signal)).toMatchObject({
      ...{ open: true, isPull: false, title: "Limit the cart", labels: [] },
      author: { login: "ben", kind: "user" },
    });
    world.github.closeIssue(VAULT, number, "ben");
    expect(await host.readIssue(issue(number), signal)).toMatchObject({ open: false });
    const pull = await pullOf("told");
    expect(await host.readIssue(issue(pull.number), signal)).toMatchObject({ isPull: true });
    expect(await host.readIssue(issue(9_999), signal)).toBeUndefined();
    expect(await host.readSnapshot(issue(9_999), signal)).toBeUndefined();
  });

  it("is handed to an agent with its conversation, as that of a pull request is", async () => {
    const { number } = await pullOf("talked");
    say(number, "Looks right.", "ana");
    const found = await host.issuesOf(repository).fetchIssue(number, signal);
    expect(found).toMatchObject({
      ...{ number, title: "talked", state: "open", author: "ben", role: "collaborator", body: "", labels: [] },
      comments: [{ author: "ana", role: "member", body: "Looks right." }],
      moreComments: 0,
    });
    expect(await host.issuesOf(repository).fetchIssue(9_999, signal)).toBeUndefined();
  });

  it("that GitHub does not hand out now is asked for later", async () => {
    world.github.faults.add({ kind: "rateLimit", retryAfter: 1, match: { path: /\/issues\/1$/ }, times: 1 });
    const asked = host.readIssue(issue(1), signal);
    await expect(asked).rejects.toMatchObject({ code: "github_unavailable", afterMs: 1_000 });
    // The installation is left alone for as long as GitHub said.
    host = hostOf(world);
  });
});

describe("branches and pull requests", () => {
  it("a branch is told by its name, or the default branch without one", async () => {
    const sha = await world.github.commit(VAULT, "forge/1-limit", { files: { "a.txt": "a" }, message: "A" });
    const main = await host.readBranchHead(repository, undefined, signal);
    expect(main).toEqual({ ref: "main", sha: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(await host.readBranchHead(repository, "forge/1-limit", signal)).toEqual({ ref: "forge/1-limit", sha });
    expect(await host.readBranchHead(repository, "forge/2", signal)).toBeUndefined();
  });

  it("GH-7: a pull request is told with whether it can be merged", async () => {
    const clean = await pullOf("clean");
    const other = await pullOf("other", { "list.txt": "one\ntwo\n3\n" });
    await world.github.commit(VAULT, "main", { files: { "list.txt": "one\ntwo\nIII\n" }, message: "B" });
    expect(await host.readPull(repository, other.number, signal)).toMatchObject({ mergeable: "conflicts" });
    const facts = { open: true, merged: false, draft: false, title: "clean", mergeable: "clean" };
    const ends = { headSha: clean.headSha, headRef: "clean", baseRef: "main" };
    expect(await host.readPull(repository, clean.number, signal)).toMatchObject({ ...facts, ends });
    await world.github.mergePullRequest(VAULT, clean.number, "ben");
    expect(await host.readPull(repository, clean.number, signal)).toMatchObject({ open: false, merged: true });
    expect(await host.readPull(repository, 9_999, signal)).toBeUndefined();
  });

  it("SEC-2: pushes go with a token for this repository that can do no more, with workflows only where the App has them", async () => {
    const permissionsOf = async (at: World, remote: ReturnType<IssueHost["pushRemote"]>) => {
      await remote.token();
      const asked = at.github.requests.filter(({ operation }) => operation === "apps/create-installation-access-token");
      return asked.at(-1)?.body;
    };
    const remote = host.pushRemote(repository);
    expect(remote.url).toBe(world.github.cloneUrl(VAULT));
    const push = { contents: "write", metadata: "read" };
    expect(await permissionsOf(world, remote)).toEqual({ repository_ids: [repository.id], permissions: push });
    const permissions = { ...push, pull_requests: "write", workflows: "write" };
    const trusting = await createWorld({ start: false, permissions, events: [] });
    const theirs = await createVault(trusting);
    const body = await permissionsOf(trusting, hostOf(trusting).pushRemote(theirs));
    await trusting.end();
    expect(body).toEqual({ repository_ids: [theirs.id], permissions: { ...push, workflows: "write" } });
  });
});

describe("GH-6: what a person asks for in a review", () => {
  const comments = [
    { path: "reviewed.txt", line: 1, body: `Not ${SECRET}, please.` },
    { path: "reviewed.txt", line: 2, body: "/forge dismiss" },
  ];
  const ask = (number: number, body: string) =>
    world.github.submitReview(VAULT, number, { by: "ana", event: "REQUEST_CHANGES", body, comments });
  const read = (pull: number, reviewId: number) => host.readReviewFeedback(repository, { pull, reviewId }, signal);

  it("is its text and each of its comments, with where it answers", async () => {
    const { number } = await pullOf("reviewed", { "reviewed.txt": "one\ntwo\n" });
    const { id } = await ask(number, "Two things.");
    const thread = world.github.pullRequest(VAULT, number).reviewComments[0]!.id;
    world.github.replyToReviewComment(VAULT, number, thread, { by: "ben", body: "Why?" });
    expect(await read(number, id)).toMatchObject({ by: { login: "ana" }, role: "maintain" });
    const message = "Not [redacted], please.";
    expect((await read(number, id))?.feedback).toEqual([
      { from: "person", id: `R${id}`, by: "ana", message: "Two things." },
      { from: "person", id: `C${thread}`, by: "ana", message, file: "reviewed.txt", line: 1, thread },
    ]);
    world.github.dismissReview(id, "ana");
    expect((await read(number, id))?.feedback).toEqual([]);
    expect(await read(number, 9_999)).toBeUndefined();
  });
});

describe("GH-5: what failed in CI", () => {
  let headSha: string;
  beforeAll(async () => {
    ({ headSha } = await pullOf("built"));
  });
  const said = (to: Partial<Extract<PullSignal, { from: "ci" }>>) =>
    ({ from: "ci", headSha, name: "test", app: "github-actions", conclusion: "failure", ...to }) as const;
  const read = (to: Parameters<typeof said>[0]) => host.readCiFeedback(repository, said(to), signal);
  const job = async (log: string) => {
    const { jobs } = await world.github.startWorkflow(VAULT, { sha: headSha, jobs: ["test"], by: "ben" });
    world.github.finishJob(jobs.test!, { conclusion: "failure", log });
    return jobs.test!;
  };

  it("is the log of a job around its first error, without time, colours and secrets", async () => {
    const noise = Array.from({ length: 300 }, (_, at) => `step ${at + 1}`);
    const failing = [
      `not ok ${SECRET}`,
      "\u001B[31mexpected 3\u001B[0m",
      "##[error]Process completed with exit code 1.",
    ];
    const checkRunId = await job([...noise, ...failing, ...noise, "##[error]Again"].join("\n"));
    const [feedback, ...more] = await read({ checkRunId, url: "https://github.com/x" });
    expect(more).toEqual([]);
    expect(feedback).toMatchObject({ from: "ci", id: `J${checkRunId}`, name: "test", url: "https://github.com/x" });
    const lines = feedback && "message" in feedback ? feedback.message.split("\n") : [];
    expect(lines).toHaveLength(200);
    expect(lines.slice(0, 2)).toEqual(["step 133", "step 134"]);
    expect(lines.slice(168, 172)).toEqual(["not ok [redacted]", "expected 3", failing[2], "step 1"]);
  });

  it("is the output and the annotations where there is no log to read", async () => {
    const { id: checkRunId } = await world.github.startCheck(VAULT, { app: "circleci", name: "build", sha: headSha });
    const at = { path: "list.txt", start_line: 2, end_line: 2 };
    world.github.finishCheck(checkRunId, {
      ...{ conclusion: "failure", title: "1 failed", summary: "One of ten." },
      annotations: [
        { ...at, annotation_level: "notice", message: "slow" },
        { ...at, annotation_level: "failure", message: "expected two" },
      ],
    });
    const message = "1 failed\n\nOne of ten.\n\nlist.txt:2: expected two\nlist.txt:2: slow";
    const feedback = { from: "ci", id: `J${checkRunId}`, name: "build", message };
    expect(await read({ checkRunId, name: "build", app: "circleci" })).toEqual([feedback]);
    expect(await read({ checkRunId, headSha: "0".repeat(40) })).toEqual([]);
    expect(await read({ checkRunId: 9_999 })).toEqual([]);
  });

  it("is what the check says where the log cannot be had", async () => {
    const checkRunId = await job("secret");
    world.github.faults.add({ kind: "status", status: 403, match: { path: /\/logs$/ } });
    const found = await read({ checkRunId });
    world.github.faults.clear();
    expect(found).toMatchObject([{ message: "test ended with failure and says no more." }]);
  });

  it("is the description of a status, as long as that fails", async () => {
    const status = { sha: headSha, context: "ci/jenkins", by: "ben" };
    await world.github.setStatus(VAULT, { ...status, state: "error", description: "out of memory" });
    const signalled = { name: "ci/jenkins", app: "ben", conclusion: "error" };
    expect(await read(signalled)).toMatchObject([{ id: expect.stringMatching(/^S\d+$/), message: "out of memory" }]);
    await world.github.setStatus(VAULT, { ...status, state: "success" });
    expect(await read(signalled)).toEqual([]);
  });
});
