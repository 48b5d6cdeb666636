import { expect, it } from "vitest";
import type { Answer } from "../../src/domain/answers.ts";
import { UNSAID_LEVEL } from "../../src/domain/ladder.ts";
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

    The record is not all: somebody with maintain permission has to say \`/forge level 2\`. Down at any time.

    By itself Forge did nothing here so far."
  `);
});

it("SAFE-4: from level 0 the way up needs no record", () => {
  const standing = { level: 0, carries: {}, by: "ana", at: "2026-11-20T10:00:00.000Z" };
  const facts = { standing, standings: standingsOf([]), actions: [] };
  expect(say({ kind: "level", facts }).split("\n\n").slice(0, 2)).toEqual([
    "**Level 0: Forge reports, and does nothing else.** Set by `ana` on 2026-11-20 10:00 UTC.",
    "Level 1 needs no record, only somebody with maintain permission: `/forge level 1`",
  ]);
});

it("SAFE-4: above level 1 it says for what the level counts, what Forge did, and what the configuration allows", () => {
  const standing = { level: 2, carries: { fix: 2, docs: 2 }, by: "@ana", at: "2026-11-20T10:00:00.000Z" };
  const actions = [{ level: 2, action: "approved" as const, count: 14 }];
  const facts = { standing, standings: [], actions, cap: 1, set: { from: 1 } };
  expect(say({ kind: "level", facts })).toMatchInlineSnapshot(`
    "**Level 2, 1 before: Forge also approves pull requests of low risk by itself, where \`review.approve\` allows it.** Set by \`@ana\` on 2026-11-20 10:00 UTC.

    \`safety.automation_level: 1\` in the configuration allows no more than level 1.

    It counts for fixes, documentation: what their records carried when it was set.

    There is no higher level yet: this Forge does nothing at level 3 that it does not do at 2.

    By itself Forge did here: level 2: approved 14 pull requests."
  `);
});

it("SAFE-4: a miss says what it took and why, where it happened and in /forge level", () => {
  const miss = { is: "reverted", action: "approved", by: { commit: "3f2c1ab0".repeat(5) } } as const;
  expect(say({ kind: "demoted", from: 2, to: 1, miss })).toMatchInlineSnapshot(`
    "**Forge went down from level 2 to level 1 in this repository:** it suggests, people decide.

    Why: a change was reverted that Forge had approved by itself, by \`3f2c1ab\`. The record begins anew from there.

    What there is to say of it: \`/forge level\`"
  `);
  const standing = { level: 1, carries: {}, by: "forge", at: "2026-11-20T10:00:00.000Z", miss };
  expect(say({ kind: "level", facts: { standing, standings: [], actions: [] } })).toContain(
    "**Level 1: Forge suggests, people decide.** Forge took it down on ",
  );
});
