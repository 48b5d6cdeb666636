import { z } from "zod";
import type { LintOutcome } from "../analysis/lint-files.ts";
import type { Redact } from "../safety/redact.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { cleanText } from "./data/clean-text.ts";
import { cutLine, cutLines, RESULT_CHARACTERS } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { requirePath } from "./edit/change-files.ts";
import { given, type Tool } from "./tool.ts";

const Input = z.object({
  files: z.array(z.string().min(1)).min(1).max(50).describe("Files to look at"),
  from_row: z.number().int().min(1).default(1).describe("For a list that was cut: the row to go on from"),
});
type Input = z.infer<typeof Input>;

export interface RunLinterDependencies {
  readonly files: RepositoryFiles;
  readonly lint: (files: ReadonlyMap<string, Buffer>, signal: AbortSignal) => Promise<LintOutcome>;
  readonly redact: Redact;
}

export function runLinter({ files, lint, redact }: RunLinterDependencies): Tool<Input> {
  return {
    name: "run_linter",
    description:
      "Looks at files with the analysers of the review (linters, parsers, secret and danger patterns), as they are now and whole. Gives one row for each finding: severity, place, rule, message; most important first. Use it after editing, on the files that you changed. It does not run the repository's own linter: use run_command for that.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 180_000,
    run: async ({ files: named, from_row }, { signal }) => {
      const contents = new Map<string, Buffer>();
      for (const path of named.map(requirePath)) contents.set(path, given(await files.read(path, signal)).content);
      const { observations, uncovered } = await lint(contents, signal);
      const left = uncovered.map(({ path, reason }) => `Not looked at: ${JSON.stringify(path)} (${reason}).`);
      if (observations.length === 0)
        return { text: ["Nothing was found.", ...left].join("\n"), metrics: { findings: 0 } };
      const rows = observations.map(({ severity, file, line, rule, message }) =>
        `${severity} ${file}:${line} ${rule}: ${message}`.replace(/\s+/g, " "),
      );
      const { lines } = await cleanText(rows.join("\n"), { redact, prose: false });
      const shown = cutLines(
        lines.slice(from_row - 1).map((line) => cutLine(line)),
        RESULT_CHARACTERS,
      );
      const more =
        shown.left === 0 ? [] : [`Cut here: ${shown.left} more. Ask for from_row ${from_row + shown.lines.length}.`];
      const head = `${observations.length} ${observations.length === 1 ? "finding" : "findings"}.`;
      return {
        text: [head, fenceData("analysers", shown.lines.join("\n")), ...more, ...left].join("\n"),
        metrics: { findings: observations.length },
      };
    },
  };
}
