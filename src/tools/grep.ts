import { z } from "zod";
import { trimEndOf } from "../domain/trim-characters.ts";
import type { Redact } from "../safety/redact.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { SEARCH_LIMITS } from "../workspace/files/search-folder.ts";
import { foundLines } from "./data/found-lines.ts";
import { given, type Tool } from "./tool.ts";

const Input = z.object({
  pattern: z
    .string()
    .min(1)
    .max(SEARCH_LIMITS.patternCharacters)
    .describe("A regular expression, searched line by line"),
  path: z.string().default("").describe("A folder or file to search in; the whole repository when not given"),
  glob: z.string().max(300).optional().describe("Only files whose path matches, such as *.ts or !*.test.ts"),
  literal: z.boolean().default(false).describe("The pattern is plain text, not an expression"),
  ignore_case: z.boolean().default(false),
  context_lines: z.number().int().min(0).max(10).default(0).describe("Lines to show before and after each match"),
  max_matches: z.number().int().min(1).max(500).default(100),
});
type Input = z.infer<typeof Input>;

export interface GrepDependencies {
  readonly files: RepositoryFiles;
  readonly redact: Redact;
}

export function grep({ files, redact }: GrepDependencies): Tool<Input> {
  return {
    name: "grep",
    description:
      "Searches the text of the repository's files with a regular expression (ripgrep syntax, without look-around and back references) and gives the lines that match, by file, with line numbers. Use it to find where something is said or done. For files by name use glob. Dependencies, lock files and binary files are not searched.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async (input, { signal }) => {
      const found = given(
        await files.search(
          {
            pattern: input.pattern,
            literal: input.literal,
            wholeWord: false,
            ignoreCase: input.ignore_case,
            within: input.path,
            globs: globsOf(input),
            contextLines: input.context_lines,
            maxMatches: input.max_matches,
          },
          signal,
        ),
      );
      if (found.matches === 0) {
        return {
          text:
            found.cut === undefined
              ? `Nothing matches${input.glob === undefined ? "" : " in files whose path matches the glob"}.`
              : `Nothing was found before the search ${CUTS[found.cut]}.`,
          metrics: { matches: 0 },
        };
      }
      const note =
        found.cut === undefined
          ? undefined
          : `Cut here: there are more, as the search ${CUTS[found.cut]}. Ask for a narrower path, glob or pattern.`;
      return foundLines({
        from: "grep",
        lines: found.lines,
        redact,
        note,
        matches: found.matches,
      });
    },
  };
}

/** A glob with a folder in it is meant from the root or from `path`: either is taken. */
function globsOf({ glob, path }: Input): string[] {
  if (glob === undefined) return LOCK_FILES;
  const [, not = "", rest = ""] = /^(!?)(?:\.\/)*(.*)$/s.exec(glob) ?? [];
  const folder = trimEndOf(path.replace(/^(?:\.?\/)+/, ""), "/");
  const fromPath = folder === "" || !rest.includes("/") ? [] : [`${not}${folder}/${rest.replace(/^\//, "")}`];
  // A filter that only excludes adds nothing.
  return [...(not === "" ? [] : LOCK_FILES), `${not}${rest}`, ...fromPath];
}

/** Not searched, unless the caller's own glob names them. */
const LOCK_FILES = ["!*-lock.*", "!*.lock", "!npm-shrinkwrap.json", "!go.sum"];

const CUTS = {
  matches: "reached max_matches",
  time: `took longer than ${SEARCH_LIMITS.timeMs / 1000} s`,
  output: "gave too much text",
} as const;
