import type { OptionText } from "../command-text.ts";

/** The options of `forge run`, as its help shows them. */
export const RUN_OPTIONS = [
  { option: "--repo <folder>", does: "a folder of a git checkout; this folder by default" },
  {
    option: "--issue <file>",
    does: "read the task from a file (- for standard input); its first line is the title",
  },
  { option: "--base <ref>", does: "start at this branch, tag or commit" },
  { option: "--number <n>", does: "number of the branch, such as the issue's; by default the next free one" },
  { option: "--plan", does: "only make the plan" },
  {
    option: "--yes",
    does: "approve plans of low and medium risk and further spending, both up to confirm_over_usd of .github/forge.yml; never high or critical risk, questions, failing tests or findings",
  },
  { option: "--ask", does: "read answers from standard input even if it is not a terminal" },
  {
    option: "--resume <run|last>",
    does: "continue a run; a task given with it is an instruction for the next step",
  },
  { option: "--extend <limit>=<n>", does: "first raise a limit of that run: usd, iterations or minutes" },
  { option: "--verbose", does: "print what the models think and say, and what their tools print" },
  {
    option: "--report <file>",
    does: "write what was planned, done, found, tested, asked and spent, step by step, as JSON",
  },
  {
    option: "--record <file>",
    does: "write every reply of the models, so forge replay --recording can repeat the run without them",
  },
  {
    option: "--data <folder>",
    does: "where runs are kept: FORGE_DATA, else forge in XDG_STATE_HOME or ~/.local/state",
  },
] as const satisfies readonly OptionText[];
