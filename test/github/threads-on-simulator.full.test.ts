import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Effect } from "../../src/domain/effects.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { again, effectPorts, plainOctokit, review } from "./effect-bench.ts";
import { finding } from "./samples.ts";

/** Threads on a GitHub whose every request and answer is held against GitHub's own description, GraphQL by its schema. */
let github: GitHub;
let headSha: string;
let ports: EffectPorts;
/** Without the permission that GitHub wants for it. */
let unable: EffectPorts["writes"]["setThreadResolved"];
let commentId: number;

beforeEach(async () => {
  github = await aGitHub();
  ({ headSha } = await github.aPullRequest());
  const as = async (permissions: Record<string, string>) => {
    const token = await github.installationToken({ permissions });
    const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, token);
    return octokitRepository(octokit, { owner: "acme", name: "shop" });
  };
  const repository = await as({ pull_requests: "write" });
  unable = repository.setThreadResolved;
  const { setThreadResolved } = await as({ contents: "write", pull_requests: "write" });
  ports = effectPorts(repository, {
    writes: { ...repository, setThreadResolved, pushBranch: async () => ({ is: "pushed" }) },
  });
  const anchors = [{ path: "src/list.txt", hunks: [{ newStart: 1, newEnd: 31 }] }];
  const posted = review([finding({ file: "src/list.txt", line: 3, endLine: 3 })], { headSha, anchors });
  const outcome = await applyEffect({ ...posted, subject }, ports);
  commentId = outcome.kind === "done" ? outcome.result.placed![0]!.commentId! : 0;
});
afterEach(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

const subject = { ...review([]).subject, number: 1 };
const common = { runId: "run-1", subject, state: "planned", attempts: 0 } as const;
const fixed = (to: { secret?: boolean; comment?: number } = {}): PendingEffect => {
  const because = { kind: "fixed", headSha, ...(to.secret ? { secret: true } : {}) } as const;
  const payload = { findingId: "F-9M4D", commentId: to.comment ?? commentId, because };
  return { ...common, kind: "thread.resolve", key: "resolve/F-9M4D", payload };
};
const back = (): PendingEffect => {
  const payload = { findingId: "F-9M4D", commentId, headSha };
  return { ...common, kind: "thread.reopen", key: "reopen/F-9M4D", payload } satisfies Effect & typeof common;
};
const thread = () => {
  const { reviewComments } = github.simulator.pullRequest("acme/shop", 1);
  const said = reviewComments.filter(({ inReplyTo }) => inReplyTo === commentId).map(({ body }) => body.split("\n")[0]);
  return { said, resolved: reviewComments.find(({ id }) => id === commentId)?.threadResolved };
};
const done = { kind: "done", result: {} };

describe("GH-3a: the thread of a finding", () => {
  it("is told where it was fixed, once, and resolved", async () => {
    expect(await applyEffect(fixed(), ports)).toEqual(done);
    const short = headSha.slice(0, 7);
    expect(thread()).toEqual({ said: [`Fixed in \`${short}\`.`], resolved: true });
    expect(await applyEffect(fixed(), ports)).toEqual(done);
    expect(thread().said).toHaveLength(1);
  });

  it("says of a secret that it is gone from the history, not only from the head", async () => {
    await applyEffect(fixed({ secret: true }), ports);
    expect(thread().said).toEqual([`Gone from the branch's history since \`${headSha.slice(0, 7)}\`.`]);
  });

  it("says of a finding whose file left the change that it is outdated, not that it was fixed", async () => {
    const payload = { findingId: "F-9M4D", commentId, because: { kind: "outdated", headSha } } as const;
    await applyEffect({ ...common, kind: "thread.resolve", key: "resolve/F-9M4D", payload }, ports);
    const said = [`Outdated: its file is not part of this change since \`${headSha.slice(0, 7)}\`.`];
    expect(thread()).toEqual({ said, resolved: true });
  });

  it("is opened again when the finding is back", async () => {
    await applyEffect(fixed(), ports);
    expect(await applyEffect(back(), ports)).toEqual(done);
    const said = [expect.stringContaining("Fixed in"), `Back since \`${headSha.slice(0, 7)}\`.`];
    expect(thread()).toEqual({ said, resolved: false });
  });

  it("GH-16: gets the reply alone where the App may not write contents", async () => {
    const without = {
      ...ports,
      writes: { ...ports.writes, setThreadResolved: unable },
    };
    expect(await applyEffect(fixed(), without)).toEqual(done);
    const said = [expect.stringMatching(/^Fixed in `\w{7}`\. Resolve this thread\.$/)];
    expect(thread()).toMatchObject({ said, resolved: false });
    expect(await applyEffect(again(fixed()), without)).toEqual(done);
    expect(thread().said).toHaveLength(1);
  });

  it("GH-13: is answered once although the answer was lost", async () => {
    github.simulator.faults.add({ kind: "lostResponse", match: { path: /\/replies$/ }, times: 1 });
    expect(await applyEffect(fixed(), ports)).toMatchObject({ kind: "retry" });
    expect(await applyEffect(again(fixed()), ports)).toEqual(done);
    expect(thread()).toMatchObject({ said: [expect.any(String)], resolved: true });
  });

  it("GH-13: is answered although the process died between resolving it and the answer", async () => {
    github.simulator.faults.add({ kind: "status", status: 502, match: { path: /\/replies$/ }, times: 1 });
    expect(await applyEffect(fixed(), ports)).toMatchObject({ kind: "retry" });
    expect(thread()).toEqual({ said: [], resolved: true });
    expect(await applyEffect(again(fixed()), ports)).toEqual(done);
    expect(thread()).toEqual({ said: [`Fixed in \`${headSha.slice(0, 7)}\`.`], resolved: true });
  });

  it("is left as it is when a person resolved it, when a person began it, and when it is gone", async () => {
    github.simulator.resolveThread(commentId, "ben");
    expect(await applyEffect(fixed(), ports)).toEqual(done);
    expect(thread().said).toEqual([]);
    const comments = [{ path: "src/list.txt", line: 31, body: "Why?" }];
    await github.simulator.submitReview("acme/shop", 1, { by: "ana", event: "COMMENT", comments });
    const own = github.simulator.pullRequest("acme/shop", 1).reviewComments.find(({ by }) => by === "ana");
    expect(await applyEffect(fixed({ comment: own!.id }), ports)).toEqual(done);
    expect(await applyEffect(fixed({ comment: 1 }), ports)).toEqual(done);
    expect(github.simulator.pullRequest("acme/shop", 1).reviewComments).toHaveLength(2);
  });
});
