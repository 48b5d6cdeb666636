import { ForgeError } from "../../domain/errors.ts";
import type { UncoveredFile } from "../../domain/review-report.ts";
import type { CallsResult, CallsWanted, ChildFile } from "../child/protocol.ts";
import { type ChildRun, runInChild } from "../reader/run-in-child.ts";
import type { Called } from "./called-files.ts";

/** Reads what files have run of a repository of these paths. */
export type AskCalls = (
  files: readonly ChildFile[],
  paths: readonly string[],
  signal: AbortSignal,
) => Promise<ChildRun<CallsResult>>;

/** In a process of its own: the author of the files decides how long it takes to compare patterns with the paths. */
const inChild: AskCalls = (files, paths, signal) => runInChild("calls", files, { signal }, { paths });

/** A file that is asked about. */
export type Asked = Omit<ChildFile, "id" | "calls"> & { readonly path: string; readonly calls: CallsWanted };

type Read = Exclude<CallsResult, { readonly unread: string }>;

export interface Answers {
  readonly read: readonly (Read & { readonly file: Asked })[];
  /** Files of which it is not known what they have run. */
  readonly unread: readonly UncoveredFile[];
}

/** What each of these files has run, in their order. */
export async function askCalls(
  files: readonly Asked[],
  paths: readonly string[],
  signal: AbortSignal,
  ask: AskCalls = inChild,
): Promise<Answers> {
  if (files.length === 0) return { read: [], unread: [] };
  const asked = files.map((file, id) => ({ ...file, id }));
  const { results, unread } = await ask(asked, paths, signal).catch(noneRead);
  const reasons = new Map(unread.map(({ id, reason }) => [id, reason]));
  const read: (Read & { readonly file: Asked })[] = [];
  const left: UncoveredFile[] = [];
  for (const [id, file] of files.entries()) {
    const result = results.get(id);
    if (result !== undefined && !("unread" in result)) read.push({ ...result, file });
    else left.push(unreadCalls(file.path, result?.unread ?? reasons.get(id) ?? "the reading process did not start"));
  }
  return { read, unread: left };
}

/** A process that does not start leaves every file unread; other analyzers tell why. */
function noneRead(thrown: unknown): ChildRun<CallsResult> {
  if (thrown instanceof ForgeError) return { results: new Map(), unread: [] };
  throw thrown;
}

/** A file of which it is not known what it has run: what that is might have been left out (GH-11a). */
export function unreadCalls(path: string, reason: string): UncoveredFile {
  return { path, reason: `what it runs was not looked for: ${reason}`, gap: true };
}

/** What the calling files have run, by path, each with the file that says so. What a command runs counts for more than a field that names it. */
export function calledBy(answers: Answers["read"]): ReadonlyMap<string, Called & { readonly by: string }> {
  const called = new Map<string, Called & { readonly by: string }>();
  for (const { file, commands, fields } of answers) {
    for (const each of commands) {
      const known = called.get(each.path);
      // A named runner wins over the first line of the file.
      if (known === undefined || known.byItself || !each.byItself) called.set(each.path, { ...each, by: file.path });
    }
    for (const each of fields) if (!called.has(each.path)) called.set(each.path, { ...each, by: file.path });
  }
  return called;
}
