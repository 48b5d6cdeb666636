import { expect, it } from "vitest";
import { configurationText } from "../../src/github/words/command/tell-text.ts";
import { wording } from "./samples.ts";

it("CONF-1, GH-15a: says what is in force, from where, what is wrong, and which instructions there are", () => {
  const text = configurationText(
    {
      settings: [
        { name: "review.on_pr", value: "true", from: "default" },
        { name: "review.comments", value: '"none"', from: "organisation" },
        { name: "review.max_comments", value: "5", from: "repository" },
      ],
      problems: ["`.github/forge.yml` of `acme/.github` is wrong, so the defaults were used: line 2: nonsense"],
      instructions: {
        found: ["AGENTS.md", "docs/CLAUDE.md"],
        leftOut: [{ path: "CLAUDE.md", reason: "a symbolic link" }],
        truncated: true,
      },
    },
    wording,
  );
  expect(text).toBe(
    `**Mistake**: \`.github/forge.yml\` of \`acme/.github\` is wrong, so the defaults were used: line 2: nonsense

**Configuration in force.**

| setting | value | from |
|---|---|---|
| \`review.comments\` | \`"none"\` | the organization's \`.github\` repository |
| \`review.max_comments\` | \`5\` | \`.github/forge.yml\` |

<details><summary>1 default</summary>

| setting | value |
|---|---|
| \`review.on_pr\` | \`true\` |

</details>

**Instruction files**: \`AGENTS.md\`, \`docs/CLAUDE.md\`. Left out: \`CLAUDE.md\` (a symbolic link). There may be more: GitHub listed a part of the files only. The AI layer reads them, where a model is set up.`,
  );
});

it("says nothing of instructions where there are none", () => {
  const instructions = { found: [], leftOut: [], truncated: false };
  const text = configurationText({ settings: [], problems: [], instructions }, wording);
  expect(text).toContain("**Nothing is configured**");
  expect(text).not.toContain("Instruction");
});
