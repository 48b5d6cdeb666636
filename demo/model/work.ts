import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import type { Conversation } from "./conversation.ts";

/** A piece of work as the script does it: what it changes, how it looks at that, and what it says of it. */
export interface Piece {
  /** Replacements in files. */
  readonly edits: readonly { readonly path: string }[];
  /** New files. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /** Looks at what it did, where programs can be run. */
  readonly tries: { readonly name: "run_tests" | "run_command"; readonly input: object };
  readonly summary: string;
  readonly tests: readonly string[];
  readonly commit: { readonly type: string; readonly subject: string; readonly body?: string };
}

/** Changes everything and tries it in one turn, then hands in. */
export function work(
  piece: Piece,
  { results }: Conversation,
  toolNames: readonly string[],
  more: object = {},
): ScriptedReply {
  const { edits, files = [], tries, summary, tests, commit } = piece;
  const runs = toolNames.includes(tries.name);
  if (results.length === 0) {
    const changed = [
      ...edits.map((input) => ({ name: "edit_file", input })),
      ...files.map((input) => ({ name: "write_file", input })),
    ];
    return { text: "I change it, and look whether it works.", calls: [...changed, ...(runs ? [tries] : [])] };
  }
  const output = {
    summary,
    files_changed: [...new Set([...edits, ...files].map(({ path }) => path))],
    tests_added: tests,
    validated: runs,
    ...(runs ? {} : { not_done: "Nothing could be run here: the tests were written and not executed." }),
    commit,
    ...more,
  };
  return { calls: [{ name: "complete", input: output }] };
}
