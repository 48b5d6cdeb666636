import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EffectResult } from "../../src/domain/effects.ts";
import { ForgeError } from "../../src/domain/errors.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect, PushOutcome, PushRequest } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { ISSUE_PERMISSIONS, PULL_PERMISSIONS, READY_PERMISSIONS } from "../../src/github/permissions.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { again, effectPorts, NOW, type PendingOf, plainOctokit } from "./effect-bench.ts";
import { description, estimate, plan, planGate, status, testOutcome } from "./work-samples.ts";

const SHOP = "acme/shop";
const BRANCH = "forge/1-rate-limit";
let github: GitHub;
let ports: EffectPorts;
let results: EffectResult[];
let pushed: PushRequest[];
let answer: PushOutcome | Error;

const pushBranch = async (request: PushRequest) => {
  pushed.push(request);
  if (answer instanceof Error) throw answer;
  return answer;
};

/** The ports of an effect, with a token that has the permissions of the task and no other. */
async function portsWith(permissions: Record<string, string>): Promise<EffectPorts> {
  const token = await github.installationToken({ permissions });
  const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, token);
  const repository = octokitRepository(octokit, { owner: "acme", name: "shop" });
  return effectPorts(repository, {
    writes: { ...repository, pushBranch },
    earlier: async () => results.at(-1),
  });
}

beforeEach(async () => {
  github = await aGitHub();
  results = [];
  pushed = [];
  answer = { is: "pushed" };
  github.simulator.openIssue(SHOP, { title: "Limit the login", by: "eve" });
});
afterEach(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

const subject = {
  kind: "issue",
  repository: { id: 1, owner: "acme", name: "shop", installationId: 2 },
  number: 1,
} as const;
const common = { runId: "run-1", subject, state: "planned", attempts: 0 } as const;
const comments = () => github.simulator.issue(SHOP, 1).comments;

/** Writes that are sent from here on. */
function countWrites(): () => number {
  let sent = 0;
  const sending = async () => {
    sent += 1;
  };
  Object.assign(ports, { sending });
  return () => sent;
}

async function apply(effect: PendingEffect) {
  const outcome = await applyEffect(effect, ports);
  if (outcome.kind === "done") results.push(outcome.result);
  return outcome;
}

describe("GH-12: the status comment", () => {
  const tell = (usedUsd: number, runId = "run-1"): PendingOf<"issue.status"> => ({
    ...common,
    runId,
    kind: "issue.status",
    key: `status/${runId}/${usedUsd}`,
    payload: { status: status({ usedUsd }), of: 1 },
  });
  beforeEach(async () => {
    ports = await portsWith(ISSUE_PERMISSIONS);
  });

  it("is one for each run, edited in place, and not written where it says the same", async () => {
    expect(await apply(tell(1))).toEqual({ kind: "done", result: { commentId: comments()[0]!.id } });
    await apply(tell(2));
    const sent = countWrites();
    await apply(tell(2));
    expect(sent()).toBe(0);
    expect(comments().map(({ body }) => body)).toEqual([expect.stringContaining("$2.00 of $10.00")]);
    results = [];
    await apply(tell(3, "run-2"));
    expect(comments()).toHaveLength(2);
  });

  it("GH-13: is there once although the answer was lost, and although GitHub's list does not show it yet", async () => {
    github.simulator.faults.add({ kind: "lostResponse", match: { operation: "issues/create-comment" }, times: 1 });
    expect(await apply(tell(1))).toMatchObject({ kind: "retry" });
    expect(await apply(again(tell(1)))).toMatchObject({ kind: "done" });
    github.simulator.faults.add({ kind: "laggingList", ms: 60_000, match: { operation: "issues/list-comments" } });
    expect(await apply(tell(2))).toMatchObject({ kind: "done" });
    expect(comments()).toHaveLength(1);
  });

  it("is made anew when somebody deleted it, and is not mistaken for a copy", async () => {
    await apply(tell(1));
    const { id, body } = comments()[0]!;
    github.simulator.comment(SHOP, 1, { by: "eve", body });
    github.simulator.deleteComment(id, "ana");
    await apply(tell(2));
    expect(comments().map(({ by }) => by)).toEqual(["eve", "forge[bot]"]);
    expect(comments()[0]!.body).toBe(body);
  });
});

describe("PLAN-1: the plan", () => {
  it("is one comment, which says later how it was answered", async () => {
    ports = await portsWith(ISSUE_PERMISSIONS);
    const show = (gate = planGate()): PendingOf<"plan.show"> => ({
      ...common,
      kind: "plan.show",
      key: `plan/${gate.standing.is}`,
      payload: { plan: plan(), estimate, revision: 1, gate, planOnly: false },
    });
    await apply(show());
    await apply(show(planGate({ standing: { is: "approved", by: "ben", at: NOW } })));
    results = [];
    expect(await apply(again(show(planGate({ standing: { is: "approved", by: "ben", at: NOW } }))))).toMatchObject({
      kind: "done",
    });
    expect(comments().map(({ body }) => body)).toEqual([expect.stringContaining("**Approved** by `ben` in G-1.")]);
  });
});

describe("GH-13: the push of a run's commits", () => {
  const PUSH: PendingOf<"branch.push"> = {
    ...common,
    kind: "branch.push",
    key: "push/1",
    payload: { branch: BRANCH, headSha: "a".repeat(40), expected: null },
  };
  beforeEach(async () => {
    ports = await portsWith(ISSUE_PERMISSIONS);
  });

  it.each<[PushOutcome, object]>([
    [{ is: "pushed" }, { kind: "done", result: {} }],
    [{ is: "already" }, { kind: "done", result: {} }],
    [
      { is: "moved", to: "b".repeat(40) },
      { kind: "done", result: { movedTo: "b".repeat(40) } },
    ],
    [
      { is: "moved", to: null },
      { kind: "done", result: { movedTo: null } },
    ],
    [
      { is: "unavailable", reason: "the connection was cut" },
      { kind: "retry", reason: "the connection was cut" },
    ],
  ])("%j", async (outcome, expected) => {
    answer = outcome;
    expect(await apply(PUSH)).toMatchObject(expected);
    expect(pushed).toEqual([{ subject, runId: "run-1", branch: BRANCH, headSha: "a".repeat(40), expected: null }]);
  });

  it.each([
    [
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
      "push_needs_workflows",
      "Give it the permission `workflows: write`, or have the work done without that file.",
    ],
    [
      "GH013: Repository rule violations found: Push cannot contain secrets",
      "push_has_secret",
      "GitHub found a secret",
    ],
    ["GH006: Protected branch update failed for refs/heads/forge/1-x.", "push_protected", "Let the App pass it"],
    ["GH013: Repository rule violations found for refs/heads/forge/1-x.", "push_protected", "Let the App pass it"],
    ["GH001: Large files detected.", "push_too_large", "larger than GitHub takes"],
    ["This repository was archived so it is read-only.", "push_read_only", "archived"],
    ["Permission to acme/shop.git denied to forge[bot].", "push_forbidden", "`contents: write`"],
    ["something new", "push_refused", "It said: something new."],
  ])("that GitHub refuses fails with what to do: %s", async (reason, code, advice) => {
    answer = { is: "refused", reason };
    const outcome = await apply(PUSH);
    expect(outcome).toMatchObject({ kind: "failed", error: { code, recoverability: "manual" } });
    expect(outcome.kind === "failed" && outcome.error.message).toContain(advice);
    expect(outcome.kind === "failed" && outcome.error.message).toContain(`\`${BRANCH}\``);
  });

  it("waits where no token can be had, and fails where none will be given", async () => {
    answer = new ForgeError("github_unavailable", "GitHub gave no answer", {
      source: "network",
      recoverability: "auto",
    });
    expect(await apply(PUSH)).toMatchObject({ kind: "retry" });
    answer = new ForgeError("github_forbidden", "no", { source: "permission" });
    expect(await apply(PUSH)).toMatchObject({ kind: "failed", error: { code: "github_forbidden" } });
    answer = new TypeError("a bug");
    await expect(apply(PUSH)).rejects.toThrow("a bug");
  });
});

describe("the pull request of an implementation", () => {
  const OPEN: PendingOf<"pull.open"> = {
    ...common,
    kind: "pull.open",
    key: "open/1",
    payload: { branch: BRANCH, baseRef: "main", headSha: "a".repeat(40), description: description({ issue: 1 }) },
  };
  const tested = description({
    issue: 1,
    tests: testOutcome(),
    review: { decision: "approve", blocking: 0, advisory: 0, rounds: 1 },
  });
  const describeAs = (facts = tested): PendingOf<"pull.describe"> => ({
    ...common,
    kind: "pull.describe",
    key: "describe/1",
    payload: { number: 2, description: facts },
  });
  const READY: PendingOf<"pull.ready"> = { ...common, kind: "pull.ready", key: "ready/1", payload: { number: 2 } };
  const view = () => github.simulator.pullRequest(SHOP, 2);

  beforeEach(async () => {
    await github.simulator.commit(SHOP, BRANCH, {
      files: { "a.ts": "export {};\n" },
      message: "feat: a",
      author: "ben",
    });
    ports = await portsWith(PULL_PERMISSIONS);
  });

  it("is opened once, as a draft, whatever becomes of the answer", async () => {
    github.simulator.faults.add({ kind: "lostResponse", match: { operation: "pulls/create" }, times: 1 });
    expect(await apply(OPEN)).toMatchObject({ kind: "retry" });
    expect(await apply(again(OPEN))).toEqual({ kind: "done", result: { pullNumber: 2 } });
    expect(await apply({ ...OPEN, key: "open/2", runId: "run-2" })).toEqual({
      kind: "done",
      result: { pullNumber: 2 },
    });
    expect(view()).toMatchObject({
      draft: true,
      by: "forge[bot]",
      headRef: BRANCH,
      title: "feat: rate-limit the login endpoint",
    });
    expect(view().body).toMatch(/^Closes #1\. \*\*Draft\*\*/);
  });

  it("is found by the next attempt where GitHub's list did not show it", async () => {
    await apply(OPEN);
    const lag = github.simulator.faults.add({ kind: "laggingList", ms: 60_000, match: { operation: "pulls/list" } });
    expect(await apply({ ...OPEN, key: "open/2" })).toMatchObject({ kind: "retry" });
    lag.remove();
    expect(await apply(again({ ...OPEN, key: "open/2" }))).toEqual({ kind: "done", result: { pullNumber: 2 } });
  });

  it("that was closed before its opening was known is not opened again; a later run opens another", async () => {
    await apply(OPEN);
    await github.simulator.closePullRequest(SHOP, 2, "ana");
    expect(await apply(again(OPEN))).toEqual({ kind: "done", result: { pullNumber: 2 } });
    expect(await apply({ ...OPEN, key: "open/2" })).toEqual({ kind: "done", result: { pullNumber: 3 } });
  });

  it("is no draft where the repository has none", async () => {
    const message = "Draft pull requests are not supported in this repository.";
    const body = { message, documentation_url: "https://docs.github.com/rest" };
    github.simulator.faults.add({ kind: "status", status: 422, body, match: { operation: "pulls/create" }, times: 1 });
    expect(await apply(OPEN)).toEqual({ kind: "done", result: { pullNumber: 2 } });
    expect(view().draft).toBe(false);
  });

  it("fails with GitHub's words where there is nothing to open", async () => {
    const outcome = await apply({ ...OPEN, payload: { ...OPEN.payload, branch: "forge/none" } });
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "github_refused" } });
  });

  it("is described anew, and what people wrote stays", async () => {
    await apply(OPEN);
    await apply(describeAs());
    expect(view().body).toMatch(/^Closes #1\. Review it like any other change/);
    await github.simulator.editPullRequest(SHOP, 2, "ben", {
      title: "Limit logins",
      body: `${view().body}\n\nSeen by ben.`,
    });
    await apply(describeAs(description({ issue: 1 })));
    expect(view()).toMatchObject({ title: "Limit logins", body: expect.stringMatching(/^Closes #1\. \*\*Draft\*\*/) });
    expect(view().body).toMatch(/\nSeen by ben\.$/);
  });

  it("is not written where it says the same, nor where a person opened it", async () => {
    await apply(OPEN);
    const sent = countWrites();
    await apply(describeAs(description({ issue: 1 })));
    expect(sent()).toBe(0);
    const { body } = view();
    await github.simulator.closePullRequest(SHOP, 2, "ana");
    const other = await github.simulator.openPullRequest(SHOP, {
      title: "Mine",
      head: BRANCH,
      by: "ben",
      body: body ?? "",
    });
    expect(await apply({ ...OPEN, key: "open/3" })).toEqual({ kind: "done", result: { pullNumber: other.number } });
    const theirs = { ...describeAs(), payload: { ...describeAs().payload, number: other.number } };
    expect(await apply(theirs)).toMatchObject({ kind: "obsolete" });
    expect(await apply({ ...READY, payload: { number: other.number } })).toMatchObject({ kind: "obsolete" });
    expect(sent()).toBe(0);
  });

  it("is made ready, once", async () => {
    await apply(OPEN);
    ports = await portsWith(READY_PERMISSIONS);
    expect(await apply(READY)).toEqual({ kind: "done", result: { pullNumber: 2 } });
    expect(view().draft).toBe(false);
    expect(await apply(again(READY))).toEqual({ kind: "done", result: { pullNumber: 2 } });
    await github.simulator.closePullRequest(SHOP, 2, "ana");
    expect(await apply(again(READY))).toMatchObject({ kind: "obsolete" });
    await github.simulator.idle();
    expect(github.events().filter((event) => event === "pull_request.ready_for_review")).toHaveLength(1);
  });
});
