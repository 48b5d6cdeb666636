import { z } from "zod";
import type { LoopEvent } from "../../agents/library.ts";
import type { Activity, ActivityPurpose } from "../../domain/activity.ts";
import { defined } from "../../domain/defined.ts";

/** Turns the events of a loop into what its agent does: undefined for an event that does not change it. */
export type FollowActivity = (event: LoopEvent) => Activity | undefined;

/** Tools that only look around: reading goes on through them. */
const LOOKING: ReadonlySet<string> = new Set([
  ...["read_file", "list_files", "glob", "grep", "find_references", "repository_map", "git_diff", "git_log"],
  ...["git_blame", "read_package", "recall"],
]);

/** Where the inputs of tools say what they are about, the first that is there. */
const ABOUT = ["path", "file", "command", "script", "pattern", "name", "symbol"] as const;
const Input = z.record(z.string(), z.unknown());
const Arguments = z.array(z.string()).catch([]);

/** Characters of a name that are kept. */
const MOST_CHARACTERS = 200;
/** Files that are told apart; the iterations of an agent end before that. */
const MOST_FILES = 10_000;

/** Follows one agent. @param purpose what it is asked for, where that is known */
export function followActivity(purpose?: ActivityPurpose): FollowActivity {
  const files = new Set<string>();
  const read = () => defined({ files: files.size || undefined });
  return (event) => {
    if (event.type === "step_started") {
      return { doing: "thinking", model: event.model.slice(0, MOST_CHARACTERS), ...defined({ purpose }), ...read() };
    }
    if (event.type !== "tool_started") return undefined;
    const { tool } = event;
    const about = aboutOf(event.input);
    if (!LOOKING.has(tool)) files.clear();
    if (tool === "read_file" && about !== undefined && files.size < MOST_FILES) files.add(about);
    return { doing: "tool", tool: tool.slice(0, MOST_CHARACTERS), ...defined({ about }), ...read() };
  };
}

function aboutOf(input: unknown): string | undefined {
  const found = Input.safeParse(input);
  if (!found.success) return undefined;
  const { program, args } = found.data;
  const call = typeof program === "string" ? [program, ...Arguments.parse(args)].join(" ") : undefined;
  const about =
    call ?? ABOUT.map((name) => found.data[name]).find((value) => typeof value === "string" && value !== "");
  return typeof about === "string" ? about.slice(0, MOST_CHARACTERS) : undefined;
}

/** The tools whose `about` is a path of the repository: it says no more than the change will. */
const OF_FILES: ReadonlySet<string> = new Set(["read_file", "edit_file", "write_file"]);

/** What everybody who sees the repository may read of it: what a model wrote into commands and patterns is for people who may push. */
export function activityForReaders({ about, ...activity }: Activity): Activity {
  return OF_FILES.has(activity.tool ?? "") ? { ...activity, ...defined({ about }) } : activity;
}
