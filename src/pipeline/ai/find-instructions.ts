import type { InstructionText } from "../../agents/reviewer/brief.ts";
import { wantedOf } from "../../analysis/path-filter.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RepositoryRef } from "../../domain/subjects.ts";
import type { FileListing, PullRequestHost } from "../runs/ports.ts";

/** The limit of a repository's instructions in one review (GH-15a): two thousand lines of prose, nearest to the root first. */
export const INSTRUCTION_BUDGET = { files: 20, bytesPerFile: 32 * 1024, bytes: 64 * 1024 } as const;

/** Names of files in which people already instruct tools, by the folder that they are about. */
const IN_ANY_FOLDER = new Set(["AGENTS.md", "CLAUDE.md", "REVIEW.md"]);
const OF_THE_REPOSITORY = ".github/copilot-instructions.md";

/** One file of instructions. */
export interface Instruction {
  readonly path: string;
  readonly bytes: number;
  /** The folder that it is about; "" is the whole repository. */
  readonly folder: string;
}

export interface Instructions {
  /** In the order in which they are read: the whole repository first, then the deeper folders. */
  readonly found: readonly Instruction[];
  /** Why each of these is left out, in words that follow the path. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  /** The listing was a part only: there may be more. */
  readonly truncated: boolean;
}

/**
 * The instructions that people keep on the default branch (GH-15a), within the budget. Reads names and sizes, no content.
 * @throws ForgeError `github_unavailable`
 */
export async function findInstructions(
  host: Pick<PullRequestHost, "listFiles">,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<Instructions> {
  const listing = await host.listFiles(repository, signal);
  return listing ? chooseInstructions(listing) : { found: [], leftOut: [], truncated: false };
}

/** The same of a listing that is at hand. */
export function chooseInstructions({ files, truncated }: FileListing): Instructions {
  const found: Instruction[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  let total = 0;
  for (const file of files.filter(({ path }) => isInstruction(path)).toSorted(fromTheRoot)) {
    const reason = reasonToLeave(file, found.length, total);
    if (reason) {
      leftOut.push({ path: file.path, reason });
      continue;
    }
    total += file.bytes;
    found.push({ path: file.path, bytes: file.bytes, folder: folderOf(file.path) });
  }
  return { found, leftOut, truncated };
}

function isInstruction(path: string): boolean {
  return path === OF_THE_REPOSITORY || IN_ANY_FOLDER.has(path.slice(path.lastIndexOf("/") + 1));
}

function folderOf(path: string): string {
  return path === OF_THE_REPOSITORY ? "" : path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

type Listed = FileListing["files"][number];

function fromTheRoot(a: Listed, b: Listed): number {
  const depth = ({ path }: Listed) => folderOf(path).split("/").filter(Boolean).length;
  return depth(a) - depth(b) || (a.path < b.path ? -1 : 1);
}

function reasonToLeave({ mode, bytes }: Listed, count: number, total: number): string | undefined {
  if (mode === "120000") return "a symbolic link";
  if (bytes === 0) return "empty";
  if (bytes > INSTRUCTION_BUDGET.bytesPerFile) return `larger than ${INSTRUCTION_BUDGET.bytesPerFile / 1024} KB`;
  const isFull = count >= INSTRUCTION_BUDGET.files || total + bytes > INSTRUCTION_BUDGET.bytes;
  return isFull
    ? `beyond the budget of ${INSTRUCTION_BUDGET.files} files and ${INSTRUCTION_BUDGET.bytes / 1024} KB`
    : undefined;
}

/**
 * The repository's instructions on its default branch (GH-15a), as far as they concern the change: files of instructions for the
 * whole repository and for folders above a changed file, then `path_instructions`.
 * @throws ForgeError `github_unavailable`
 */
export async function readInstructions(
  host: Pick<PullRequestHost, "listFiles" | "readFile">,
  repository: RepositoryRef,
  changed: readonly { readonly path: string }[],
  { review }: RepoConfig,
  signal: AbortSignal,
): Promise<InstructionText[]> {
  const { found } = await findInstructions(host, repository, signal);
  const near = concerning(found, changed);
  const texts: InstructionText[] = [];
  for (const { path } of near) {
    const text = await host.readFile(repository, path, signal);
    if (text !== undefined) texts.push({ path, text });
  }
  for (const { path, instructions } of review.path_instructions) {
    const [first] = await wantedOf(changed, { include: [path], exclude: [] });
    if (first) texts.push({ path: `forge.yml, for ${path}`, text: instructions });
  }
  return texts;
}

/** Those of the whole repository and of folders above a changed file. */
export function concerning(
  found: readonly Instruction[],
  changed: readonly { readonly path: string }[],
): readonly Instruction[] {
  return found.filter(({ folder }) => folder === "" || changed.some(({ path }) => path.startsWith(`${folder}/`)));
}
