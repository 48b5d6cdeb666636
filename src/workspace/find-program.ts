import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { ForgeError } from "../domain/errors.ts";

/** The PATH of child processes: the places of the system, nothing of the operator's shell. */
export const MINIMAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** What was found, by the name and the PATH that it was looked up in: hundreds of programs are started in a run, always the same few. */
const found = new Map<string, string>();

/**
 * The absolute path of a program. The operator's own PATH decides where it is looked up (git may come from a package manager's
 * folder), but it is never handed on. What was found once is not looked up again: a program that was removed fails at its start. What was
 * not found is, as it may be installed meanwhile.
 */
export async function findProgram(name: string): Promise<string | undefined> {
  const key = `${name}\0${process.env.PATH ?? ""}`;
  const path = found.get(key) ?? (await lookUp(name));
  if (path !== undefined) found.set(key, path);
  return path;
}

async function lookUp(name: string): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...MINIMAL_PATH.split(delimiter)].filter((folder) =>
    isAbsolute(folder),
  );
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) {
    const executable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return candidate;
  }
  return undefined;
}

/** @throws ForgeError `program_missing` */
export async function requireProgram(name: string): Promise<string> {
  const found = await findProgram(name);
  if (found === undefined) throw programMissing(name);
  return found;
}

export function programMissing(name: string, cause?: unknown): ForgeError {
  return new ForgeError(
    "program_missing",
    `The program ${JSON.stringify(name)} cannot be started: install it or correct PATH.`,
    {
      source: "resource",
      severity: "high",
      recoverability: "manual",
      context: { program: name },
      cause,
    },
  );
}
