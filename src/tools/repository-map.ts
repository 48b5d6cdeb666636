import { z } from "zod";
import { drawMap } from "../analysis/map/draw-map.ts";
import type { ReadGraph } from "../analysis/map/read-graph.ts";
import type { Redact } from "../safety/redact.ts";
import { cleanText } from "./data/clean-text.ts";
import { cutLine } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { requirePath } from "./edit/change-files.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  around: z
    .array(z.string().min(1))
    .max(50)
    .default([])
    .describe("Files to draw the map around; the changed files when not given"),
  budget_tokens: z.number().int().min(200).max(5_000).default(2_000).describe("How long the answer may be"),
  from_file: z.number().int().min(1).default(1).describe("For a map that was cut: the file to go on from"),
});
type Input = z.infer<typeof Input>;

export interface RepositoryMapDependencies {
  readonly readGraph: ReadGraph;
  /** What the run is about. */
  readonly changedPaths: readonly string[];
  readonly redact: Redact;
}

export function repositoryMap({ readGraph, changedPaths, redact }: RepositoryMapDependencies): Tool<Input> {
  return {
    name: "repository_map",
    description:
      "Shows how the code hangs together: the files nearest to some files by their imports, nearest first, with what they declare (line and signature) and by how many files they are imported. Use it first in a code base that you do not know, or to see what a change may touch. Files of the focus are marked with * and also show what they import and what they keep to themselves. Reads JavaScript, TypeScript and Python.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 120_000,
    run: async ({ around, budget_tokens, from_file }, { signal }) => {
      const focus = (around.length === 0 ? changedPaths : around).map(requirePath);
      const graph = await readGraph(signal);
      const missing = around.map(requirePath).find((path) => !graph.paths.includes(path));
      if (missing !== undefined) throw new ToolFailure("not_found", `There is no file ${JSON.stringify(missing)}.`);
      const { blocks, left } = drawMap(graph, { focus, budgetTokens: budget_tokens, fromFile: from_file });
      if (blocks.length === 0)
        return { text: "There is no code in a language that the map reads.", metrics: { files: 0 } };
      const { lines, leftOut } = await cleanText(blocks.join("\n"), { redact, prose: false });
      const parts = [
        fenceData("map of the repository", lines.map((line) => cutLine(line)).join("\n")),
        left === 0
          ? undefined
          : `Cut here: ${left} more files. Ask for from_file ${from_file + blocks.length}, or a larger budget_tokens.`,
        graph.unread === 0
          ? undefined
          : `${graph.unread} files are not in the map: too many, too large, or not to be parsed.`,
        leftOut,
      ];
      return { text: parts.filter((part) => part !== undefined).join("\n"), metrics: { files: blocks.length } };
    },
  };
}
