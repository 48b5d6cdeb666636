import { describe, expect, it } from "vitest";
import type { DeployQuestion, DeployStanding } from "../../src/domain/deployments.ts";
import { DEPLOY_OUTCOMES, DEPLOY_REFUSALS } from "../../src/domain/deployments.ts";
import type { Gate } from "../../src/domain/gates.ts";
import type { ImplementationStatus } from "../../src/domain/implementation-status.ts";
import type { Verdict } from "../../src/domain/samples.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { revertText, rollbackIssueText } from "../../src/github/words/deploy/after-rollback-text.ts";
import { deployCheckText } from "../../src/github/words/deploy/deploy-check-text.ts";
import { deploymentText, endSentence } from "../../src/github/words/deploy/deployment-text.ts";
import { statusText } from "../../src/github/words/deploy/status-text.ts";
import { gateText } from "../../src/github/words/gate/gate-text.ts";
import { implementationStatusText } from "../../src/github/words/work/implementation-status-text.ts";
import { headSha, wording } from "./samples.ts";

const OLD = "8d11e0f000000000000000000000000000000000";

const worse: Verdict = {
  ...{ is: "worse", follows: "roll_back", disaster: false, sourceErrors: ["prometheus: no answer within 10 s"] },
  metrics: [
    {
      ...{ metric: "errors", is: "worse", baseline: "concurrent", canary: 0.081, control: 0.01, ratio: 8.1, of: 2_000 },
      why: "are more frequent",
    },
    { metric: "latency_p95", is: "fine", baseline: "concurrent", canary: 118.4, control: 120, why: "is not longer" },
    { metric: "orders", is: "cannot_tell", baseline: "none", why: "has no data" },
  ],
};

const standing = (change: Partial<DeployStanding> = {}): DeployStanding => ({
  ...{ runId: "01JD2C3V4B5N6M7Q8W9E0R1T2Y", environment: "production", sha: headSha, previous: OLD, by: "ana" },
  ...{ cause: "merge", is: "looking", shares: [5, 25, 100], steps: [], more: 0, direct: 0, risk: "medium" },
  changes: [
    { number: 12, title: "Sum right", author: "ben", risk: "medium", reviewed: "approve", open: 1, blocking: 0 },
  ],
  probeSeconds: 60,
  ...change,
});

type Step = DeployStanding["steps"][number];
const step = (change: Partial<Step> = {}): Step => ({
  ...{ sha: headSha, percentage: 5, task: "deploy", outcome: { is: "done" } },
  ...change,
});
const rolledBack = (outcome: "rolled_back" | "rollback_failed", to: string | undefined = OLD) =>
  standing({
    is: "ended",
    steps: [step(), step({ percentage: 25, verdict: worse }), step({ sha: OLD, percentage: 100, task: "rollback" })],
    back: { to, why: "worse", reason: "errors are more frequent (8.1 times)" },
    hold: { by: "forge", at: "2026-11-20T10:42:00.000Z", why: "errors are more frequent (8.1 times)" },
    end: { outcome },
  });

const said = (one: DeployStanding) => deploymentText(one, wording);
const firstLine = (one: DeployStanding) => said(one).split("\n")[0];

it("GH-4: `/forge status` says of a deployment its step, shares, the verdict with numbers, the next look and who can stop it", () => {
  const deployments = [
    standing({ is: "baking", until: "2026-11-20T10:40:00.000Z", steps: [step({ verdict: worse })] }),
  ];
  expect(answerText({ kind: "implementation_status", deployments }, wording, "issue")).toMatchInlineSnapshot(`
    "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · worse than the one before

    | measured | new | before | verdict |
    |---|---|---|---|
    | error rate | 8.1 % | 1 % | **worse**, 8.1 times |
    | latency, 95 % of the requests | 118 ms | 120 ms | fine |
    | \`orders\` | – | – | cannot tell: has no data |

    Not read: prometheus: no answer within 10 s.

    Looked at every 60 s; the next step not before 2026-11-20 10:40 UTC. To go back: \`/forge rollback production\`; to continue without a result: \`/forge promote production\` (maintain permission).

    | traffic | state | verdict |
    |---|---|---|
    | 5 % | deployed | worse than the one before |
    | 25 % · 100 % | to come | |

    <details><summary>what it brings</summary>

    | brings | by | risk | on record |
    |---|---|---|---|
    | #12 Sum right | \`ben\` | medium | reviewed, 1 finding open |

    </details>

    Production, asked for by \`ana\` · 1 pull request since \`8d11e0f\` · medium risk · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`

    ---

    **No work was begun here.** To begin: \`/forge implement\`; only a plan: \`/forge plan\`"
  `);
});

describe("DEP-1: the comment that moves", () => {
  it("says the step, the verdict with its numbers, what is next and who can stop it", () => {
    const verdict: Verdict = {
      ...worse,
      is: "better_or_equal",
      follows: "go_on",
      sourceErrors: [],
      metrics: [worse.metrics[1]!],
    };
    const out = standing({
      is: "baking",
      until: "2026-11-20T10:52:00.000Z",
      steps: [step(), step({ percentage: 25, verdict, outcome: { is: "done", url: "https://shop.example" } })],
    });
    expect(said(out)).toMatchInlineSnapshot(`
      "**Deploying \`3f2c1ab\` to production** · step 2 of 3, 25 % of the traffic · as good as the one before

      | measured | new | before | verdict |
      |---|---|---|---|
      | latency, 95 % of the requests | 118 ms | 120 ms | fine |

      Looked at every 60 s; the next step not before 2026-11-20 10:52 UTC. To go back: \`/forge rollback production\`; to continue without a result: \`/forge promote production\` (maintain permission).

      | traffic | state | verdict |
      |---|---|---|
      | 5 % | deployed |  |
      | 25 % | deployed | as good as the one before |
      | 100 % | to come | |

      <details><summary>what it brings</summary>

      | brings | by | risk | on record |
      |---|---|---|---|
      | #12 Sum right | \`ben\` | medium | reviewed, 1 finding open |

      </details>

      Production, asked for by \`ana\` · 1 pull request since \`8d11e0f\` · medium risk · at \`https://shop.example\` · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("says what went wrong and what is held after a rollback", () => {
    expect(said(rolledBack("rolled_back"))).toMatchInlineSnapshot(`
      "**Rolled back**: production runs \`8d11e0f\` again.
      \`3f2c1ab\` is worse than the version before it: errors are more frequent (8.1 times).

      **Production is held** by \`forge\` since 2026-11-20 10:42 UTC: errors are more frequent (8.1 times).
      Nothing is deployed there until someone with maintain permission comments \`/forge release production\`

      | measured | new | before | verdict |
      |---|---|---|---|
      | error rate | 8.1 % | 1 % | **worse**, 8.1 times |
      | latency, 95 % of the requests | 118 ms | 120 ms | fine |
      | \`orders\` | – | – | cannot tell: has no data |

      Not read: prometheus: no answer within 10 s.

      <details><summary>steps</summary>

      | traffic | state | verdict |
      |---|---|---|
      | 5 % | deployed |  |
      | 25 % | deployed | worse than the one before |
      | back to \`8d11e0f\` | deployed |  |

      </details>

      <details><summary>what it brings</summary>

      | brings | by | risk | on record |
      |---|---|---|---|
      | #12 Sum right | \`ben\` | medium | reviewed, 1 finding open |

      </details>

      Production, asked for by \`ana\` · 1 pull request since \`8d11e0f\` · medium risk · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
  });

  it("is loud where the rollback failed, and says what a person has to do", () => {
    expect(said(rolledBack("rollback_failed")).split("\n\n")[0]).toMatchInlineSnapshot(`
      "**The rollback of production failed: a person has to act now.** Part of the traffic may still meet \`3f2c1ab\`. Deploy \`8d11e0f\` by hand, see that it runs, then \`/forge release production\`.
      \`3f2c1ab\` is worse than the version before it: errors are more frequent (8.1 times)."
    `);
    expect(
      said({ ...rolledBack("rollback_failed"), back: { why: "disaster", reason: "no answer" } }).split("\n\n")[0],
    ).toMatchInlineSnapshot(`
      "**Not rolled back: production has no earlier version to go back to. A person has to act now.** Traffic may still meet \`3f2c1ab\`. Deploy a version that works by hand, or fix this one; then \`/forge release production\`.
      \`3f2c1ab\` does not work: no answer."
    `);
    const asked = standing({
      ...{ is: "ended", cause: "rollback", sha: OLD, previous: headSha },
      end: { outcome: "rollback_failed", reason: "the step failed: no space left" },
    });
    expect(firstLine(asked)).toMatchInlineSnapshot(
      `"**The rollback of production failed: a person has to act now.** Why: the step failed: no space left. Part of the traffic may still meet \`3f2c1ab\`. Deploy \`8d11e0f\` by hand, see that it runs, then \`/forge release production\`."`,
    );
    expect(deployCheckText(asked, wording).title).toBe("The rollback of production failed: a person has to act");
  });

  it("DEP-2: says where the workflow ran on another commit than the one that is deployed", () => {
    const ranOn = "c0ffee1".padEnd(40, "0");
    const out = standing({ is: "baking", steps: [step({ outcome: { is: "done", ranOn } })] });
    expect(said(out).split("\n\n")[1]).toMatchInlineSnapshot(
      `"**The workflow ran on \`c0ffee1\`, not on \`3f2c1ab\`**: GitHub started it at the head of its branch. It deployed \`3f2c1ab\` only if it checks out its input \`sha\`."`,
    );
    expect(said(standing({ is: "baking", steps: [step()] }))).not.toContain("The workflow ran on");
  });

  it("begins with one clear line in each state", () => {
    const gate = { gate: "G-2", deadline: "2026-11-20T11:00:00.000Z" };
    const from = { sha: OLD, by: "record" } as const;
    const covered: DeployStanding["coverage"] = { requires: [], from, landings: [], beyond: 0 };
    const lines = [
      standing(),
      standing({ is: "verifying" }),
      standing({ is: "asking", gate, coverage: covered }),
      standing({ is: "asking", gate, coverage: { ...covered, beyond: 3 } }),
      standing({ is: "announced", environment: "staging", until: gate.deadline }),
      standing({ is: "deploying", steps: [step({ outcome: { is: "waiting" } })] }),
      standing({
        is: "deploying",
        steps: [step({ outcome: { is: "waiting", awaits: { reviewers: ["ana", "acme/ops"], until: gate.deadline } } })],
      }),
      standing({ is: "deploying", steps: [step({ outcome: { is: "waiting", awaits: { reviewers: [] } } })] }),
      standing({ is: "baking", steps: [step()] }),
      standing({ is: "watching", steps: [step({ percentage: 100, verdict: worse })] }),
      standing({
        is: "going_back",
        steps: [step(), step({ task: "rollback", sha: OLD, outcome: { is: "running" } })],
        back: { to: OLD, why: "person", reason: "checkout fails", by: "ana" },
      }),
    ].map(firstLine);
    expect(lines).toMatchInlineSnapshot(`
      [
        "**Deploying \`3f2c1ab\` to production** · what it brings is looked at",
        "**Deploying \`3f2c1ab\` to production** · it is built and tested in the sandbox first",
        "**Waiting for a person's yes to deploy \`3f2c1ab\` to production** (G-2, until 2026-11-20 11:00 UTC): \`/forge approve G-2\`, \`/forge reject G-2 <reason>\`",
        "**Waiting for a person's yes to deploy \`3f2c1ab\` to production** (G-2, until 2026-11-20 11:00 UTC): \`/forge approve G-2 <reason>\`, \`/forge reject G-2 <reason>\`",
        "**Forge deploys \`3f2c1ab\` to staging at 2026-11-20 11:00 UTC unless someone comments \`/forge hold staging\`**",
        "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · it waits to begin",
        "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · it waits for a yes on GitHub by \`ana\` or \`acme/ops\`, and until 2026-11-20 11:00 UTC, by GitHub's wait timer",
        "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · it waits for a protection rule of its environment on GitHub",
        "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · nothing was measured yet",
        "**All of production has \`3f2c1ab\`** · it is watched · worse than the one before",
        "**Rolling production back to \`8d11e0f\`** · it is under way",
      ]
    `);
  });

  it("SAFE-4: announces what Forge deploys by itself: what, when, who can object and how; an objection is its end", () => {
    const staging = { environment: "staging", until: "2026-11-20T12:00:00.000Z" } as const;
    const verified = { is: "passed", summary: "3 passed, 0 failed." } as const;
    const announced = standing({ ...staging, is: "announced", shares: [100], changes: [], verified, by: "forge" });
    expect(said(announced)).toMatchInlineSnapshot(`
      "**Forge deploys \`3f2c1ab\` to staging at 2026-11-20 12:00 UTC unless someone comments \`/forge hold staging\`**

      It was built and its tests pass. To object takes push permission, and ends this deployment only; with maintain permission \`/forge hold staging\` keeps later versions out too. To begin now: \`/forge promote staging\` (maintain permission).

      Staging, asked for by \`forge\` · no change since \`8d11e0f\` · medium risk · run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`"
    `);
    expect(deployCheckText(announced, wording).title).toMatchInlineSnapshot(
      `"To staging at 2026-11-20 12:00 UTC, unless someone objects"`,
    );
    const skipped = { is: "skipped", summary: "Nothing could be run." } as const;
    expect(said({ ...announced, shares: [5, 100], verified: skipped }).split("\n\n")[1]).toMatchInlineSnapshot(
      `"Its tests could not be run here; it goes to 5 %, 100 % of the traffic. To object takes push permission, and ends this deployment only; with maintain permission \`/forge hold staging\` keeps later versions out too. To begin now: \`/forge promote staging\` (maintain permission)."`,
    );
    const reason = "ben objected: a sale runs";
    expect(firstLine({ ...announced, is: "ended", end: { outcome: "held", reason } })).toMatchInlineSnapshot(
      `"**Not deployed to staging**: \`3f2c1ab\` was held. ben objected: a sale runs. To deploy it anyway: \`/forge deploy staging\` (maintain permission)"`,
    );
  });

  it("says two counts where the version before had next to none, and nothing of times where all is fine", () => {
    const row = (change: Partial<Verdict["metrics"][number]>) => {
      const verdict: Verdict = { ...worse, metrics: [{ ...worse.metrics[0]!, ...change }] };
      return said(standing({ is: "baking", steps: [step({ verdict })] }))
        .split("\n")
        .find((line) => line.startsWith("| error rate"));
    };
    const rows = [
      row({ canary: 26 / 1_012, control: 0, ratio: 2_569, of: 1_012, controlOf: 40_000 }),
      row({ canary: 0.2, control: 0.001, ratio: 200, of: 1_000, controlOf: 40_000, is: "degraded" }),
      row({ canary: 0.2, control: 0, ratio: 400 }),
      row({ metric: "errors", is: "fine", canary: 0, control: 0, ratio: 0, why: "are not more frequent" }),
      row({ is: "fine", baseline: "none", canary: 0.001, control: undefined, why: "are within the objective" }),
      row({ is: "cannot_tell", canary: 0.01, control: 0.01, ratio: 1.2, why: "are too few to compare yet" }),
    ];
    expect(rows).toMatchInlineSnapshot(`
      [
        "| error rate | 2.57 % | 0 % | **worse**, from 0 of 40,000 to 26 of 1,012 |",
        "| error rate | 20 % | 0.1 % | degraded, from 40 of 40,000 to 200 of 1,000 |",
        "| error rate | 20 % | 0 % | **worse**, from 0 % to 20 % |",
        "| error rate | 0 % | 0 % | fine |",
        "| error rate | 0.1 % | – | fine: are within the objective |",
        "| error rate | 1 % | 1 % | cannot tell: are too few to compare yet |",
      ]
    `);
  });

  it("calls a version as good as the one before only where it was compared with that", () => {
    const alone: Verdict = {
      ...{ is: "better_or_equal", follows: "go_on", disaster: false, sourceErrors: [] },
      metrics: [{ metric: "health", is: "fine", baseline: "none", of: 3, why: "answers" }],
    };
    const compared: Verdict = { ...alone, metrics: [worse.metrics[1]!] };
    const end = { outcome: "healthy" as const };
    const first = (verdict: Verdict) =>
      endSentence(standing({ is: "ended", end, steps: [step({ percentage: 100, verdict })] }), wording);
    const sentences = [first(compared), first(alone)];
    expect(sentences).toMatchInlineSnapshot(`
      [
        "**Deployed**: \`3f2c1ab\` runs in production, was watched to the end, and is as good as the version before it.",
        "**Deployed**: \`3f2c1ab\` runs in production, was watched to the end, and is good by itself. There was no version to compare it with.",
      ]
    `);
    expect(firstLine(standing({ is: "baking", steps: [step({ verdict: alone })] }))).toMatchInlineSnapshot(
      `"**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · good by itself, compared with no other"`,
    );
  });

  it("asks people where nothing can be told of a step", () => {
    const verdict: Verdict = { ...worse, is: "cannot_tell", follows: "wait", metrics: [] };
    const text = said(standing({ is: "baking", steps: [step({ verdict, unclear: true })] }));
    const first = said(standing({ is: "baking", previous: undefined, steps: [step({ verdict, unclear: true })] }));
    expect(first).toContain("It is the first version that Forge deploys there, so there is none to compare it with.");
    expect(text).toContain("`/forge promote production <reason>`");
    expect(text).toContain("health unknown so far, and people are asked");
    expect(text).toContain(
      "Where requests are too few, what helps next time is a longer `bake_minutes`, or a query by the operator of Forge (`judge.queries`).",
    );
    expect(text).toContain("Not read: prometheus: no answer within 10 s.");
  });

  it("ends in one sentence for each outcome and each refusal, never without a word on what to do", () => {
    const ends = [
      ...DEPLOY_OUTCOMES.map((outcome) => ({ outcome })),
      ...DEPLOY_REFUSALS.map((refusal) => ({ outcome: "refused" as const, refusal })),
      { outcome: "failed" as const, refusal: "not_tested" as const, reason: "3 passed, 1 failed" },
    ];
    const sentences = ends.map((end) => endSentence(standing({ is: "ended", end }), wording));
    const promoted = standing({ is: "ended", end: { outcome: "unwatched" }, steps: [step({ promoted: true })] });
    expect(endSentence(promoted, wording)).toMatchInlineSnapshot(
      `"**Deployed, and not judged**: \`3f2c1ab\` runs in production, and its health is unknown. A person let it go on. To go back: \`/forge rollback production\`"`,
    );
    expect(sentences).toMatchInlineSnapshot(`
      [
        "**Deployed**: \`3f2c1ab\` runs in production. To go back: \`/forge rollback production\`",
        "**Deployed, and not judged**: \`3f2c1ab\` runs in production, and its health is unknown. Look at it yourself. To go back: \`/forge rollback production\`",
        "**Degraded**: \`3f2c1ab\` runs in production and is worse than it should be, but not so much that Forge takes it back by itself (\`judge.rollback\`). A later rollback does not go back to this version. To go back now: \`/forge rollback production\` (maintain permission)",
        "**Rolled back**: production runs the version before again.",
        "**Not rolled back: production has no earlier version to go back to. A person has to act now.** Traffic may still meet \`3f2c1ab\`. Deploy a version that works by hand, or fix this one; then \`/forge release production\`.",
        "**Not deployed to production**: \`3f2c1ab\` was refused.",
        "**Not deployed to production**: \`3f2c1ab\` failed before anything was deployed. To try again: \`/forge deploy production\`",
        "**Not deployed to production**: nobody let \`3f2c1ab\` through. To ask again: \`/forge deploy production\`",
        "**Not deployed to production**: a later version took the place of \`3f2c1ab\`. Nothing to do.",
        "**Not deployed to production**: \`3f2c1ab\` was held. To deploy it anyway: \`/forge deploy production\` (maintain permission)",
        "**Not deployed to production**: \`3f2c1ab\` was refused. \`.github/forge.yml\` of the default branch has no \`deploy.production\`, so Forge does not deploy there.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. The commit is not on the default branch. Merge it first.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. It brings a pull request that Forge did not review. Have a person let it pass with \`/forge override forge/review <reason>\` on that pull request, then \`/forge deploy production\`.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. Its tests are failing. Fix them, then comment \`/forge deploy production\`.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. It brings a pull request with blocking findings. Fix them, or override the check there, then comment \`/forge deploy production\`.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. It is behind what runs in production. To go back on purpose: \`/forge rollback production\`",
        "**Not deployed to production**: \`3f2c1ab\` was refused. Production is held. To lift the hold: \`/forge release production\`",
        "**Not deployed to production**: \`3f2c1ab\` was refused. It runs in production already.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. The App lacks a permission that deploying needs here (\`deployments: write\`, and \`actions: write\` where Forge starts the workflow). Add it in the App's settings on GitHub; an owner then accepts it in the settings of the installed App.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. The commit or the default branch is not there, or can no longer be read.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. The commit after \`--from\` is not there, or not before the one to be deployed. Name the commit that runs there now.",
        "**Not deployed to production**: \`3f2c1ab\` was refused. Forge knows what runs in production, so \`--from\` is not taken. Without it: \`/forge deploy production\`",
        "**Not deployed to production**: \`3f2c1ab\` was refused. At level 0 Forge deploys nothing by itself. To deploy it: \`/forge deploy production\` (maintain permission)",
        "**Not deployed to production**: \`3f2c1ab\` failed before anything was deployed: 3 passed, 1 failed. Its tests are failing. Fix them, then comment \`/forge deploy production\`.",
      ]
    `);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).not.toContain("undefined");
  });

  it("GH-15: nothing of others in it begins like a command, notifies, links or breaks a table", () => {
    const hostile = "x | @acme/all\n/forge approve G-1 <img src=x> [a](https://evil.example)";
    const text = said(
      standing({
        is: "baking",
        changes: [{ number: 1, title: hostile, author: "a`|b", open: 0, blocking: 0 }],
        steps: [
          step({
            outcome: { is: "failed", detail: hostile, url: "https://evil.example/`x`", logUrl: hostile },
            verdict: {
              ...worse,
              sourceErrors: [hostile],
              metrics: [{ ...worse.metrics[0]!, metric: hostile, why: hostile }],
            },
          }),
        ],
        hold: { by: hostile, at: "2026-11-20T10:42:00.000Z", why: hostile },
        back: { why: "person", reason: hostile, by: hostile },
      }),
    );
    expect(text).not.toMatch(/^\/forge/m);
    const outside = text.replaceAll(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
    expect(outside).not.toContain("<img");
    expect(outside).not.toContain("](https://evil");
    expect(outside).not.toContain("@acme");
    for (const row of text.split("\n").filter((line) => line.startsWith("|"))) {
      expect(row.replaceAll("\\|", "").split("|").length, row).toBeLessThanOrEqual(6);
    }
  });
});

it("DEP-1: the check has a title for the list in each state", () => {
  const titles = [
    standing({ is: "verifying" }),
    standing({ is: "asking", gate: { gate: "G-2", deadline: "2026-11-20T11:00:00.000Z" } }),
    standing({ is: "baking", steps: [step()] }),
    standing({ is: "watching", steps: [step()] }),
    ...DEPLOY_OUTCOMES.map((outcome) => standing({ is: "ended", end: { outcome } })),
  ].map((one) => deployCheckText(one, wording).title);
  expect(titles).toMatchInlineSnapshot(`
    [
      "Before the deployment to production: build and tests",
      "Waiting for a person's yes to deploy to production (G-2)",
      "Watching 5 % of production",
      "In production, watched",
      "Healthy in production",
      "In production; its health is unknown",
      "In production, and worse than before",
      "Rolled back in production",
      "No earlier version to go back to in production: a person has to act",
      "Not deployed to production: refused",
      "Not deployed to production: failed",
      "Not deployed to production: rejected",
      "Not deployed to production: a later version took its place",
      "Not deployed to production: someone objected",
    ]
  `);
  for (const title of titles) expect(title.length).toBeLessThanOrEqual(80);
});

describe("SAFE-3: the gate before production", () => {
  const question: DeployQuestion = {
    ...{ type: "production_deploy", environment: "production", sha: headSha, steps: [5, 25, 100], back: OLD },
    facts: {
      ...{ sha: headSha, ref: "main", previous: OLD, merged: true, older: false, more: 2, direct: 1, risk: "high" },
      changes: [
        {
          number: 12,
          title: "Sum right",
          author: "ben",
          risk: "high",
          reviewed: "approve",
          open: 2,
          blocking: 0,
          tests: "passed",
          implements: { issue: 9, runId: "r" },
        },
        { number: 11, title: "Hotfix", author: "ana", open: 1, blocking: 1, overridden: true, tests: "failed" },
      ],
      migrations: ["drizzle/0004_orders.sql"],
    },
    watched: ["errors", "latency_p95", "orders"],
  };
  const gate = (standing_: Gate["standing"] = { is: "open" }): Gate => ({
    ...{ gate: "G-2", question, headSha, deadline: "2026-11-20T11:00:00.000Z", needs: "maintain", runId: "r" },
    standing: standing_,
  });

  it("shows what a version brings, its steps, what is watched and how it goes back, bound to the commit", () => {
    expect(gateText(gate(), wording)).toMatchInlineSnapshot(`
      "**May \`3f2c1ab\` be deployed to production?** (G-2, until 2026-11-20 11:00 UTC)
      To have exactly this commit deployed in these steps: \`/forge approve G-2 <reason>\`. To leave it: \`/forge reject G-2 <reason>\`

      **Not covered**: what it brings was not looked at in this way. A yes needs a reason, which is recorded and shown; nothing is learned from it.

      - **Commit** \`3f2c1ab0000000000000000000000000000000aa\`, in place of \`8d11e0f\`; high risk
      - **Goes** to 5 %, 25 %, 100 % of the traffic; after each step it is judged, and goes on only where it is as good as before
      - **Watched** error rate; latency, 95 % of the requests; \`orders\`
      - **Goes back** to \`8d11e0f\`, by itself where it is worse twice, or by \`/forge rollback production\`
      - **Changes the form of a database**: \`drizzle/0004_orders.sql\`. Going back brings no data back.

      | brings | by | risk | on record |
      |---|---|---|---|
      | #12 Sum right | \`ben\` | high | reviewed, 2 findings open, tests pass, work on #9 |
      | #11 Hotfix | \`ana\` | unknown | **not reviewed**, let pass by a person, 1 finding open, **1 blocking**, **tests fail** |

      2 older pull requests not shown; 1 commit came by no whole pull request into this branch, so no review looked at exactly this.

      Who may answer: maintain permission; the person who requested it or wrote all of it, only where the repository does not separate duties. Without an answer in time it is not deployed."
    `);
  });

  it.each([
    [{ is: "passed", summary: "12 passed, 0 failed." }, "- **Tests** of this commit: 12 passed, 0 failed."],
    [
      { is: "skipped", summary: "there is no sandbox" },
      "- **Tests** of this commit were not run: there is no sandbox.",
    ],
  ] as const)("says what the tests of exactly this commit came to: %j", (verified, line) => {
    const asked: Gate = { ...gate(), question: { ...question, verified } };
    expect(gateText(asked, wording).split("\n")).toContain(line);
  });

  it.each([
    [{ is: "approved", by: "ana", at: "" }, "**G-2 approved** by `ana`: `3f2c1ab` is deployed to production."],
    [
      { is: "rejected", by: "ana", at: "", note: "friday" },
      "**G-2 rejected** by `ana`: `3f2c1ab` is not deployed to production.\n> friday",
    ],
    [
      { is: "timed_out", at: "" },
      "**G-2 was not answered in time**: `3f2c1ab` is not deployed to production. To have it asked again: `/forge deploy production`",
    ],
    [{ is: "voided", at: "" }, "**G-2 is void**: the deployment that asked has ended or was stopped."],
  ] as const)("says how it was answered, with the plan folded: %j", (is, text) => {
    const [before, folded] = gateText(gate(is), wording).split("\n\n<details>");
    expect(before).toBe(text);
    expect(folded).toContain("**Goes** to 5 %, 25 %, 100 % of the traffic");
  });
});

describe("DEP-1: after a rollback", () => {
  it("the pull request that takes the change back says why, with the numbers", () => {
    expect(revertText(rolledBack("rolled_back"), { pull: 12, touched: [] }, wording)).toMatchInlineSnapshot(`
      {
        "body": "This pull request takes back #12.
      Merge it, or fix the fault on the default branch and close this pull request. Otherwise the next deployment brings the fault to production again.

      **Rolled back**: production runs \`8d11e0f\` again.
      \`3f2c1ab\` is worse than the version before it: errors are more frequent (8.1 times).

      Measured at 25 % of the traffic:

      | measured | new | before | verdict |
      |---|---|---|---|
      | error rate | 8.1 % | 1 % | **worse**, 8.1 times |
      | latency, 95 % of the requests | 118 ms | 120 ms | fine |
      | \`orders\` | – | – | cannot tell: has no data |

      Not read: prometheus: no answer within 10 s.

      Production is held. To deploy there again: \`/forge release production\` (maintain permission)

      Run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`",
        "title": "Revert #12, which was rolled back in production",
      }
    `);
  });

  it("one pull request takes back all where more than one came with it", () => {
    const more = { ...rolledBack("rolled_back"), more: 1, direct: 2 };
    const { title, body } = revertText(more, { touched: ["src/a.ts"] }, wording);
    expect(title).toBe("Revert 2 pull requests and 2 commits without one, which were rolled back in production");
    expect(body.split("\n\n").slice(0, 4).join("\n\n")).toMatchInlineSnapshot(`
      "This pull request takes back all that \`3f2c1ab\` brought since \`8d11e0f\`: 2 pull requests and 2 commits without one.
      Merge it, or fix the fault on the default branch and close this pull request. Otherwise the next deployment brings the fault to production again.

      It is not known which of them is at fault. Later changes stay. After the fault is found, revert this pull request and fix the faulty change: that brings the others back.

      | brings | by | risk | on record |
      |---|---|---|---|
      | #12 Sum right | \`ben\` | medium | reviewed, 1 finding open |

      1 older pull request not shown; 2 commits came by no whole pull request into this branch, so no review looked at exactly these."
    `);
    const parts = rollbackIssueText(more, wording).body.split("\n\n");
    expect(parts.slice(-4, -2).join("\n\n")).toMatchInlineSnapshot(`
      "Forge opens one pull request that takes all of it back. If it is missing, GitHub refused it, as it does where workflow files change. To do it by hand:

      \`\`\`
      git fetch origin && git switch -c take-back origin/HEAD
      git diff --binary 3f2c1ab0000000000000000000000000000000aa 8d11e0f000000000000000000000000000000000 | git apply --3way --index
      git commit
      \`\`\`"
    `);
    const nowhere = { ...more, back: { why: "worse", reason: "errors" } };
    expect(rollbackIssueText(nowhere, wording).body).toContain(
      "No pull request takes it back, because there is no earlier",
    );
  });

  it("the issue has the evidence and how to go on", () => {
    expect(rollbackIssueText(rolledBack("rolled_back"), wording)).toMatchInlineSnapshot(`
      {
        "body": "**Rolled back**: production runs \`8d11e0f\` again.
      \`3f2c1ab\` is worse than the version before it: errors are more frequent (8.1 times).

      Measured at 25 % of the traffic:

      | measured | new | before | verdict |
      |---|---|---|---|
      | error rate | 8.1 % | 1 % | **worse**, 8.1 times |
      | latency, 95 % of the requests | 118 ms | 120 ms | fine |
      | \`orders\` | – | – | cannot tell: has no data |

      Not read: prometheus: no answer within 10 s.

      The version brought 1 pull request since \`8d11e0f\`.

      | brings | by | risk | on record |
      |---|---|---|---|
      | #12 Sum right | \`ben\` | medium | reviewed, 1 finding open |

      Forge opens a pull request that takes #12 back. If it is missing, GitHub could not create it: revert #12 by hand.

      To have Forge find and fix the fault, comment \`/forge implement\` here. Production is held; to deploy there again: \`/forge release production\` (maintain permission)

      Run \`01JD2C3V4B5N6M7Q8W9E0R1T2Y\`",
        "title": "3f2c1ab was rolled back in production",
      }
    `);
  });
});

describe("GH-8: the status of a deployment of ours", () => {
  const said = (became: "replaced" | "rolled_back" | "still_there" | "no_earlier", reason: string) =>
    statusText({ deploymentId: 41, became, reason }, wording);

  it("says what became of it, in GitHub's 140 characters", () => {
    expect(said("replaced", "")).toEqual({
      state: "inactive",
      description: "The next step of this deployment took its place",
    });
    expect(said("rolled_back", "errors are more frequent (8.1 times)")).toEqual({
      state: "inactive",
      description: "Rolled back: errors are more frequent (8.1 times)",
    });
    const long = said("still_there", "no space left on the device ".repeat(9));
    expect(long).toMatchObject({ state: "failure" });
    expect(long.description).toHaveLength(140);
    expect(long.description).toMatch(/^Going back failed, a person has to act: no space left .*…$/);
  });
});

describe("GH-7, GH-12: the work on an issue, once it is merged", () => {
  const phase = (name: "planning" | "implementation") =>
    ({ phase: name, state: "done", times: 1, costUsd: 0.5, durationMs: 60_000 }) as const;
  const work: ImplementationStatus = {
    ...{ task: "Sum right", requestedBy: "ana", usedUsd: 1, limitUsd: 10, commits: 2, testsAdded: 1, gates: [] },
    ...{ tasks: { done: 1, all: 1 }, bounces: {}, durationMs: 120_000, pull: { number: 12, draft: false } },
    step: { is: "in_phase", phase: "deployment" },
    phases: [phase("planning"), phase("implementation")],
  };
  const baking = standing({ is: "baking", steps: [step()], until: "2026-11-20T10:42:00.000Z" });
  const { changes: _changes, more: _more, direct: _direct, ...release } = baking;

  it("says where its version is, what is next, and how to stop it", () => {
    expect(implementationStatusText({ ...work, release }, wording)).toMatchInlineSnapshot(`
      "**Deploying \`3f2c1ab\` to production** · step 1 of 3, 5 % of the traffic · nothing was measured yet

      Looked at every 60 s; the next step not before 2026-11-20 10:42 UTC. To go back: \`/forge rollback production\`; to continue without a result: \`/forge promote production\` (maintain permission).

      | phase | state | cost | time |
      |---|---|---|---|
      | plan | done | $0.50 | 1 min |
      | implement | done | $0.50 | 1 min |

      $1.00 of $10.00 · #12 · stop after this step: \`/forge stop\`"
    `);
    const stopped = implementationStatusText({ ...work, release: { ...release, stopped: { by: "ben" } } }, wording);
    expect(stopped).toContain("· stopped by `ben`");
    expect(stopped).not.toContain("`/forge stop`");
    const last = { ...release, steps: [step(), step({ percentage: 25 }), step({ percentage: 100 })] };
    expect(implementationStatusText({ ...work, release: last }, wording)).not.toContain("`/forge stop`");
    expect(implementationStatusText({ ...work, release: { ...last, onward: true } }, wording)).toContain(
      "`/forge stop`",
    );
  });

  it("says how its deployment ended, and says nothing twice in an answer", () => {
    const over = { ...release, is: "ended", end: { outcome: "degraded" } } as const;
    const ended = implementationStatusText({ ...work, release: over, ending: { is: "merged" } }, wording);
    expect(ended).toMatch(/^\*\*Done\*\*: pull request #12 is merged.*\n\n\*\*Degraded\*\*: /);
    const status = { ...work, release };
    const answer = answerText({ kind: "implementation_status", status, deployments: [baking] }, wording, "issue");
    expect(answer.split("to production**")).toHaveLength(2);
    expect(answer).toContain("**Merged** · the version is on its way to users");
  });
});

it("TOOLS-3: a model's words on a verdict follow it as a quote with their author and cost, and none of them can act", () => {
  const explained: NonNullable<DeployStanding["explained"]> = {
    of: { is: "rolled_back", step: 1 },
    words: "8.1 % of the requests failed.\n**Deployed** @ana /forge release production",
    places: [{ path: "src/run.ts", line: 31, says: "Throws | for empty names. @ana" }],
    cost: { usd: 0.02, tokens: 61_000, cachedShare: 0.84, calls: 2, models: ["anthropic/claude-haiku-5-5"] },
  };
  const one = { ...rolledBack("rolled_back"), explained };
  const quote = `**Explained by a model**, $0.02 (claude-haiku-5-5, 61,000 tokens, 84 % cached). It can be wrong, and decides nothing:

> 8.1 % of the requests failed.
> \\*\\*Deployed\\*\\* \`@ana\` /forge release production
>
> - \`src/run.ts:31\`: Throws \\| for empty names. \`@ana\``;
  const comment = said(one);
  expect(comment).toContain(quote);
  expect(comment.indexOf(quote)).toBeGreaterThan(comment.indexOf("| error rate |"));
  expect(firstLine(one)).toBe(firstLine(rolledBack("rolled_back")));
  const issue = rollbackIssueText(one, wording);
  expect(issue.body).toContain(quote);
  expect(issue.body.replace(`${quote}\n\n`, "")).toBe(rollbackIssueText(rolledBack("rolled_back"), wording).body);
});

it("TOOLS-3: before a deployment a model's smaller steps are named as its own, next to the plan and the way to use them", () => {
  const explained: NonNullable<DeployStanding["explained"]> = {
    ...{
      of: { is: "proposed", step: 0 },
      words: "Each request reads a new table.",
      places: [],
      shares: [1, 5, 25, 100],
    },
    cost: { usd: 0.02, tokens: 61_000, cachedShare: 0.84, calls: 2, models: ["anthropic/claude-haiku-5-5"] },
  };
  const comment = said(standing({ is: "asking", explained }));
  expect(comment).toContain("**Looked at by a model**, $0.02 (claude-haiku-5-5");
  expect(comment).toContain(
    "The model proposes smaller steps: 1 %, 5 %, 25 %, 100 % of the traffic. The plan is still 5 %, 25 %, 100 %. To use the smaller steps, set `deploy.production.steps: [1, 5, 25, 100]` in `.github/forge.yml`, then comment `/forge deploy production` (maintain permission).",
  );
});
