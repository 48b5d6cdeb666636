import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { environmentSubject } from "../../src/domain/deployments.ts";
import { ForgeError } from "../../src/domain/errors.ts";
import type { Gate } from "../../src/domain/gates.ts";
import type { Input } from "../../src/domain/inputs.ts";
import type { RuleRequest } from "../../src/domain/protection.ts";
import { type NumberedSubject, numberOf, type RepositoryRef, type Subject } from "../../src/domain/subjects.ts";
import { createAppClient } from "../../src/github/app-client.ts";
import { createDeliveryHandler } from "../../src/github/handlers/handle-delivery.ts";
import type { HandlerDependencies } from "../../src/github/handlers/handler-dependencies.ts";
import { hintsOf, tellOfLost } from "../../src/github/handlers/lost-delivery.ts";
import type { IssueWork } from "../../src/pipeline/runs/implementation-of.ts";
import { aGitHub, as, type GitHub } from "../simulator/a-github.ts";

/** Webhooks as the simulator sends them to an App of app.yml, and what the handlers make of them. */
const SHOP = "acme/shop";
const AT = "2026-11-20T10:00:00.000Z";
const manifest = parse(readFileSync("app.yml", "utf8"));
let github: GitHub;
let shopId: number;
let pull: { number: number; headSha: string };
let submitted: Input[];
let labelled: RepositoryRef[];
let dispatched: unknown[];
let asks: boolean;
let ours: boolean;
let gates: Gate[];
let active: Subject[];

beforeAll(async () => {
  github = await aGitHub({ permissions: manifest.default_permissions, events: manifest.default_events });
  const token = await github.installationToken();
  shopId = as<{ id: number }>(await github.call("GET", "/repos/acme/shop", token)).id;
  pull = await github.aPullRequest();
});
afterAll(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});
beforeEach(async () => {
  await forget();
  labelled = [];
  dispatched = [];
  asks = false;
  ours = true;
  gates = [];
  active = [];
});

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
const { probot } = createAppClient({
  ...{ appId: 77, privateKey, webhookSecret: "unused", apiUrl: "http://127.0.0.1:1" },
  log: pino({ level: "silent" }),
});
const repository = () => ({ id: shopId, owner: "acme", name: "shop", installationId: github.installation.id });
const issueOf = (number: number): NumberedSubject => ({ kind: "issue", repository: repository(), number });

/** The work on issue 40, whose pull request is the one that there is. */
const work = (): IssueWork => {
  return { subject: issueOf(40), runId: "run-40", branch: "feature", headSha: pull.headSha, over: false };
};
const dependencies = {
  submit: async (input, fence) => {
    submitted.push(input);
    fences.push(fence);
    return {};
  },
  implementationOf: async (_, by) => {
    const isOurs = "pull" in by ? by.pull === pull.number : by.headSha === pull.headSha;
    return ours && isOurs ? work() : undefined;
  },
  awaitsAnswer: async ({ kind }) => asks && kind === "issue",
  openGates: async () => gates,
  createLabels: async (repositories) => {
    labelled.push(...repositories);
  },
  takeDispatched: async (_, told) => {
    dispatched.push(told);
    return {};
  },
  askRule: async (_, one) => {
    asked.push(one);
  },
  knownHeads: async () => [],
  deploymentOf: async () => undefined,
  activeSubjects: async () => active,
  forgetInstallation: async () => {},
  signOut: async () => {},
  accessChanged: async () => {},
  isHeadOfFix: async () => false,
  isSelf: async (login) => login === "forge[bot]",
  ...{ appId: 77, apiUrl: "https://api.github.com", now: () => AT, makeId: () => "id", debounceMs: 0 },
} satisfies HandlerDependencies;
const handle = createDeliveryHandler(probot, dependencies);

/** For what Forge was asked as the rule of an environment. */
const asked: RuleRequest[] = [];

/** Of the jobs that handed in. */
const fences: unknown[] = [];

/** What happened up to now is no part of the test. */
async function forget() {
  await github.simulator.idle();
  github.received.length = 0;
  submitted = [];
}

/** What came of all webhooks since the test began. */
async function heard() {
  await github.simulator.idle();
  const reasons: string[] = [];
  for (const { event, guid, text } of github.received) {
    const outcome = await handle({ guid, event, body: Buffer.from(text) });
    if (outcome.state === "ignored") reasons.push(outcome.reason);
  }
  return { reasons, types: submitted.map(({ type }) => type) };
}

const openIssue = (labels: string[] = []) =>
  github.simulator.openIssue(SHOP, { title: "Limit the cart", by: "ben", labels }).number;

it("PIPE-7: what a delivery asks for is a part of its job, and counts only while a worker has it", async () => {
  const number = openIssue();
  await forget();
  await github.simulator.addLabel(SHOP, number, "Forge:Implement", "ana");
  await github.simulator.idle();
  const [{ event, guid, text }] = github.received as [(typeof github.received)[number]];
  fences.length = 0;
  for (const fence of [{ jobId: "7", token: 3 }, undefined])
    await handle({ guid, event, body: Buffer.from(text) }, fence);
  expect(fences).toEqual([{ jobId: "7", token: 3 }, undefined]);
});

describe("GH-1: the label on an issue", () => {
  it("asks for the work in the name of whoever put it there", async () => {
    const number = openIssue();
    await github.simulator.addLabel(SHOP, number, "Forge:Implement", "ana");
    await heard();
    const by = { login: "ana", kind: "user" };
    const source = { kind: "label", id: github.received.at(-1)?.guid };
    expect(submitted).toMatchObject([
      { type: "request.made", subject: issueOf(number), source, by, press: { identifier: "implement", by } },
    ]);
  });

  it("ends the work when it is taken off, and so does the end of the issue, whoever did it", async () => {
    const number = openIssue(["forge:implement", "bug"]);
    await forget();
    await github.simulator.removeLabel(SHOP, number, "bug", "ana");
    await github.simulator.removeLabel(SHOP, number, "forge:implement", "ana");
    github.simulator.closeIssue(SHOP, number, "ben");
    await heard();
    const subject = issueOf(number);
    expect(submitted).toMatchObject([
      { type: "issue.ended", subject, by: { login: "ana" }, reason: "label_removed" },
      { type: "issue.ended", subject, by: { login: "ben" }, reason: "issue_closed" },
    ]);
  });

  it("GH-8b: starts nothing when a bot or Forge put it there, and neither does another label", async () => {
    const number = openIssue();
    await github.simulator.addLabel(SHOP, number, "forge:implement", "forge[bot]");
    await github.simulator.removeLabel(SHOP, number, "forge:implement", "forge[bot]");
    github.simulator.createAccount("helper[bot]", "Bot");
    await github.simulator.addLabel(SHOP, number, "forge:implement", "helper[bot]");
    await github.simulator.addLabel(SHOP, number, "forge:skip", "ana");
    const { reasons } = await heard();
    expect(submitted).toEqual([]);
    expect(reasons.filter((reason) => reason !== "no handler for this event")).toEqual([
      "caused by Forge itself",
      "caused by Forge itself",
      "labels by bots start nothing",
      "the label means nothing to Forge on an issue",
    ]);
  });
});

describe("GH-4: a comment on an issue", () => {
  it("is taken when it has a command", async () => {
    const number = openIssue();
    const { id } = github.simulator.comment(SHOP, number, { by: "ben", body: "/forge plan" });
    await heard();
    const source = { kind: "issue_comment", id: String(id) };
    expect(submitted).toMatchObject([{ type: "request.made", subject: issueOf(number), source, plain: false }]);
    expect(submitted[0]).not.toHaveProperty("talk");
  });

  it("may be the answer to a question, only while one is open and only by a person", async () => {
    const number = openIssue();
    github.simulator.comment(SHOP, number, { by: "ben", body: "Ten." });
    expect((await heard()).types).toEqual([]);
    asks = true;
    await heard();
    expect(submitted).toMatchObject([{ type: "request.made", subject: issueOf(number), talk: true, plain: false }]);
    await forget();
    github.simulator.comment(SHOP, number, { by: "helper[bot]", body: "Ten." });
    github.simulator.comment(SHOP, number, { by: "ben", body: "<!-- forge:copied --> Ten." });
    github.simulator.comment(SHOP, pull.number, { by: "ben", body: "Ten." });
    expect((await heard()).types).toEqual([]);
  });
});

describe("the pull request of the work on an issue", () => {
  const review = (event: "REQUEST_CHANGES" | "APPROVE", by = "ana", body = "Not so.") =>
    github.simulator.submitReview(SHOP, pull.number, { by, event, body });

  it("GH-6: changes that a person asks for are told to the work, an approval is not", async () => {
    const { id: reviewId } = await review("REQUEST_CHANGES");
    await review("APPROVE");
    await heard();
    const signal = { from: "person", reviewId, by: { login: "ana", kind: "user" } };
    expect(submitted).toMatchObject([{ type: "pull.signalled", subject: issueOf(40), signal }]);
  });

  it("GH-14b: an approval of the head that a gate asks about is a yes to it, one of another head is none", async () => {
    const question: Gate["question"] = { type: "high_risk_change", reasons: [], treeSha: "", pull: pull.number };
    const gate: Gate = {
      ...{ gate: "G-2", question, headSha: "0".repeat(40), runId: "run-40", needs: "write" },
      ...{ deadline: "2030-01-01T00:00:00.000Z", standing: { is: "open" } },
    };
    gates = [gate];
    await review("APPROVE");
    await heard();
    expect(submitted).toEqual([]);
    await forget();
    gates = [{ ...gate, headSha: pull.headSha }];
    await review("APPROVE");
    await heard();
    const press = { identifier: "approve-G-2", by: { login: "ana" } };
    expect(submitted).toMatchObject([{ type: "request.made", subject: issueOf(40), press }]);
  });

  it("GH-14b: changes that are asked for on that head are a no to it, and told to the work as well", async () => {
    const question: Gate["question"] = { type: "test_failure", reasons: [], tried: [], treeSha: "", pull: pull.number };
    gates = [
      {
        ...{ gate: "G-3", question, headSha: pull.headSha, runId: "run-40", needs: "write" },
        ...{ deadline: "2030-01-01T00:00:00.000Z", standing: { is: "open" } },
      },
    ];
    await review("REQUEST_CHANGES");
    expect((await heard()).types).toEqual(["pull.signalled", "request.made"]);
    expect(submitted[1]).toMatchObject({ press: { identifier: "reject-G-3", by: { login: "ana" } } });
  });

  it("GH-6: a review with a command is both", async () => {
    await review("REQUEST_CHANGES", "ana", "Not so.\n\n/forge stop");
    const { types } = await heard();
    expect(types).toEqual(["request.made", "pull.signalled"]);
    expect(submitted[0]).toMatchObject({ subject: { kind: "pull_request", number: pull.number } });
  });

  it("a review of a pull request that is not ours, or by a bot, is nothing to the work", async () => {
    ours = false;
    await review("REQUEST_CHANGES");
    // What a high risk of people's own changes waits for, where their repository wants it.
    expect((await heard()).types).toEqual(["verdict.given"]);
    expect(submitted[0]).toMatchObject({ subject: { kind: "pull_request", number: pull.number } });
    await forget();
    await review("APPROVE", "helper[bot]");
    expect((await heard()).types).toEqual([]);
    ours = true;
    await forget();
    await review("REQUEST_CHANGES", "helper[bot]");
    expect((await heard()).types).toEqual([]);
  });

  it("what somebody else pushes to its branch is told to both, and the review knows whose work it is", async () => {
    const files = { "more.txt": "more\n" };
    const headSha = await github.simulator.commit(SHOP, "feature", { files, message: "More", author: "ben" });
    await heard();
    expect(submitted).toMatchObject([
      { type: "branch.moved", subject: issueOf(40), by: { login: "ben" }, headSha },
      {
        type: "head.changed",
        subject: { kind: "pull_request", number: pull.number },
        ends: { headSha },
        implements: { issue: 40, runId: "run-40" },
      },
    ]);
    pull = { ...pull, headSha };
  });

  it("SAFE-4: that Forge itself marked it ready is a hint and no new head", async () => {
    await github.simulator.convertToDraft(SHOP, pull.number, "ben");
    await forget();
    await github.simulator.markReadyForReview(SHOP, pull.number, "forge[bot]");
    expect((await heard()).types).toEqual(["pull.readied"]);
  });

  it("GH-7: its end is told to both", async () => {
    await github.simulator.closePullRequest(SHOP, pull.number, "ben");
    await heard();
    await github.simulator.reopenPullRequest(SHOP, pull.number, "ben");
    expect(submitted).toMatchObject([
      { type: "pull.ended", subject: issueOf(40), merged: false, by: { login: "ben" } },
      { type: "pull_request.closed", subject: { kind: "pull_request" }, merged: false },
    ]);
  });
});

describe("GH-5: the project's own CI", () => {
  it("a check that fails or passes on a head that Forge wrote is told, also when Forge's push started it", async () => {
    const { simulator } = github;
    const { jobs } = await simulator.startWorkflow(SHOP, {
      sha: pull.headSha,
      jobs: ["lint", "test"],
      by: "forge[bot]",
    });
    simulator.finishJob(jobs.lint!, { conclusion: "success" });
    simulator.finishJob(jobs.test!, { conclusion: "failure" });
    await heard();
    const check = { name: "test", app: "github-actions", checkRunId: jobs.test, conclusion: "failure" };
    const signal = { from: "ci", headSha: pull.headSha, ...check, url: expect.stringContaining("/acme/shop/") };
    const passed = { from: "ci", headSha: pull.headSha, name: "lint", conclusion: "success" };
    expect(submitted).toMatchObject([
      { type: "pull.signalled", subject: issueOf(40), signal: passed },
      { type: "pull.signalled", subject: issueOf(40), signal },
    ]);
  });

  it("a status that fails or passes is told, one that goes on or on another head is not", async () => {
    const status = { sha: pull.headSha, context: "ci/jenkins", by: "ben" };
    for (const state of ["pending", "success", "error"] as const)
      await github.simulator.setStatus(SHOP, { ...status, state });
    await heard();
    const signal = { from: "ci", headSha: pull.headSha, name: "ci/jenkins", app: "ben", conclusion: "error" };
    expect(submitted).toMatchObject([
      { type: "pull.signalled", subject: issueOf(40), signal: { ...signal, conclusion: "success" } },
      { type: "pull.signalled", subject: issueOf(40), signal },
    ]);
    ours = false;
    submitted = [];
    expect((await heard()).reasons.at(-1)).toBe(`Forge did not write ${pull.headSha.slice(0, 7)}`);
    expect(submitted).toEqual([]);
  });

  it("Forge's own checks are no CI, and the tests are run again when somebody asks for that check", async () => {
    const token = await github.installationToken();
    const check = { name: "forge/tests", head_sha: pull.headSha, conclusion: "failure" };
    const made = await github.call("POST", "/repos/acme/shop/check-runs", token, check);
    expect((await heard()).types).toEqual([]);
    await forget();
    github.simulator.rerequestCheckRun(SHOP, as<{ id: number }>(made).id, "ben");
    await heard();
    const press = { identifier: "test", by: { login: "ben" } };
    expect(submitted).toMatchObject([
      { type: "request.made", subject: issueOf(40), source: { kind: "button" }, press },
    ]);
  });
});

describe("PIPE-7: a delivery that was given up", () => {
  const error = new ForgeError("set_aside", "Forge ended twice while at work on this: set aside", {
    source: "resource",
  });
  const dead = { error, attempts: 2, deaths: 2, fence: { jobId: "1", token: 1 } };
  const heads = {
    knownHeads: async () => [
      { subject: { ...issueOf(pull.number), kind: "pull_request" }, ends: {} as never } as const,
    ],
  };

  /** Of all webhooks since the test began: whom it was said to, and why nobody else. */
  async function lost(more: Partial<HandlerDependencies> = {}) {
    await github.simulator.idle();
    const untold: (string | undefined)[] = [];
    for (const { event, guid, text } of github.received)
      untold.push(
        await tellOfLost({ ...dependencies, ...more }, { guid, event, body: Buffer.from(text) }, dead, hintsOf),
      );
    return untold;
  }
  const told = () =>
    submitted.map((input) => {
      if (input.type !== "commands.void" || input.refusal.reason !== "lost") throw new Error(input.type);
      const { subject, source, by, thread, refusal } = input;
      expect(github.received.map(({ guid }) => guid)).toContain(source.id);
      return [subject.kind, numberOf(subject), by?.login, refusal.what, refusal.deaths, ...(thread ? [thread] : [])];
    });

  it("is told to whoever set a label or ended the work that it was for", async () => {
    const number = openIssue();
    await forget();
    await github.simulator.addLabel(SHOP, number, "bug", "ana");
    await github.simulator.addLabel(SHOP, number, "forge:implement", "ana");
    await github.simulator.removeLabel(SHOP, number, "forge:implement", "ana");
    github.simulator.closeIssue(SHOP, number, "ben");
    await lost();
    expect(told()).toEqual([["issue", number, "ana", "label", 2]]);
    submitted = [];
    await lost({ activeSubjects: async () => [issueOf(number)] });
    expect(told()).toEqual([
      ["issue", number, "ana", "label", 2],
      ["issue", number, "ana", "withdrawal", 2],
      ["issue", number, "ben", "withdrawal", 2],
    ]);
  });

  it("is told to whoever wrote what may be for Forge, where they wrote it", async () => {
    const number = openIssue();
    await forget();
    github.simulator.comment(SHOP, number, { by: "ben", body: "Thank you." });
    github.simulator.comment(SHOP, number, { by: "ben", body: "Well.\n/Forge plan" });
    const line = { path: "src/list.txt", line: 3, side: "RIGHT", body: "Why?" } as const;
    await github.simulator.submitReview(SHOP, pull.number, { by: "ana", event: "REQUEST_CHANGES", comments: [line] });
    const [first] = github.simulator.pullRequest(SHOP, pull.number).reviewComments.slice(-1);
    github.simulator.replyToReviewComment(SHOP, pull.number, first!.id, { by: "ben", body: "It is meant so." });
    await lost();
    expect(told()).toEqual([
      ["issue", number, "ben", "comment", 2],
      ["pull_request", pull.number, "ana", "comment", 2],
      ["pull_request", pull.number, "ben", "comment", 2, first!.id],
    ]);
    submitted = [];
    await lost({ awaitsAnswer: async () => true });
    expect(told()[0]).toEqual(["issue", number, "ben", "comment", 2]);
  });

  it("is told on a pull request whose change or button it was about", async () => {
    await forget();
    await github.simulator.commit(SHOP, "feature", { files: { "src/a.ts": "1;\n" }, message: "More", author: "ana" });
    await lost();
    expect(told()).toEqual([["pull_request", pull.number, "ana", "change", 2]]);
    github.received.length = 1;
    const [{ text }] = github.received as [(typeof github.received)[number]];
    const payload = JSON.parse(text) as Record<string, unknown>;
    const check_run = { head_sha: "a".repeat(40), app: { id: 77 } };
    const press = { ...payload, action: "rerequested", pull_request: undefined, check_run };
    submitted = [];
    github.received.splice(0, 1, { ...github.received[0]!, event: "check_run", text: JSON.stringify(press) });
    expect(await lost()).toEqual([undefined]);
    await lost(heads);
    expect(told()).toEqual([["pull_request", pull.number, "ana", "button", 2]]);
    const merge_group = { head_ref: `refs/heads/gh-readonly-queue/main/pr-${pull.number}-${"b".repeat(40)}` };
    const queued = { ...payload, action: "checks_requested", pull_request: undefined, merge_group };
    submitted = [];
    github.received.splice(0, 1, { ...github.received[0]!, event: "merge_group", text: JSON.stringify(queued) });
    await lost();
    expect(told()).toEqual([["pull_request", pull.number, "ana", "queue", 2]]);
  });

  it("SEC-1: is not read further by Forge itself, whatever it holds, and no third time when telling of it ends Forge too", async () => {
    const number = openIssue();
    await github.simulator.addLabel(SHOP, number, "forge:implement", "ana");
    await github.simulator.idle();
    const { guid, event, text } = github.received.at(-1)!;
    const tell = (body: string, deaths = 2) =>
      tellOfLost(dependencies, { guid, event, body: Buffer.from(body) }, { ...dead, deaths });
    submitted = [];
    expect(await tell(`[${"[".repeat(200_000)}`)).toMatch(/^it could not be read: the reading process ended with /);
    expect(await tell(text.replace('"repository":', '"repo":'))).toBe("its payload does not name where it belongs");
    expect(await tell(text, 4)).toBe("telling of it ended Forge too");
    expect(submitted).toEqual([]);
    expect(await tell(text, 3)).toBeUndefined();
    expect(told()[0]).toEqual(["issue", number, "ana", "label", 3]);
  });
});

it("GH-9: an installation, and repositories that are added to one, get their labels and nothing else", async () => {
  const { simulator, registered } = github;
  const other = await simulator.createRepository("acme", "other", {});
  const installed = simulator.installApp(registered, "acme", { repositories: ["other"] });
  await heard();
  const ref = { id: other.id, owner: "acme", name: "other", installationId: installed.id };
  expect(labelled).toEqual([ref]);
  await forget();
  simulator.addRepositories(installed, ["shop"]);
  await heard();
  expect(labelled).toMatchObject([ref, { owner: "acme", name: "shop", installationId: installed.id }]);
  expect(submitted).toEqual([]);
});

it("GH-8: somebody tells of production by a dispatch of Forge's own types, and others are not for it", async () => {
  const handled = [];
  for (const [action, client_payload] of [
    ["forge.error", { type: "TypeError", environment: "staging" }],
    ["forge.anomaly", { metric: "errors", environment: "moon" }],
    ["forge.error", null],
    ["build", { type: "TypeError" }],
  ] as const) {
    const sender = { login: "ben", id: 5, type: "User" };
    const payload = { action, client_payload, sender, installation: { id: 7 } };
    const ofShop = { id: 3, name: "shop", owner: { login: "acme" } };
    const body = Buffer.from(JSON.stringify({ ...payload, repository: ofShop }));
    handled.push((await handle({ guid: `d${handled.length}`, event: "repository_dispatch", body })).state);
  }
  expect(handled).toEqual(["handled", "handled", "handled", "ignored"]);
  expect(dispatched).toEqual([
    { id: "d0", environment: "staging", payload: { type: "TypeError", environment: "staging" } },
    { id: "d1", environment: "production", payload: { metric: "errors", environment: "moon" } },
    { id: "d2", environment: "production", payload: {} },
  ]);
});

describe("what Forge is asked as the rule of an environment", () => {
  const sha = "a".repeat(40);
  const base = "https://api.github.com/repos/Acme/shop/actions/runs/7/deployment_protection_rule";
  const send = async (more: object) => {
    asked.length = 0;
    const event = {
      action: "requested",
      environment: "production",
      deployment_callback_url: base,
      sha,
      deployment: null,
    };
    const sender = { login: "forge[bot]", id: 1, type: "Bot" };
    const at = { repository: { id: shopId, name: "shop", owner: { login: "acme" } }, installation: { id: 5 }, sender };
    const body = Buffer.from(JSON.stringify({ ...event, ...at, ...more }));
    return handle({ guid: "rule", event: "deployment_protection_rule", body });
  };

  it("is answered also where Forge itself deploys, and the run is the one that the address names", async () => {
    expect(await send({})).toEqual({ state: "handled" });
    expect(asked).toEqual([{ workflowRunId: 7, environment: "production", sha }]);
    await send({ sha: undefined, deployment: { sha: "b".repeat(40) } });
    expect(asked).toMatchObject([{ sha: "b".repeat(40) }]);
  });

  it.each([
    ["of another repository", "https://api.github.com/repos/evil/shop/actions/runs/7/deployment_protection_rule"],
    ["of something else", "https://api.github.com/repos/acme/shop/actions/runs/7/cancel"],
    ["that goes elsewhere", base.replace("api.github.com", "api.github.com.evil.example")],
    ["that is longer", `https://evil.example/?${base}`],
    ["with a port", base.replace("api.github.com", "api.github.com:8443")],
    ["that is none", "not an address"],
  ])("is not answered with an address %s", async (_, deployment_callback_url) => {
    expect(await send({ deployment_callback_url })).toMatchObject({ state: "ignored" });
    expect(asked).toEqual([]);
  });

  it("needs a commit", async () => {
    expect(await send({ sha: undefined })).toEqual({ state: "ignored", reason: "the payload names no commit" });
  });
});

describe("GH-8: what somebody says of a deployment is a hint to look, and nothing of it is believed", () => {
  const send = (event: string, payload: object) => {
    const sender = { login: "github-actions[bot]", id: 4, type: "Bot" };
    const at = { repository: { id: shopId, name: "shop", owner: { login: "acme" } }, installation: { id: 7 }, sender };
    return handle({ guid: event, event, body: Buffer.from(JSON.stringify({ ...payload, ...at })) });
  };
  const success = { action: "created", deployment_status: { state: "success" } };
  const run = (event: string, action = "completed") => ({ action, workflow_run: { event, conclusion: "success" } });

  it("at each environment that is deployed to, and at nothing else", async () => {
    const repository = { id: shopId, owner: "acme", name: "shop", installationId: 7 };
    const [staging, production] = (["staging", "production"] as const).map((each) =>
      environmentSubject(repository, each),
    );
    active = [issueOf(40), staging!, production!];
    for (const [event, payload] of [
      ["deployment_status", success],
      ["workflow_run", run("workflow_dispatch", "in_progress")],
      ["workflow_run", run("deployment")],
    ] as const) {
      submitted = [];
      expect(await send(event, payload)).toEqual({ state: "handled" });
      const heard = { type: "deploy.heard", at: AT, newRunId: "id" };
      expect(submitted).toEqual([
        { ...heard, subject: staging },
        { ...heard, subject: production },
      ]);
    }
  });

  it.each([
    ["where nothing is deployed", "deployment_status", success, "nothing is deployed here now"],
    ["of a workflow that tests", "workflow_run", run("push"), "the workflow deploys nothing of Forge"],
  ])("but not %s", async (_, event, payload, reason) => {
    if (event === "workflow_run") active = [environmentSubject(repository(), "production")];
    expect(await send(event, payload)).toEqual({ state: "ignored", reason });
    expect(submitted).toEqual([]);
  });
});
