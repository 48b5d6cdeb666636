import { expect, it } from "vitest";
import { RuleReason } from "../../src/domain/protection.ts";
import { ruleText } from "../../src/github/words/deploy/rule-text.ts";

const wording = { allowedHosts: [], redact: (text: string) => text };
const asked = { workflowRunId: 7, environment: "production", sha: "abcdef0".padEnd(40, "0") };
const say = (answer: Parameters<typeof ruleText>[0]["answer"], environment = "production") =>
  ruleText({ asked: { ...asked, environment }, answer }, wording);

it("says yes, no with its reasons, and why it waits", () => {
  expect(say({ is: "approved", reasons: [] })).toBe(
    "Forge lets `abcdef0` be deployed to `production`: each commit that it brings was reviewed and tested on the head that was merged, and nothing is left that blocks.",
  );
  expect(say({ is: "rejected", reasons: [{ why: "not_merged" }, { why: "blocking", pulls: [7, 9] }] })).toBe(
    "Forge does not let `abcdef0` be deployed to `production`:\n\n- The commit is not on the default branch.\n- Findings that block were open when it was merged: #7, #9.",
  );
  expect(say({ is: "waits", reasons: [{ why: "not_reviewed", pulls: [4] }] })).toBe(
    "Forge does not let `abcdef0` be deployed to `production` yet. It keeps looking:\n\n- Forge has not reviewed #4. An administrator can start the waiting jobs.",
  );
});

it("has a sentence for every reason", () => {
  const all = RuleReason.shape.why.options.map((why) => say({ is: "waits", reasons: [{ why, pulls: [1] }] }));
  expect(new Set(all).size).toBe(RuleReason.shape.why.options.length);
  expect(all.map((text) => text.split("\n").at(-1)).filter((line) => !/^- [A-Z].*\.$/.test(line ?? ""))).toEqual([]);
});

it("stays below what GitHub takes, and names of environments can do nothing", () => {
  const pulls = Array.from({ length: 200 }, (_, index) => 10_000_000 + index);
  const reasons = RuleReason.shape.why.options.map((why) => ({ why, pulls }));
  expect(say({ is: "waits", reasons }).length).toBeLessThanOrEqual(1_024);
  expect(say({ is: "approved", reasons: [] }, "x`@everyone <img>")).toContain("``x`@everyone <img>``");
});
