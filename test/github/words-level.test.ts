import { expect, it } from "vitest";
import type { Answer } from "../../src/domain/answers.ts";
import { UNSAID_LEVEL } from "../../src/domain/ladder.ts";
import { MERGE_BARS, type MergeStanding } from "../../src/domain/merging.ts";
import { mergeText } from "../../src/github/words/check/merge-text.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { standingsOf } from "../../src/safety/ladder.ts";
import { outcomes } from "../safety/level-record.ts";
import { wording } from "./samples.ts";

const say = (answer: Answer) => answerText(answer, wording);

it("SAFE-4: /forge level says where a repository stands, and in numbers what is missing", () => {
  const standings = standingsOf([
    ...outcomes(60, 2),
    ...outcomes(3, 0, { outcome: "merged" }),
    ...outcomes(12, 1, { task: "docs" }),
  ]);
  expect(say({ kind: "level", facts: { standing: UNSAID_LEVEL, standings, actions: [] } })).toMatchInlineSnapshot(`
    "**Level 1: Forge suggests, people decide.** Nobody set it: every repository begins there.

    | to level 2 | record | missing |
    |---|---|---|
    | documentation | 12 reviewed pull requests, 1 failed | 39 of 50 good ones; evidence 1.4 of 20 that fewer than 20 % fail |
    | fixes | 60 reviewed pull requests, 2 failed; 3 more wait for their outcome | nothing |
    | features | 0 reviewed pull requests, 0 failed | 50 of 50 good ones; evidence 1.0 of 20 that fewer than 20 % fail |
    | refactoring | 0 reviewed pull requests, 0 failed | 50 of 50 good ones; evidence 1.0 of 20 that fewer than 20 % fail |

    The record is not enough: a user with maintain permission has to comment \`/forge level 2\`. Lowering it is always possible.

    By itself Forge did nothing here so far."
  `);
});

it("SAFE-4: from level 0 the way up needs no record", () => {
  const standing = { level: 0, carries: {}, by: "ana", at: "2026-11-20T10:00:00.000Z" };
  const facts = { standing, standings: standingsOf([]), actions: [] };
  expect(say({ kind: "level", facts }).split("\n\n").slice(0, 2)).toEqual([
    "**Level 0: Forge reports, and does nothing else.** Set by `ana` on 2026-11-20 10:00 UTC.",
    "Level 1 needs no record, only a user with maintain permission: `/forge level 1`",
  ]);
});

it("SAFE-4: above level 1 it says for what the level counts, what Forge did, and what the configuration allows", () => {
  const standing = { level: 2, carries: { fix: 2, docs: 2 }, by: "@ana", at: "2026-11-20T10:00:00.000Z" };
  const actions = [
    { level: 2, action: "approved" as const, count: 14 },
    { level: 2, action: "formatted" as const, count: 1 },
  ];
  const facts = { standing, standings: [], actions, cap: 1, set: { from: 1 } };
  expect(say({ kind: "level", facts })).toMatchInlineSnapshot(`
    "**Level 2, 1 before: Forge also formats its own work and fixes simple lint in it, and approves pull requests of low risk by itself, where \`review.approve\` allows it.** Set by \`@ana\` on 2026-11-20 10:00 UTC.

    \`safety.automation_level: 1\` in the configuration allows no more than level 1.

    It counts for fixes, documentation: what their records carried when it was set.

    | to level 3 | record | missing |
    |---|---|---|

    The record is not enough: a user with maintain permission has to comment \`/forge level 3\`. Lowering it is always possible.

    By itself Forge did here: level 2: approved 14 pull requests; level 2: formatted 1 piece of its own work."
  `);
});

it("SAFE-4: a miss says what it took and why, where it happened and in /forge level", () => {
  const miss = { is: "reverted", action: "approved", by: { commit: "3f2c1ab0".repeat(5) } } as const;
  expect(say({ kind: "demoted", from: 2, to: 1, miss })).toMatchInlineSnapshot(`
    "**Forge went down from level 2 to level 1 in this repository:** it suggests, people decide.

    Why: a change was reverted that Forge had approved by itself, by \`3f2c1ab\`. The record restarts from there.

    What there is to say of it: \`/forge level\`"
  `);
  const standing = { level: 1, carries: {}, by: "forge", at: "2026-11-20T10:00:00.000Z", miss };
  expect(say({ kind: "level", facts: { standing, standings: [], actions: [] } })).toContain(
    "**Level 1: Forge suggests, people decide.** Forge took it down on ",
  );
});

it("SAFE-4: one comment says how the merging by Forge itself stands, and what to do", () => {
  const on = { headSha: "3f2c1ab0".repeat(5), baseRef: "main", level: 3 };
  const due = "2026-11-20T14:05:00.000Z";
  const texts: MergeStanding[] = [
    { is: "announced", ...on, due },
    { is: "announced", ...on, due, level: 4 },
    { is: "held", by: "@ana" },
    { is: "merged", ...on, queued: true },
    { is: "dropped", headSha: on.headSha, bar: { why: "changes_requested", by: "@ben" } },
    { is: "dropped", headSha: on.headSha, bar: { why: "refused", said: "Head was modified. @all fixes #1" } },
    { is: "dropped", headSha: on.headSha, bar: { why: "governs", said: ".github/`x`" } },
    {
      is: "dropped",
      headSha: on.headSha,
      bar: { why: "governs", files: [1, 2, 3, 4, 5, 6, 7].map((at) => `${at}.yml`) },
    },
    { is: "dropped", headSha: on.headSha, bar: { why: "governs" } },
  ];
  expect(texts.map((standing) => mergeText(standing, wording)).join("\n---\n")).toMatchInlineSnapshot(`
    "**Forge merges this pull request at 2026-11-20 14:05 UTC unless someone comments \`/forge hold\`.**

    Its risk is low, and the review of \`3f2c1ab\` found nothing. A push, requested changes and a check that fails stop it too; what the branch requires has to be there.
    ---
    **Forge merges this pull request as soon as GitHub lets it**, as its level here is 4. \`/forge hold\` stops it.

    Its risk is low, and the review of \`3f2c1ab\` found nothing. A push, requested changes and a check that fails stop it too; what the branch requires has to be there.
    ---
    **Held by \`@ana\`: Forge does not merge this pull request by itself.**

    \`/forge unhold\` ends that; the time to object starts again.
    ---
    **Forge put this pull request into the merge queue by itself**, at \`3f2c1ab\`: low risk, level 3.

    If that was wrong, revert it: Forge then goes down a level. \`/forge level\`
    ---
    **Forge does not merge this pull request by itself:** \`@ben\` requested changes.

    When they approve it or take that back, it is looked at again.
    ---
    **Forge does not merge this pull request by itself:** GitHub did not take it (Head was modified. \`@all\` fixes \`#1\`).

    Once that is different: \`/forge unhold\` has it looked at again.
    ---
    **Forge does not merge this pull request by itself:** \`\` .github/\`x\` \`\` has to be looked at by a person.

    By itself Forge merges only prose, translations, sources that tests reach, and tests that were there and say no less than before. Merging it is up to people.
    ---
    **Forge does not merge this pull request by itself:** \`1.yml\`, \`2.yml\`, \`3.yml\`, \`4.yml\`, \`5.yml\` and 2 more files have to be looked at by a person.

    By itself Forge merges only prose, translations, sources that tests reach, and tests that were there and say no less than before. Merging it is up to people.
    ---
    **Forge does not merge this pull request by itself:** its last review did not say which of its files a person has to look at.

    After a push it is looked at again."
  `);
  for (const why of MERGE_BARS) {
    const [first, , second] = mergeText({ is: "dropped", headSha: on.headSha, bar: { why } }, wording).split("\n");
    expect(first).toMatch(/^\*\*Forge does not merge this pull request by itself:\*\* [^ ].*[^.]\.$/);
    expect(second).not.toBe("");
  }
});
