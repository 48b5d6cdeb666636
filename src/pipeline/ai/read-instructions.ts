import type { InstructionText } from "../../agents/reviewer/brief.ts";
import { wantedOf } from "../../analysis/path-filter.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RepositoryRef } from "../../domain/subjects.ts";
import type { PullRequestHost } from "../runs/ports.ts";
import { findInstructions } from "./find-instructions.ts";

/**
 * What the repository says about itself on its default branch (GH-15a), as far as it is about what changed: files of instructions for the
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
  const near = found.filter(({ folder }) => folder === "" || changed.some(({ path }) => path.startsWith(`${folder}/`)));
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
