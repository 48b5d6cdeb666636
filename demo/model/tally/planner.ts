import type { ScriptedReply } from "../../../simulator/models/scripted-model.ts";
import { ISSUE } from "../../implement/issue.ts";
import type { Conversation } from "../conversation.ts";

export const SUM_TASK = "Read a sum as an amount";
export const DESCRIBE_TASK = "Describe sums where amounts are described";

const PLAN = {
  title: "Let an amount be a sum",
  kind: "feat",
  summary:
    "Who comes home with several receipts adds them in the head today and gets it wrong. An amount may be a sum from now on, on the command line and in files that are imported.",
  constraints: ["no packages are added", "amounts that were refused are still refused, with the same sentence"],
  decisions: [
    "`parseAmount` in `src/amount.js` reads sums, so `add` and `import` get them alike",
    "only plus signs: there is no minus, and there are no brackets",
  ],
  tasks: [
    {
      id: "1",
      title: SUM_TASK,
      description:
        "`parseAmount` (`src/amount.js:4`) takes amounts with plus signs between them and returns the cents of all. Spaces around a plus are allowed. Tests: a sum of three, a sum with spaces, and cents that a sum of floating point numbers would get wrong.",
      files: ["src/amount.js", "test/amount.test.js"],
      depends_on: [],
    },
    {
      id: "2",
      title: DESCRIBE_TASK,
      description: "`README.md` and `src/commands/help.js` say how an amount is written: add the sum, with an example.",
      files: ["README.md", "src/commands/help.js"],
      depends_on: ["1"],
    },
  ],
  acceptance_criteria: [
    "`tally add ana 2.40+1.80+12 market` keeps an entry of 16.20",
    "a line `ana,2.40+1.80,fruit` is imported as 4.20",
    "`tally help` says how a sum is written",
  ],
  not_included: ["minus signs, and anything else of arithmetic"],
  risk: { level: "low", reasons: ["one function reads all amounts, and its tests stay as they are"] },
  complexity: "small",
  effort_minutes: 8,
};

/** For a user who labels another issue while the demo stays. */
const NO_PLAN =
  "I am a script that can plan one issue, which is done already, and no model. With a key in the environment of the demo a model plans this one. Close the issue to end it.";

/** As a planner: looks at the code that the issue is about and at who uses it, then plans. */
export function planWork({ task, results }: Conversation): ScriptedReply {
  if (!task.includes(ISSUE.title)) return { calls: [{ name: "ask_human", input: { question: NO_PLAN } }] };
  if (results.length === 0) {
    return {
      text: "Where are amounts read, and who reads them?",
      calls: [
        { name: "read_file", input: { path: "src/amount.js" } },
        { name: "grep", input: { pattern: "parseAmount|12\\.50", context_lines: 1 } },
      ],
    };
  }
  return { calls: [{ name: "complete", input: PLAN }] };
}
