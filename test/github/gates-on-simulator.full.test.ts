import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Gate } from "../../src/domain/gates.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { showGate } from "../../src/pipeline/runs/gates/evolve-gates.ts";
import { aGitHub, type GitHub } from "../simulator/a-github.ts";
import { again, effectPorts, NOW, plainOctokit, review } from "./effect-bench.ts";
import { toolGate } from "./samples.ts";

let github: GitHub;
let headSha: string;
let ports: EffectPorts;

beforeEach(async () => {
  github = await aGitHub();
  ({ headSha } = await github.aPullRequest());
  const token = await github.installationToken({ permissions: { pull_requests: "write", checks: "write" } });
  const octokit = plainOctokit(`${github.simulator.origin}/api/v3`, token);
  const repository = octokitRepository(octokit, { owner: "acme", name: "shop" });
  ports = effectPorts(repository);
});
afterEach(async () => {
  await github.stop();
  expect(github.simulator.referee.findings).toEqual([]);
});

const subject = { ...review([]).subject, number: 1 };
const common = { runId: "run-1", subject, state: "planned", attempts: 0 } as const;
const show = (standing: Gate["standing"] = { is: "open" }): PendingEffect => {
  return { ...common, kind: "gate.show", key: `gate/${standing.is}`, payload: { gate: toolGate({ standing }) } };
};
const approved = { is: "approved", by: "ben", at: NOW } as const;
const said = () => github.simulator.pullRequest("acme/shop", 1).comments.map(({ body }) => body.split("\n")[0]);
const done = { kind: "done", result: { commentId: expect.any(Number) } };
const OPEN = expect.stringMatching(/^\*\*The review of `3f2c1ab` waits/);

describe("SAFE-3: the comment of a gate", () => {
  it("is one, and is edited in place when the gate is answered", async () => {
    expect(await applyEffect(show(), ports)).toEqual(done);
    expect(said()).toEqual([OPEN]);
    expect(await applyEffect(show(approved), ports)).toEqual(done);
    expect(await applyEffect(again(show(approved)), ports)).toEqual(done);
    expect(said()).toEqual([expect.stringMatching(/^\*\*G-1 approved\*\* by `ben`/)]);
  });

  it("GH-13: is there once although the answer was lost", async () => {
    github.simulator.faults.add({ kind: "lostResponse", match: { path: /\/comments$/ }, times: 1 });
    expect(await applyEffect(show(), ports)).toMatchObject({ kind: "retry" });
    expect(await applyEffect(again(show()), ports)).toEqual(done);
    expect(said()).toEqual([OPEN]);
  });

  it("GH-13: is edited where the answer comes before GitHub's lists show it", async () => {
    github.simulator.faults.add({ kind: "laggingList", ms: 60_000, match: { operation: "issues/list-comments" } });
    const asked = await applyEffect(show(), ports);
    const result = asked.kind === "done" ? asked.result : undefined;
    const openKey = showGate(subject, toolGate()).key;
    const results = async (key: string) => (key === openKey ? result : undefined);
    expect(await applyEffect(show(approved), { ...ports, results })).toEqual(done);
    expect(said()).toEqual([expect.stringMatching(/^\*\*G-1 approved/)]);
  });

  it("is not mistaken for what a person pasted", async () => {
    await applyEffect(show(), ports);
    const [own] = github.simulator.pullRequest("acme/shop", 1).comments;
    github.simulator.comment("acme/shop", 1, { by: "ben", body: own!.body });
    await applyEffect(show(approved), ports);
    expect(said()).toEqual([expect.stringMatching(/^\*\*G-1 approved/), OPEN]);
  });
});

it("GH-5: the check says what it waits for, with the answers to press, and that it goes on", async () => {
  const open: PendingEffect = {
    ...common,
    kind: "check.open",
    key: "open",
    payload: { check: "forge/review", headSha },
  };
  const opened = await applyEffect(open, ports);
  const result = opened.kind === "done" ? opened.result : {};
  const known = { ...ports, results: async () => result };
  const { runId: _run, standing: _standing, ...request } = toolGate({ headSha });
  const payload = { check: "forge/review", headSha, openKey: "open", request } as const;
  const wait: PendingEffect = { ...common, kind: "check.wait", key: "wait", payload };
  expect(await applyEffect(wait, known)).toMatchObject({ kind: "done" });
  const [check] = github.simulator.pullRequest("acme/shop", 1).checkRuns;
  expect(check).toMatchObject({ status: "in_progress", title: "Waiting for approval of a call (G-1)" });
  expect(check?.summary).toBe(
    `The review of \`${headSha.slice(0, 7)}\` waits for approval of a call: \`/forge approve G-1\` or \`/forge reject G-1\`, until 2026-11-21 14:00 UTC; then the review goes on without it. The question is in the conversation.`,
  );
  expect(check?.actions.map(({ identifier }) => identifier)).toEqual(["approve-G-1", "reject-G-1"]);

  const { request: _answered, ...rest } = payload;
  await applyEffect({ ...wait, key: "over", payload: rest }, known);
  const after = github.simulator.pullRequest("acme/shop", 1).checkRuns[0];
  expect(after).toMatchObject({ status: "in_progress", title: "Reviewing", actions: [] });

  const activity = { doing: "tool", tool: "read_file", files: 12 } as const;
  const moved: PendingEffect = {
    ...{ ...common, kind: "check.progress", key: "moved" },
    payload: { check: "forge/review", headSha, openKey: "open", activity },
  };
  expect(await applyEffect(moved, known)).toMatchObject({ kind: "done" });
  const shown = github.simulator.pullRequest("acme/shop", 1).checkRuns[0];
  expect(shown).toMatchObject({ status: "in_progress", title: "Reviewing: reading 12 files" });
  await ports.writes.updateCheckRun(after!.id, {
    status: "completed",
    conclusion: "success",
    completedAt: NOW,
    output: { title: "Clean", summary: "Clean." },
  });
  expect(await applyEffect(wait, known)).toMatchObject({ kind: "obsolete" });
  expect(await applyEffect(moved, known)).toMatchObject({ kind: "obsolete" });
});
