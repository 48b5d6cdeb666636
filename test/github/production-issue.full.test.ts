import { afterEach, beforeEach, expect, it } from "vitest";
import type { EffectResult } from "../../src/domain/effects.ts";
import type { FeedbackStanding } from "../../src/domain/production-feedback.ts";
import { applyEffect } from "../../src/github/effects/apply-effect.ts";
import type { EffectPorts, PendingEffect } from "../../src/github/effects/effect-ports.ts";
import { octokitRepository } from "../../src/github/octokit-port.ts";
import { productionText } from "../../src/github/words/production-text.ts";
import { aGitHub, as, type GitHub } from "../simulator/a-github.ts";
import { effectPorts, plainOctokit } from "./effect-bench.ts";

let github: GitHub;
let token: string;
let ports: EffectPorts;
let last: EffectResult | undefined;

beforeEach(async () => {
  github = await aGitHub();
  last = undefined;
  token = await github.installationToken({ permissions: { issues: "write" } });
  const repository = octokitRepository(plainOctokit(`${github.simulator.origin}/api/v3`, token), {
    owner: "acme",
    name: "shop",
  });
  ports = { ...effectPorts(repository, { results: async () => undefined }), earlier: async () => last };
});
afterEach(() => github.stop());

const AT = "2026-11-23T10:00:00.000Z";
const standing: FeedbackStanding = {
  ...{ environment: "production", times: 1, firstAt: AT, lastAt: AT, resolved: false },
  feedback: {
    ...{
      is: "error",
      id: "m1",
      fingerprint: "f1",
      type: "TypeError",
      message: "no `card` for @ben, fixes #1",
      resolved: false,
    },
    frames: [{ function: "charge", file: "/app/src/pay.js", line: 31, inApp: true }],
    ...{ release: "3f2c1ab", count: 1200, users: 3 },
  },
};

async function show(more: Partial<FeedbackStanding> = {}, state = "planned") {
  const effect = {
    kind: "feedback.show",
    key: "k",
    runId: "feedback:environment:3:2:f1",
    state,
    attempts: 0,
    payload: { standing: { ...standing, ...more } },
  };
  const subject = {
    kind: "environment",
    repository: { id: 3, owner: "acme", name: "shop", installationId: 7 },
    number: 2,
  };
  const outcome = await applyEffect(
    { ...effect, subject, sendingSince: "2026-01-01T00:00:00Z" } as PendingEffect,
    ports,
  );
  if (outcome.kind === "done") last = outcome.result;
  return outcome;
}
interface Issue {
  readonly number: number;
  readonly state: string;
  readonly title: string;
  readonly body: string;
}
const issues = async () => as<Issue[]>(await github.call("GET", "/repos/acme/shop/issues?state=all", token));

it("PROD-1: something that production tells of is one issue, brought up to date, closed when it is over and opened when it is back", async () => {
  expect(await show()).toMatchObject({ kind: "done" });
  await show({ times: 10 });
  const [there, ...more] = await issues();
  expect([there?.state, more]).toEqual(["open", []]);
  expect(there?.title).toBe("In production: TypeError: no `card` for @ben, fixes #1");
  expect(there?.body).toContain("received it 10 times");
  await show({ times: 11, resolved: true });
  expect((await issues()).map(({ state }) => state)).toEqual(["closed"]);
  await show({ times: 12 });
  expect((await issues()).map(({ state }) => state)).toEqual(["open"]);
});

it("GH-13: an issue whose answer was lost is found, and not opened again", async () => {
  await show();
  last = undefined;
  expect(await show({}, "sending")).toMatchObject({ kind: "done" });
  expect(await issues()).toHaveLength(1);
});

it("where somebody wrote, it stays open", async () => {
  const outcome = await show();
  const number = outcome.kind === "done" ? outcome.result.issueNumber : 0;
  github.simulator.comment("acme/shop", number ?? 0, { by: "ana", body: "I look into it" });
  await show({ times: 2, resolved: true });
  const [there] = await issues();
  expect([there?.state, there?.body.includes("is over")]).toEqual(["open", true]);
});

it("PROD-1: the release of a fix closes what people wrote in too, and it is opened again when the error is back", async () => {
  const outcome = await show();
  const number = outcome.kind === "done" ? outcome.result.issueNumber : 0;
  github.simulator.comment("acme/shop", number ?? 0, { by: "ana", body: "/forge implement" });
  const fix = { pull: 41, sha: "3f2c1ab09d8e", at: AT, quietMinutes: 60 };
  await show({ times: 2, resolved: true, fixed: fix });
  const [closed] = await issues();
  expect(closed?.state).toBe("closed");
  expect(closed?.body.split("\n\n").slice(0, 2)).toEqual([
    "**The error `TypeError` in production is fixed.** Forge received it 2 times, first at 2026-11-23 10:00 UTC, last at 2026-11-23 10:00 UTC.",
    "#41 fixed it: `3f2c1ab` runs in production since 2026-11-23 10:00 UTC, and no message about it came for 60 minutes or more. If it comes back, Forge opens this issue again.",
  ]);
  await show({ times: 3, backAfter: fix });
  const [back] = await issues();
  expect(back?.state).toBe("open");
  expect(back?.body).toContain("It is back after #41, which had fixed it (`3f2c1ab`).");
});

it("what is over before its issue was opened opens none", async () => {
  expect(await show({ resolved: true })).toMatchObject({ kind: "obsolete" });
  expect(await issues()).toEqual([]);
});

it("the whole text, in which nothing of others does anything", () => {
  const suspicion = {
    is: "caused",
    why: "after_and_on_line",
    sha: "3f2c1ab09d8e",
    runId: "01RUN",
    commit: "9c8b7a6f",
    file: "src/pay.js",
    line: 31,
  } as const;
  expect(productionText({ ...standing, suspicion }, { allowedHosts: [], redact: (text) => text })).toBe(
    [
      "**The error `TypeError` in production goes on.** Forge received it 1 time, first at 2026-11-23 10:00 UTC, last at 2026-11-23 10:00 UTC.",
      "Add the label `forge:implement`, or comment `/forge implement`: Forge then looks for the cause and fixes it, starting from this issue.",
      "**Caused by the deployment of `3f2c1ab`**: it was seen first after that, and `src/pay.js` line 31 was changed by it (`9c8b7a6`). Run `01RUN` deployed it.",
      "- says ``no `card` for @ben, fixes #1``\n- in version `3f2c1ab`\n- 1,200 events, 3 users, as its source counts",
      "<details><summary>stack, innermost first</summary>\n\n```\ncharge at /app/src/pay.js:31\n```\n\n</details>",
    ].join("\n\n"),
  );
});
