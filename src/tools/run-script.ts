import { z } from "zod";
import { showOutput } from "./data/show-text.ts";
import { requirePath, withTemporaryFile } from "./edit/change-files.ts";
import { describeEnd, type RunDependencies, runProgramInClone } from "./run/clone-program.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const TIMEOUT_MS = 60_000;

const Input = z.object({
  path: z
    .string()
    .min(1)
    .max(300)
    .describe("A script of the repository, or with content the path of a new one, beside what it imports"),
  content: z.string().max(20_000).optional().describe("The text of a small new script; it is removed after the run"),
  args: z.array(z.string().max(1_000)).max(20).default([]),
});
type Input = z.infer<typeof Input>;

/** Runs what a reader wants to see happen, and nothing else: a script by node or python, and no program by name. */
export function runScript(dependencies: RunDependencies): Tool<Input> {
  const { clone, redact } = dependencies;
  return {
    name: "run_script",
    description:
      "Runs one script over the change, in a sandbox without network, and gives exit code, stdout and stderr: an existing one of the repository, or a small one that you write to see what the code does with an input. JavaScript and TypeScript (types are stripped) by node, .py by python3. What it writes to files does not count. For tests use run_tests.",
    inputSchema: Input,
    readOnly: false,
    timeoutMs: TIMEOUT_MS + 30_000,
    run: async ({ path, content, args }, context) => {
      const clean = requirePath(path);
      const program = programOf(clean);
      if (program === undefined)
        throw new ToolFailure("not_a_script", "A script ends in .js, .mjs, .cjs, .ts, .mts, .cts or .py.");
      if (args.some((arg) => arg.includes("\0") || !arg.isWellFormed()))
        throw new ToolFailure("invalid_arguments", "An argument holds a character that no argument can hold.");
      if (content === undefined) given(await clone.files.read(clean, context.signal));
      const call = { program, args: [`./${clean}`, ...args], folder: "", timeoutMs: TIMEOUT_MS };
      const run = () => runProgramInClone(dependencies, call, context);
      const result =
        content === undefined ? await run() : await withTemporaryFile(clone.files, { path: clean, content }, run);
      return {
        text: `${describeEnd(result, TIMEOUT_MS)}\n${await showOutput(result, redact)}`,
        metrics: { duration_ms: Math.round(result.durationMs), exit_code: result.code ?? -1 },
      };
    },
  };
}

function programOf(path: string): "node" | "python3" | undefined {
  if (/\.[cm]?[jt]s$/.test(path)) return "node";
  return path.endsWith(".py") ? "python3" : undefined;
}
