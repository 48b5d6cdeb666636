import { expect, it } from "vitest";
import type { FindingClass, Hiding } from "../../src/domain/hiding.ts";
import { answerText } from "../../src/github/words/command/answers.ts";
import { hiddenLines, probeLines } from "../../src/github/words/command/hiding-text.ts";
import { refusalText } from "../../src/github/words/command/refusals.ts";

const wording = { allowedHosts: [], redact: (text: string) => text };
const taught = (findingId: string, pull: number, by: string, reason: string) => {
  return { findingId, pull, by, reason, message: "`a` is compared with itself" };
};
const CLASS: FindingClass = {
  ...{ id: "H-7K2Q", rule: "biome/suspicious/noSelfCompare", folder: "src/old", endings: [".ts"] },
  ...{ severity: "warning", blocking: false },
  taught: [
    taught("F-AAA2", 3, "ana", "it tells NaN"),
    taught("F-BBB2", 4, "ben", "see <b>above</b> @ana"),
    taught("F-CCC2", 5, "ana", "the same"),
  ],
};
const say = (answer: Parameters<typeof answerText>[0]) => answerText(answer, wording, "pull_request");

it("MEM-6: a proposal says what would be hidden, who taught it, what it would have hidden, and what to type", () => {
  const past = { pull: 2, file: "src/old/x.ts", line: 7, message: "`x` is compared with itself" };
  const replay = {
    findings: 9,
    counts: { dismissed: 3, fixed: 1, ignored: 0, open: 1 },
    listed: [{ ...past, findingId: "F-DDD2", became: "fixed" as const }],
  };
  expect(
    say({ kind: "hiding_proposed", class: CLASS, replay }),
  ).toBe(`**Hide findings like these from now on?** \`H-7K2Q\`: \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs. To have them hidden: \`/forge hide H-7K2Q\` (maintain). To turn it down: \`/forge unhide H-7K2Q\`

Dismissed with a reason by 2 people:
- \`F-AAA2\` in #3, by \`ana\`: it tells NaN
- \`F-BBB2\` in #4, by \`ben\`: see &lt;b>above&lt;/b> \`@ana\`
- \`F-CCC2\` in #5, by \`ana\`: the same

**Of 9 past findings of this rule it would have hidden 5**: 3 dismissed, 1 fixed, 1 open or not known.

<details><summary>which</summary>

- \`F-DDD2\` in #2, fixed: \`src/old/x.ts:7\` \`x\` is compared with itself
- and 4 more

</details>

Never what blocks, nor a secret or a critical security finding. The check counts what is hidden, but one in twenty is still shown.`);
});

it("MEM-6: /forge hide lists what there is, and says what was changed", () => {
  const hiding: Hiding = {
    class: CLASS,
    state: "on",
    by: "ana",
    at: "2026-11-23T12:00:00.000Z",
    right: 2,
    wrong: 1,
    changes: 1,
  };
  expect(say({ kind: "hidings", hidings: [] })).toBe(
    "**Nothing is hidden here.** Forge proposes it after three dismissals with a reason by two people.",
  );
  const all = (["proposed", "on", "withdrawn", "off"] as const).map((state) => ({ ...hiding, state }));
  expect(
    say({ kind: "hidings", hidings: all }),
  ).toBe(`- \`H-7K2Q\` \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs, taught in #3, #4, #5: **proposed** on 2026-11-23 12:00 UTC: \`/forge hide H-7K2Q\`
- \`H-7K2Q\` \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs, taught in #3, #4, #5: **hidden** since 2026-11-23 12:00 UTC by \`ana\`, of its probes 2 dismissed, 1 wanted: \`/forge unhide H-7K2Q\`
- \`H-7K2Q\` \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs, taught in #3, #4, #5: **withdrawn** on 2026-11-23 12:00 UTC by \`ana\`
- \`H-7K2Q\` \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs, taught in #3, #4, #5: **switched off** by Forge on 2026-11-23 12:00 UTC, of its probes 2 dismissed, 1 wanted`);
  expect(say({ kind: "hidings", hidings: [hiding], changed: true })).toBe(
    `**\`H-7K2Q\` is hidden from the next review on**: \`biome/suspicious/noSelfCompare\` in \`src/old/**\` (\`.ts\`), warning at most, with a message like theirs. To end it: \`/forge unhide H-7K2Q\``,
  );
  expect(say({ kind: "hidings", hidings: [{ ...hiding, state: "withdrawn" }], changed: true })).toBe(
    "**`H-7K2Q` hides nothing from the next review on.** To have it hidden again: `/forge hide H-7K2Q`",
  );
  expect(say({ kind: "hiding_ended", hidingId: "H-7K2Q", wrong: 3 })).toBe(
    `**\`H-7K2Q\` no longer hides anything**: 3 of the findings that were shown as a probe were fixed or voted for. To have it hidden again: \`/forge hide H-7K2Q\``,
  );
});

it("MEM-6: the check counts what is hidden, and a probe says that it is one", () => {
  const hidden = [
    { hidingId: "H-7K2Q", findings: 1 },
    { hidingId: "H-9M4D", findings: 2 },
  ];
  expect(hiddenLines({ hidden } as Parameters<typeof hiddenLines>[0])).toEqual([
    "**Hidden**: 3 findings by what was learned here (`H-7K2Q`, `H-9M4D`): `/forge hide`",
  ]);
  expect(hiddenLines({} as Parameters<typeof hiddenLines>[0])).toEqual([]);
  expect(probeLines({ probe: "H-7K2Q" }).join("\n")).toBe(`
**Probe**: \`H-7K2Q\` hides findings like this, but one in twenty is still shown. A fix or a thumbs up counts against hiding them.`);
  expect(probeLines({})).toEqual([]);
});

it("says which class is meant where none such can be changed", () => {
  const text = (refusal: Parameters<typeof refusalText>[0]) => refusalText(refusal, "ana", wording);
  expect(text({ reason: "unknown_class" })).toBe("Which class? All there are: `/forge hide`");
  expect(text({ reason: "unknown_class", written: "F-1" })).toBe(
    "`F-1` is no class that is hidden or proposed here. All there are: `/forge hide`",
  );
  expect(text({ reason: "class_stands", hidingId: "H-7K2Q", hidden: true })).toBe(
    "`H-7K2Q` is hidden already. All there are: `/forge hide`",
  );
});
