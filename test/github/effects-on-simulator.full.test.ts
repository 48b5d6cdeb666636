import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EffectResult } from "../../src/domain/effects.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { MERGE_PERMISSIONS } from "../../src/github/permissions.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { again, complete, effectPorts, OPEN, plainOctokit, review, START } from "./effect-bench.ts";
import { finding, reported, reviewed } from "./samples.ts";

/** The same effects on a GitHub whose every request and answer is held against GitHub's own description. */
let github: GitHub;
let headSha: string;
let ports: EffectPorts;
const results = new Map<string, EffectResult>();

beforeEach(async () => {
  github = await aGitHub();
  results.clear();
  ({ headSha } = await github.aPullRequest());
  const token = await github.installationToken({ permissions: { checks: "write", pull_requests: "write" } });
  const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, token);
  const repository = octokitRepository(octokit, { owner: "acme", name: "shop" });
  ports = effectPorts(repository, { results: async (key) => results.get(key) });
});
afterEach(() => github.stop());

async function apply(effect: PendingEffect) {
  const here = { ...effect, subject: { ...effect.subject, number: 1 } };
  const outcome = await applyEffect({ ...here, payload: { ...effect.payload, headSha } } as PendingEffect, ports);
  if (outcome.kind === "done") results.set(effect.key, outcome.result);
  return outcome;
}

const at = (line: number, more = {}) =>
  finding({ id: `F-${1000 + line}`, file: "src/list.txt", line, endLine: line, ...more });
const fix = { file: "src/list.txt", startLine: 29, endLine: 31, before: "a\n", after: "line 29\n" };

describe("effects on the simulator, with the referee on", () => {
  it("GH-10, GH-11: opens, starts, posts a review with a refused anchor, and completes with 120 annotations", async () => {
    // Wrong about line 15, which the diff does not show.
    const anchors = [{ path: "src/list.txt", hunks: [{ newStart: 1, newEnd: 31 }] }];
    const posted = review([at(3), at(4, { endLine: 6 }), at(15), at(30, { fix })], { anchors });
    const findings = Array.from({ length: 120 }, (_, index) =>
      reported({
        id: `F-${2000 + index}`,
        file: "src/list.txt",
        line: 1 + (index % 30),
        endLine: 1 + (index % 30),
        column: 2,
      }),
    );
    const report = reviewed([
      ...posted.payload.findings.map((one) => ({ ...reported(one), placement: "none" as const })),
      ...findings,
    ]);
    const last = complete({ openKey: OPEN.key, reviewKey: posted.key, conclusion: "failure", report });
    for (const effect of [OPEN, START, posted, last]) expect(await apply(effect)).toMatchObject({ kind: "done" });

    const seen = github.simulator.pullRequest("acme/shop", 1);
    expect(seen.reviews.map(({ state, comments }) => [state, comments.length])).toEqual([
      ["COMMENTED", 3],
      ["COMMENTED", 1],
    ]);
    expect(seen.pendingReviews).toEqual([]);
    expect(seen.reviewComments.map(({ line, startLine, subjectType }) => [subjectType, startLine, line])).toEqual([
      ["line", null, 3],
      ["line", 4, 6],
      ["line", 29, 31],
      ["file", null, null],
    ]);
    expect(seen.allCheckRuns).toMatchObject([{ name: "forge/review", status: "completed", conclusion: "failure" }]);
    expect(seen.checkRuns[0]!.annotations).toHaveLength(124);
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("GH-13: changes nothing when every effect is found in sending and applied again", async () => {
    const posted = review([at(3), at(15)]);
    const last = complete({
      openKey: OPEN.key,
      reviewKey: posted.key,
      conclusion: "failure",
      report: reviewed([reported()]),
    });
    const effects = [OPEN, START, posted, last];
    for (const effect of effects) await apply(effect);
    const before = github.simulator.pullRequest("acme/shop", 1);
    results.clear();
    for (const effect of effects) expect(await apply(again(effect))).toMatchObject({ kind: "done" });
    expect(github.simulator.pullRequest("acme/shop", 1)).toEqual(before);
    expect(github.simulator.referee.findings).toEqual([]);
  });
});

describe("GH-10b: Forge's own verdict", () => {
  const verdict = (is: "approved" | "changes_requested" | "none", head = headSha): PendingEffect => ({
    ...{ runId: "r", state: "planned", attempts: 0, kind: "review.verdict", key: `verdict ${is} ${head}` },
    subject: { kind: "pull_request", repository: OPEN.subject.repository, number: 1 },
    payload: { headSha: head, is, blocking: 2, level: 2 },
  });
  const states = () => github.simulator.pullRequest("acme/shop", 1).reviews.map(({ state }) => state);
  const make = (effect: PendingEffect) => applyEffect(effect, ports);

  it("is one at a time, the same after every repetition, and taken back", async () => {
    expect(await make(verdict("changes_requested"))).toMatchObject({ kind: "done" });
    // After a crash, and said anew by another decision.
    expect(await make(again(verdict("changes_requested")))).toMatchObject({ kind: "done" });
    expect(await make({ ...verdict("changes_requested"), key: "another" })).toMatchObject({ kind: "done" });
    expect(states()).toEqual(["CHANGES_REQUESTED"]);
    await make(verdict("approved"));
    expect(states()).toEqual(["DISMISSED", "APPROVED"]);
    await make(verdict("none"));
    await make(again(verdict("none")));
    expect(states()).toEqual(["DISMISSED", "DISMISSED"]);
    const [asked, approved] = github.simulator.pullRequest("acme/shop", 1).reviews;
    expect(asked!.body).toMatch(
      /^\*\*2 blocking findings are open\.\*\* This is taken back as soon as they are closed\.\n<!-- /,
    );
    expect(approved!.body).toMatch(
      /^\*\*Approved\*\*: low risk, and nothing found at `[0-9a-f]{7}`\. .* at level 2; why it may: `\/forge level`\n<!-- /,
    );
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("is not given to a head that is there no more, whose earlier verdict goes all the same", async () => {
    await make(verdict("approved"));
    expect(await make(verdict("approved", "f".repeat(40)))).toMatchObject({ kind: "obsolete" });
    expect(states()).toEqual(["DISMISSED"]);
  });

  it("leaves the verdicts of people alone, also where one copied Forge's marker", async () => {
    await make(verdict("approved"));
    const { body } = github.simulator.pullRequest("acme/shop", 1).reviews[0]!;
    await github.simulator.submitReview("acme/shop", 1, { by: "ana", event: "REQUEST_CHANGES", body });
    await make(verdict("none"));
    expect(states()).toEqual(["DISMISSED", "CHANGES_REQUESTED"]);
  });
});

describe("SAFE-4: merging", () => {
  const merge = (to: { headSha?: string; baseRef?: string } = {}): PendingEffect => ({
    ...{ runId: "r", state: "planned", attempts: 0, kind: "pull.merge", key: "merge" },
    subject: { kind: "pull_request", repository: OPEN.subject.repository, number: 1 },
    payload: { headSha, baseRef: "main", ...to },
  });
  const said = async (effect: PendingEffect) => {
    const outcome = await applyEffect(effect, ports);
    return outcome.kind === "done" ? outcome.result.merge : outcome;
  };
  const isMerged = () => github.simulator.pullRequest("acme/shop", 1).merged;
  const protect = (more = {}) =>
    github.simulator.protectBranch("acme/shop", "main", { requiredChecks: ["ci"], ...more });
  const check = async (conclusion: "success" | "failure", sha = headSha) => {
    const { id } = await github.simulator.startCheck("acme/shop", { app: "ci", name: "ci", sha });
    github.simulator.finishCheck(id, { conclusion });
  };

  beforeEach(async () => {
    const token = await github.installationToken({ permissions: { ...MERGE_PERMISSIONS } });
    const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, token);
    ports = effectPorts(octokitRepository(octokit, { owner: "acme", name: "shop" }));
  });

  it("is done as the protection allows it, at this head and base, and once", async () => {
    expect(await said(merge())).toEqual({ is: "refused", said: "its base branch asks for no check and no review" });
    protect();
    expect(await said(merge())).toEqual({ is: "refused", said: "it is blocked" });
    await check("failure");
    expect(await said(merge())).toEqual({ is: "refused", said: "it is failing" });
    await check("success");
    protect({ approvals: 1 });
    expect(await said(merge())).toEqual({ is: "refused", said: "it is blocked" });
    await github.simulator.submitReview("acme/shop", 1, { by: "ana", event: "APPROVE" });
    expect(await said(merge({ headSha: "f".repeat(40) }))).toMatchObject({ said: "something was pushed meanwhile" });
    expect(await said(merge({ baseRef: "next" }))).toMatchObject({ is: "refused" });
    // Pushed between the look and the merge: GitHub says no, as the head is named.
    expect(await ports.writes.mergePull(1, "f".repeat(40), "merge").catch(String)).toContain(
      "Head branch was modified",
    );
    expect(isMerged()).toBe(false);
    expect(await said(merge())).toEqual({ is: "merged" });
    expect(isMerged()).toBe(true);
    // After a lost answer.
    expect(await said(again(merge()))).toEqual({ is: "merged" });
    expect(github.simulator.referee.findings).toEqual([]);
  });

  it("is never done by an App that could go around the protection, though GitHub would let it", async () => {
    protect({ bypass: ["forge"] });
    expect(await said(merge())).toEqual({
      ...{ is: "refused", said: "Forge could go around the protection of its base branch" },
    });
    expect(isMerged()).toBe(false);
  });

  it("goes through the queue where there is one", async () => {
    protect({ queue: true });
    expect(await said(merge())).toMatchObject({ is: "refused", said: expect.stringContaining('"ci" is expected') });
    await check("success");
    expect(await ports.writes.mergePull(1, headSha, "merge").catch(String)).toContain("through the merge queue");
    expect(await said(merge())).toEqual({ is: "queued" });
    expect(await said(again(merge()))).toEqual({ is: "queued" });
    expect(isMerged()).toBe(false);
  });
});
