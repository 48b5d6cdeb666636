import { expect, it } from "vitest";
import { runShow } from "../../src/cli/show.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { ListedRun } from "../../src/store/runs/overview.ts";

const AT = "2026-11-20T10:00:00.000Z";
const AGENT = "agent:verifier:01M7WN4KEBJ7BHC5P0KXD8K0PJ";
const RUN: ListedRun = {
  ...{ runId: "01RUN", kind: "review", headSha: "df85694000", status: "completed", conclusion: "failure" },
  ...{ startedAt: AT, endedAt: "2026-11-20T10:00:03.500Z", title: null, author: "mona", phase: null, usd: 0.02 },
  ...{ pullNumber: null, lastType: null, lastAt: null },
  subject: { kind: "pull_request", number: 3, repository: { id: 1, owner: "acme", name: "shop", installationId: 1 } },
};

async function shown(events: readonly object[], ...more: string[]): Promise<string[]> {
  let text = "";
  const all = events.map((event) => ({ at: AT, phase: "review", ...event }) as unknown as RunEvent);
  const finder = { find: async () => [RUN], latest: async () => [RUN] };
  const dependencies = { ...finder, events: async () => all, report: () => Promise.reject(new Error("not asked for")) };
  await runShow(["01RUN", "--log", ...more], dependencies, { write: (line) => (text += line) });
  return text.trimEnd().split("\n");
}

it("OPS-1: says who did what, and what it cost, in a line each", async () => {
  const agent = { id: AGENT, type: "verifier", name: "verifier", promptVersion: "1+e6ca1e07" };
  const call = { agentId: AGENT, callId: "c-1", tool: "read_file", input: '{"path":"src/a.ts"}' };
  const cost = { usd: 0.0123, tokens: 900 };
  const reasoned = { agentId: AGENT, step: 1, model: "m", usage: {}, costUsd: 0.0123, latencyMs: 40.4 };
  const [first, ...lines] = await shown([
    { type: "agent.started", payload: { agent, tools: ["read_file"], iterationLimit: 4 } },
    { type: "agent.reasoned", payload: reasoned, durationMs: 40.4, cost },
    { type: "tool.called", payload: call },
    { type: "agent.completed", payload: { agentId: AGENT, steps: 2, costUsd: 0.0123, activeMs: 80 } },
  ]);
  expect(first).toMatch(
    /^acme\/shop#3, review at df85694: did not pass, 4 s, \$0\.02, began \d+ \w+ ago by mona, run 01RUN$/,
  );
  expect(lines).toEqual([
    "10:00:00.000Z review   agent.started          verifier with prompt 1+e6ca1e07 iterationLimit=4",
    "10:00:00.000Z review   agent.reasoned         verifier step=1 model=m 40 ms $0.0123 900 tokens",
    '10:00:00.000Z review   tool.called            verifier tool=read_file input={"path":"src/a.ts"}',
    "10:00:00.000Z review   agent.completed        verifier steps=2 costUsd=0.0123 activeMs=80",
    "$0.0123 in all, 900 tokens",
  ]);
});

it("REV-4: says why a claim was thrown away before what it claimed; --reasoning leaves nothing out", async () => {
  const payload = {
    rule: "ai/logic",
    file: "src/a.ts",
    line: 9,
    claim: "It is wrong.",
    by: "verifier",
    reason: "`?? 0`",
  };
  const [, line] = await shown([{ type: "finding.rejected", payload }]);
  expect(line).toMatch(
    /finding\.rejected +ai\/logic src\/a\.ts:9 by the verifier: `\?\? 0` \(claimed: It is wrong\.\)$/,
  );
  const [, whole] = await shown([{ type: "tool.called", payload: { agentId: AGENT, callId: "c-1" } }], "--reasoning");
  expect(whole).toContain(`agentId=${AGENT} callId=c-1`);
});
