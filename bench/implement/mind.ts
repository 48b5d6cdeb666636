import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { EDITED } from "./repository.ts";

const PLAN = {
  title: "Show prices with two digits",
  kind: "feat",
  summary: "Prices are shown with as many digits as they happen to have.",
  constraints: [],
  decisions: ["no package is added"],
  tasks: [
    {
      id: "1",
      title: "Format prices",
      description: "price() gives a text with two digits.",
      files: ["src/price.js", "test/price.test.js"],
      depends_on: [],
    },
  ],
  acceptance_criteria: ["250 cents are shown as 2.50"],
  not_included: [],
  risk: { level: "low", reasons: [] },
  complexity: "small",
  effort_minutes: 5,
};

const COMPLETED = {
  summary: "Prices have two digits.",
  files_changed: Object.keys(EDITED),
  tests_added: [],
  validated: true,
  commit: { type: "feat", subject: "show prices with two digits" },
};

type Call = { readonly name: string; readonly input: unknown };

const PLANNING: readonly Call[][] = [
  [{ name: "grep", input: { pattern: "price\\(" } }],
  [{ name: "read_file", input: { path: "test/price.test.js" } }],
  [{ name: "repository_map", input: {} }],
  [{ name: "complete", input: PLAN }],
];
const IMPLEMENTING: readonly Call[][] = [
  [{ name: "grep", input: { pattern: "price" } }],
  [{ name: "write_file", input: { path: "src/price.js", content: EDITED["src/price.js"] } }],
  [{ name: "write_file", input: { path: "test/price.test.js", content: EDITED["test/price.test.js"] } }],
  [{ name: "run_tests", input: { files: ["test/price.test.js"] } }],
  [{ name: "run_linter", input: { files: ["src/price.js"] } }],
  [{ name: "complete", input: COMPLETED }],
];

/** Ten turns: four of a planner, six of an implementer that runs the test and the linter. So small a change is read by no model. */
export function tenTurns(asked: Asked): ScriptedReply {
  const turn = asked.messages.filter(({ role }) => role === "assistant").length;
  const calls = scriptOf(asked)[turn];
  return calls ? { calls } : { status: 400, message: "The script is at its end.", type: "invalid_request_error" };
}

function scriptOf({ toolNames }: Asked): readonly Call[][] {
  return toolNames.includes("write_file") ? IMPLEMENTING : PLANNING;
}
