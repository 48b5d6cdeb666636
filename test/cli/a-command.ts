import type { Command } from "../../src/cli/dispatch.ts";

/** A command of the command line that does only what `run` does. */
export function aCommand(name: string, run: Command["run"] = async () => 0): Command {
  return { name, group: "look", usage: [name], does: name, options: [], notes: [], run };
}
