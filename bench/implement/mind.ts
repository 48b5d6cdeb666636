import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import type { Project } from "./project.ts";

type Call = { readonly name: string; readonly input: unknown };

/** Ten turns: four of a planner, six of an implementer that runs the tests and the type check. So small a change is read by no model. */
export function tenTurns(project: Project): (asked: Asked) => ScriptedReply {
  const scripts = { planning: planning(project), implementing: implementing(project) };
  return ({ messages, toolNames }) => {
    const script = toolNames.includes("write_file") ? scripts.implementing : scripts.planning;
    const calls = script[messages.filter(({ role }) => role === "assistant").length];
    return calls ? { calls } : { status: 400, message: "The script is at its end.", type: "invalid_request_error" };
  };
}

function planning({ edited }: Project): readonly Call[][] {
  const files = Object.keys(edited);
  const task = {
    id: "1",
    title: "Format prices",
    description: "price() gives a text with two digits.",
    files,
    depends_on: [],
  };
  return [
    [{ name: "grep", input: { pattern: "price\\(" } }],
    [{ name: "read_file", input: { path: files.at(-1) } }],
    [{ name: "repository_map", input: {} }],
    [{ name: "complete", input: { ...PLAN, tasks: [task] } }],
  ];
}

function implementing({ edited, tests, typeCheck }: Project): readonly Call[][] {
  const files = Object.keys(edited);
  const linter = { name: "run_linter", input: { files: files.slice(0, 1) } };
  return [
    [{ name: "grep", input: { pattern: "price" } }],
    ...files.map((path) => [{ name: "write_file", input: { path, content: edited[path] } }]),
    [{ name: "run_tests", input: { files: tests } }],
    [typeCheck === undefined ? linter : { name: "run_command", input: typeCheck }],
    [{ name: "complete", input: { ...COMPLETED, files_changed: files } }],
  ];
}

const PLAN = {
  title: "Show prices with two digits",
  kind: "feat",
  summary: "Prices are shown with as many digits as they happen to have.",
  constraints: [],
  decisions: ["no package is added"],
  acceptance_criteria: ["250 cents are shown as 2.50"],
  not_included: [],
  risk: { level: "low", reasons: [] },
  complexity: "small",
  effort_minutes: 5,
};

const COMPLETED = {
  summary: "Prices have two digits.",
  tests_added: [],
  validated: true,
  commit: { type: "feat", subject: "show prices with two digits" },
};
