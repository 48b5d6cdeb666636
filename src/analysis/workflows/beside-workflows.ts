import { createHash } from "node:crypto";
import type { SourceFile } from "../source-file.ts";
import type { Tree } from "../tree.ts";
import { ACTION, type BesideWorkflow, WORKFLOW } from "./workflow-files.ts";

const LIMITS = {
  /** Workflows first, as those are what calls others. */
  files: 100,
  fileCharacters: 100_000,
  characters: 1_500_000,
} as const;

/** The workflows and actions of the repository where a changed one calls others, or can be called. */
export async function readBeside(
  files: readonly SourceFile[],
  tree: Tree | undefined,
  signal: AbortSignal,
): Promise<readonly BesideWorkflow[]> {
  if (!files.some(({ path, text }) => ACTION.test(path) || text.includes("./") || text.includes("workflow_call"))) {
    return [];
  }
  const changed = new Set(files.map(({ path }) => path));
  const others = (tree?.paths ?? []).filter((path) => !changed.has(path) && (WORKFLOW.test(path) || ACTION.test(path)));
  const wanted = others.toSorted((a, b) => Number(ACTION.test(a)) - Number(ACTION.test(b))).slice(0, LIMITS.files);
  const read = wanted.length === 0 ? undefined : await tree?.readMany(wanted, signal);
  const all = [
    ...files.map(({ path, text }) => ({ path, text, changed: true })),
    ...wanted.flatMap((path) => {
      const bytes = read?.get(path);
      return Buffer.isBuffer(bytes) ? [{ path, text: bytes.toString("utf8"), changed: false }] : [];
    }),
  ];
  let left = LIMITS.characters;
  return all.filter(({ text }) => {
    if (text.length > LIMITS.fileCharacters || text.length > left) return false;
    left -= text.length;
    return true;
  });
}

/** Names the text of all of them. */
export function digestOf(beside: readonly BesideWorkflow[]): string {
  const hash = createHash("sha256");
  for (const { path, text } of beside) hash.update(`${path}\0${text.length}\0${text}`);
  return hash.digest("base64url");
}
