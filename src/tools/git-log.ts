import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import type { GitStore } from "../workspace/git-store.ts";
import { historyOfPath } from "../workspace/history-of-path.ts";
import { cleanEach } from "./data/clean-text.ts";
import { cutLine } from "./data/cut.ts";
import { fenceData } from "./data/fence-data.ts";
import { shownPath } from "./data/show-text.ts";
import { requirePath } from "./edit/change-files.ts";
import { given, type Tool } from "./tool.ts";

const PATHS_SHOWN = 10;

const Input = z.object({
  path: z.string().default("").describe("A file or folder; the whole repository when not given"),
  max_commits: z.number().int().min(1).max(100).default(20),
  skip: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe("Commits to leave out at the front, for a list that was cut"),
  files: z.boolean().default(false).describe("Also name the files that each commit changed"),
});
type Input = z.infer<typeof Input>;

export interface GitHistoryDependencies {
  readonly store: GitStore;
  /** The commit that the run looks at: what is shown came before it or is it. */
  readonly commit: string;
  readonly redact: Redact;
}

export function gitLog({ store, commit, redact }: GitHistoryDependencies): Tool<Input> {
  return {
    name: "git_log",
    description:
      "Lists the commits that changed a file, a folder or the repository, newest first: id, day, author and first line of the message. Use it to learn how something came to be or whether it changes often. Renames are not followed.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 60_000,
    run: async ({ path, max_commits, skip, files }, { signal }) => {
      const clean = requirePath(path);
      const question = { commit, path: clean, skip, maxCommits: max_commits, withPaths: files, signal };
      const { commits, truncated } = given(await historyOfPath(store, question));
      if (commits.length === 0)
        return {
          text: skip > 0 ? "There are no more commits." : "No commit changed that path.",
          metrics: { commits: 0 },
        };
      const rows = commits.flatMap(({ sha, authoredAt, author, subject, paths }) => {
        const more = paths.length - PATHS_SHOWN;
        return [
          cutLine(`${sha.slice(0, 10)} ${authoredAt.slice(0, 10)} ${author}: ${subject}`, 1, 300),
          ...paths.slice(0, PATHS_SHOWN).map((each) => `    ${shownPath(each)}`),
          ...(more > 0 ? [`    [cut here: ${more} more files]`] : []),
        ];
      });
      const { lines, leftOut } = cleanEach(
        rows.map((text) => ({ text, prose: true })),
        { redact },
      );
      const more = truncated ? `\nCut here: there are older commits. Ask for skip ${skip + commits.length}.` : "";
      return {
        text: `${fenceData(`git log ${clean}`, lines.join("\n"))}${more}${leftOut === undefined ? "" : `\n${leftOut}`}`,
        metrics: { commits: commits.length },
      };
    },
  };
}
