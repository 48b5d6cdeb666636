import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import type { ProgramResult } from "../../workspace/run-program.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import type { Sandbox, SandboxUnavailable } from "../../workspace/sandbox/sandbox.ts";
import { makeTemporary } from "../../workspace/scratch.ts";
import { filledCompiledCode } from "./compiled-code.ts";
import { type ReaderSpec, readingChild, runBeside, runInside } from "./run-reader.ts";

const TRIAL_LIMITS = { timeoutMs: 20_000, memoryBytes: 1024 * 1024 * 1024, maxOutputBytes: 1024 };

/** Where Forge's own readers of hostile text run: in the sandbox, or beside it as limited child processes, with the reason. */
export type ReaderPlace = { readonly sandbox: Sandbox } | { readonly beside: string };

let opened: Promise<ReaderPlace> | undefined;

/** Decided once in this process, before any text of a repository is read, so that no text can have a say in it. */
export function openReaderPlace(): Promise<ReaderPlace> {
  opened ??= openSandbox().then(choosePlace);
  return opened;
}

/** The sandbox, when a reading child without anything to read works in it. */
export async function choosePlace(sandbox: Sandbox | SandboxUnavailable): Promise<ReaderPlace> {
  if ("unavailable" in sandbox) return { beside: sandbox.unavailable };
  const complaint = await tryReading(sandbox);
  return complaint === undefined ? { sandbox } : { beside: complaint };
}

/** Runs a program of ours over hostile text (SEC-1): in the sandbox wherever there is one. */
export async function startReader(
  spec: ReaderSpec,
  place: Promise<ReaderPlace> = openReaderPlace(),
): Promise<ProgramResult> {
  const chosen = await place;
  return "sandbox" in chosen ? runInside(chosen.sandbox, spec) : runBeside(spec);
}

/**
 * Where Forge is root, the user inside is somebody else, who may be unable to read Forge's own files or those that it makes.
 * @returns why readers cannot run in the sandbox, in a sentence
 */
async function tryReading(sandbox: Sandbox): Promise<string | undefined> {
  const outer = await makeTemporary("reader");
  const folder = join(outer, "files");
  try {
    await mkdir(folder);
    const run = await runInside(sandbox, {
      ...TRIAL_LIMITS,
      ...readingChild(await filledCompiledCode(tmpdir())),
      folder,
      input: JSON.stringify({ parts: [{ task: "syntax", files: [] }] }),
      signal: new AbortController().signal,
    });
    return run.ok ? undefined : unreadable(run.stderr.toString("utf8").trim().split("\n").at(-1) ?? "");
  } catch (error) {
    if (error instanceof ForgeError && error.code === "sandbox_failed") return unreadable(error.message);
    throw error;
  } finally {
    await removeFolder(outer);
  }
}

function unreadable(said: string): string {
  return `Files of Forge cannot be read in the sandbox, by everybody. ${said.slice(0, 300)}`.trim();
}
