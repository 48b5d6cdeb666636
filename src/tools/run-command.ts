import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { showOutput } from "./data/show-text.ts";
import { requirePath } from "./edit/change-files.ts";
import { COMMAND_LIMITS, describeEnd, type RunDependencies, runProgramInClone } from "./run/clone-program.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

/** What a repository's work usually needs; all of it runs in the sandbox. The operator may hand over another list. */
export const USUAL_PROGRAMS = [
  ...["node", "npm", "npx", "pnpm", "yarn", "tsc", "vitest", "jest", "mocha", "eslint", "biome", "prettier"],
  ...["python3", "pytest", "ruff", "mypy", "go", "cargo", "make", "git", "ls", "cat", "wc", "diff"],
] as const;

const Input = z.object({
  program: z.string().min(1).max(100).describe("The name of a program, such as node: no path and no shell line"),
  args: z
    .array(z.string().max(10_000))
    .max(100)
    .default([])
    .describe("Its arguments, one string each; nothing is expanded or quoted"),
  folder: z.string().default("").describe("The folder to run in; the root of the repository when not given"),
  timeout_seconds: z
    .number()
    .int()
    .min(1)
    .max(COMMAND_LIMITS.timeoutMs / 1_000)
    .default(120),
});
type Input = z.infer<typeof Input>;

export interface RunCommandDependencies extends RunDependencies {
  readonly programs: readonly string[];
}

export function runCommand(dependencies: RunCommandDependencies): Tool<Input> {
  const { programs, clone, redact } = dependencies;
  return {
    name: "run_command",
    description: `Runs one program over the repository's files, in a sandbox without network, and gives exit code, stdout and stderr. Changes that it makes to files stay; .git cannot be changed. No shell: no pipes, no redirection, no variables; programs of node_modules/.bin are found by name. Permitted: ${programs.join(", ")}. For tests use run_tests.`,
    inputSchema: Input,
    readOnly: false,
    timeoutMs: COMMAND_LIMITS.timeoutMs + 30_000,
    mayRunMs: ({ timeout_seconds }) => timeout_seconds * 1_000,
    run: async ({ program, args, folder, timeout_seconds }, context) => {
      if (!programs.includes(program)) {
        throw new ToolFailure(
          "not_permitted",
          `${JSON.stringify(program)} is not one of the permitted programs: ${programs.join(", ")}.`,
        );
      }
      if (args.some((arg) => arg.includes("\0") || !arg.isWellFormed())) {
        throw new ToolFailure("invalid_arguments", "An argument holds a character that no argument can hold.");
      }
      const place = requirePath(folder);
      const { paths } = given(await clone.files.list(context.signal));
      if (place !== "" && !paths.some((path) => path.startsWith(`${place}/`))) {
        throw new ToolFailure("not_found", `There is no folder ${JSON.stringify(place)} with files in it.`);
      }
      const timeoutMs = timeout_seconds * 1_000;
      const result = await runProgramInClone(dependencies, { program, args, folder: place, timeoutMs }, context);
      const missing =
        result.code === 127 && result.stdout.length === 0 ? " The program is not there in the sandbox." : "";
      return {
        text: `${describeEnd(result, timeoutMs)}${missing}\n${await showOutput(result, redact)}`,
        metrics: {
          duration_ms: Math.round(result.durationMs),
          exit_code: result.code ?? -1,
          stdout_bytes: result.stdout.length,
          stderr_bytes: result.stderr.length,
        },
        ...defined({ warnings: result.limitHit && [describeEnd(result, timeoutMs)] }),
      };
    },
  };
}
