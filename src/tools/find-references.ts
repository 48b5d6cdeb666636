import { z } from "zod";
import { type ImportGraph, reach } from "../analysis/map/import-graph.ts";
import type { ReadGraph } from "../analysis/map/read-graph.ts";
import type { Redact } from "../safety/redact.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { foundLines } from "./data/found-lines.ts";
import { shownPath } from "./data/show-text.ts";
import { requirePath } from "./edit/change-files.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const MOST_MATCHES = 400;

const Input = z.object({
  symbol: z
    .string()
    .regex(/^[\p{L}\p{N}_$#@.-]{1,200}$/u, "one name, such as parseDate")
    .describe("The name of a function, class, type, constant or method"),
  defined_in: z.string().optional().describe("The file that declares it, where several do"),
});
type Input = z.infer<typeof Input>;

export interface FindReferencesDependencies {
  readonly files: RepositoryFiles;
  readonly readGraph: ReadGraph;
  readonly redact: Redact;
}

export function findReferences({ files, readGraph, redact }: FindReferencesDependencies): Tool<Input> {
  return {
    name: "find_references",
    description:
      "Finds where a name is used: every line with exactly this word, without files that cannot mean it because they do not import the file that declares it (JavaScript, TypeScript, Python; elsewhere all files). Use it for the callers of a changed function. The declaration itself is among the lines.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 120_000,
    run: async ({ symbol, defined_in }, { signal }) => {
      const query = {
        pattern: symbol,
        literal: true,
        wholeWord: true,
        ignoreCase: false,
        within: "",
        globs: [],
        contextLines: 0,
      };
      const found = given(await files.search({ ...query, maxMatches: MOST_MATCHES }, signal));
      if (found.matches === 0) return { text: "The name does not stand anywhere.", metrics: { matches: 0 } };
      const graph = await readGraph(signal);
      const origin = findOrigin(graph, symbol, defined_in);
      const reached = origin === undefined ? undefined : reach(graph, origin);
      // A file that was not parsed may import anything.
      const lines = found.lines.filter(
        ({ path }) => reached === undefined || reached.has(path) || !graph.symbols.has(path),
      );
      const others = new Set(found.lines.filter((line) => !lines.includes(line)).map(({ path }) => path));
      const notes = [
        ...(origin === undefined ? [] : [`Declared in ${shownPath(origin)}.`]),
        ...(others.size === 0
          ? []
          : [
              `The same word also stands in ${others.size} ${others.size === 1 ? "file that does" : "files that do"} not import it: ${[...others].slice(0, 5).map(shownPath).join(", ")}${others.size > 5 ? ", ..." : ""}.`,
            ]),
        ...(found.cut === undefined
          ? []
          : ["Cut here: there are more. Use grep with a path to see those of one folder."]),
      ];
      return foundLines({
        from: "references",
        lines,
        matches: lines.length,
        redact,
        note: notes.join(" ") || undefined,
      });
    },
  };
}

/** The file that declares the name: the one that was named, or the only one there is. */
function findOrigin(graph: ImportGraph, symbol: string, definedIn: string | undefined): string | undefined {
  if (definedIn !== undefined) {
    const path = requirePath(definedIn);
    if (!graph.paths.includes(path)) throw new ToolFailure("not_found", `There is no file ${JSON.stringify(path)}.`);
    return path;
  }
  const declaring = [...graph.symbols].filter(([, symbols]) =>
    symbols.some(({ name, kind }) => name === symbol && kind !== "method"),
  );
  const [only] = declaring;
  return declaring.length === 1 ? only?.[0] : undefined;
}
