import type { Activity, ActivityPurpose } from "../../../domain/activity.ts";
import { plainLine } from "../../../safety/plain-line.ts";
import { count } from "../wording.ts";

/** Characters of a name on a line. */
const SHOWN = 50;

const PURPOSES: Readonly<Record<ActivityPurpose, string>> = {
  plan: " for the plan",
  change: " for the next change",
  review: " about the change",
  verification: " to verify a finding",
  tests: " about the tests",
};

/** What a tool does, by its name; other tools are named. */
const VERBS: Readonly<Record<string, string>> = {
  apply_patch: "editing",
  edit_file: "editing",
  write_file: "writing",
  read_file: "reading",
  list_files: "listing",
  glob: "looking for files",
  grep: "searching for",
  find_references: "looking for uses of",
  repository_map: "reading the map of the repository",
  git_diff: "reading the change",
  git_log: "reading the history of",
  git_blame: "reading the history of",
  read_package: "reading the package",
  run_command: "running",
  run_script: "running",
  run_tests: "running tests",
  run_linter: "running the linter",
  recall: "recalling what was learned",
  remember: "noting what was learned",
  complete: "handing in the result",
};

/** The verbs that need an object, with the object to name where it is not known. */
const OBJECTS: Readonly<Record<string, string>> = {
  apply_patch: "files",
  edit_file: "a file",
  write_file: "a file",
  read_file: "a file",
  list_files: "files",
  grep: "text",
  find_references: "a name",
  git_log: "files",
  git_blame: "a file",
  run_command: "a command",
  run_script: "a script",
};

/**
 * "reading 12 files", "running the tests in 46 files", "asking claude-sonnet-5-5 for the plan": what a run does, in the words of the page,
 * the status comment, the check and the command line (GH-12).
 * @param mark how a name by a model or a repository is shown; on one line, without control characters, when left out
 */
export function activityWords(activity: Activity, mark = plainName): string {
  const { doing, model, purpose, tool = "", about, files, testFiles } = activity;
  switch (doing) {
    case "thinking": {
      if (model === undefined) return "asking the model";
      const read = files === undefined || files < 2 ? "" : `, ${count(files, "file")} read`;
      return `asking ${mark(model)}${purpose ? PURPOSES[purpose] : ""}${read}`;
    }
    case "tool":
      if (tool === "read_file" && files !== undefined && files > 1) return `reading ${count(files, "file")}`;
      return toolWords(tool, about, mark);
    case "checking":
      return testFiles === undefined ? "checking types and choosing tests" : testWords(testFiles);
    case "testing":
      return testFiles === undefined ? "running the tests" : testWords(testFiles);
  }
}

function testWords(files: number): string {
  return `running the tests in ${count(files, "file")}`;
}

function toolWords(tool: string, about: string | undefined, mark: (name: string) => string): string {
  const known = Object.hasOwn(VERBS, tool) ? VERBS[tool] : undefined;
  if (known === undefined)
    return [`using ${mark(tool)}`, ...(about === undefined ? [] : [`for ${mark(about)}`])].join(" ");
  const object = about === undefined ? OBJECTS[tool] : mark(about);
  return object === undefined ? known : `${known} ${object}`;
}

function plainName(name: string): string {
  return plainLine(name, SHOWN);
}
