import { ForgeError } from "../../domain/errors.ts";
import type { Called } from "../programs/called-files.ts";
import { createFileFinder, type FindFile } from "../programs/find-file.ts";
import { callsIn, callsOfFile, sourceOf } from "../programs/read-callers.ts";
import type { CallsResult, ChildFile } from "./protocol.ts";

/**
 * A reader of what files have run of a repository.
 * @param paths every file of it
 */
export function findCalls(
  paths: readonly string[],
  find = createFileFinder(paths),
): (file: ChildFile) => Promise<CallsResult> {
  return async (file) => {
    const { path, text, calls } = file;
    if (path === undefined || calls === undefined) throw new Error("calls are looked for by the path of a file");
    try {
      if (calls === "new") return { commands: await newCalls({ ...file, path }, find), fields: [] };
      const isNamed = calls === "all and named";
      const { commands, fields, ...named } = await callsOfFile(path, text, find, isNamed);
      return { commands, fields, ...(isNamed ? named : {}) };
    } catch (error) {
      // More patterns of programs than can be looked for: what was found without them would not be all.
      if (error instanceof ForgeError) return { unread: "its patterns of programs are too many to look for" };
      throw error;
    }
  };
}

/** Calls that the change wrote: of the file before it, those that were there. */
async function newCalls(file: ChildFile & { readonly path: string }, find: FindFile): Promise<Called[]> {
  const { path, oldPath = path, text, oldText } = file;
  const calls = await callsIn(sourceOf(path, text), find);
  if (calls.length === 0) return [];
  const before = oldText === undefined ? [] : await callsIn(sourceOf(oldPath, oldText), find);
  const known = new Set(before.map(keyOf));
  return calls.filter((call) => !known.has(keyOf(call)));
}

function keyOf({ path, language }: Called): string {
  return `${language.name}\0${path}`;
}
