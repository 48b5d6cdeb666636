import type { RepositoryRef } from "../domain/subjects.ts";
import type { IssueHost, PullRequestHost } from "../pipeline/runs/ports.ts";

/** Files that are kept, and the characters of all of them together. */
const MOST = { files: 500, characters: 8_000_000 } as const;

type ReadFile = PullRequestHost["readFile"];

/** Reads files of a repository as they are at one commit. */
export interface CitedFiles {
  /** Files of the head of the default branch at this moment. */
  atHead(repository: RepositoryRef, signal: AbortSignal): Promise<{ readonly readFile: ReadFile }>;
}

/**
 * Files that memories cite, kept by commit: a file of a commit never changes, so a page that is loaded again asks GitHub only where the
 * default branch is. What was read first is forgotten first. In memory, because a restart costs no more than one reading.
 */
export function createCitedFiles(
  host: Pick<PullRequestHost, "readFile"> & Pick<IssueHost, "readBranchHead">,
): CitedFiles {
  const kept = new Map<string, string | undefined>();
  let characters = 0;
  const keep = (key: string, text: string | undefined) => {
    if (kept.has(key) || (text?.length ?? 0) > MOST.characters) return;
    kept.set(key, text);
    characters += text?.length ?? 0;
    for (const [oldest, old] of kept) {
      if (kept.size <= MOST.files && characters <= MOST.characters) return;
      kept.delete(oldest);
      characters -= old?.length ?? 0;
    }
  };
  return {
    atHead: async (repository, signal) => {
      const head = await host.readBranchHead(repository, undefined, signal);
      if (!head) return { readFile: host.readFile };
      const readFile: ReadFile = async (of, path, stop) => {
        const key = JSON.stringify([of.id, head.sha, path]);
        if (kept.has(key)) return kept.get(key);
        const text = await host.readFile(of, path, stop, head.sha);
        keep(key, text);
        return text;
      };
      return { readFile };
    },
  };
}
