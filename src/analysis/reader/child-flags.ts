import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { BOX_FOLDER, type Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { ChildInput, ChildTask } from "../child/protocol.ts";
import { rulesVersion } from "../rules-version.ts";
import { sharedSnapshot } from "./compiled-code.ts";
import { CHILD_FOLDER, FILL_LIMITS, FORGE_FOLDER, readingChild, runInside } from "./run-reader.ts";
import { openReaderPlace } from "./start-reader.ts";

/** To optimise Ruff, whose functions are large, takes seconds of processor time; it reads a megabyte in 100 ms as it is. */
const WITHOUT_OPTIMISING = ["--liftoff-only"];

/**
 * What Node is told besides for a task.
 * @param compiledCode folder with the compiled form of what it loads
 */
export async function flagsOf(task: ChildTask, compiledCode: string | undefined): Promise<readonly string[]> {
  if (task === "ruff" || task === "ruff-security") return WITHOUT_OPTIMISING;
  const snapshot = task === "types" && compiledCode !== undefined ? await typesSnapshot(compiledCode) : undefined;
  return snapshot === undefined ? [] : beginFrom(snapshot);
}

/** Names everything that a child loads for a task. */
export function versionOf(task: ChildTask): string {
  return [FORGE_FOLDER, process.version, process.arch, rulesVersion(), task].join("\0");
}

function beginFrom(snapshot: string): string[] {
  return ["--snapshot-blob", snapshot];
}

/** What cannot be made is not tried again at every review. */
let failed = false;

/** To load TypeScript and read its library takes three times as long as to check a file. */
async function typesSnapshot(folder: string): Promise<string | undefined> {
  const place = await openReaderPlace();
  // Beside the sandbox a child could put another one there.
  if (failed || "beside" in place) return undefined;
  const { sandbox } = place;
  // Asked for each time: what lies among temporary files may be cleared away.
  const snapshot = await sharedSnapshot(folder, versionOf("types"), (name) => makeSnapshot(sandbox, folder, name));
  failed = snapshot === undefined;
  return snapshot;
}

/** By a child that is given nothing to read; another one is begun from it then, to see whether that can be done. */
async function makeSnapshot(sandbox: Sandbox, folder: string, name: string): Promise<boolean> {
  const { args, ...child } = readingChild(undefined, beginFrom(join(BOX_FOLDER, name)));
  const run = { ...FILL_LIMITS, ...child, folder, writes: true, signal: new AbortController().signal };
  const making = [...args.slice(0, -1), "--build-snapshot", join(CHILD_FOLDER, "types", "prepare.cjs")];
  const input = JSON.stringify({ parts: [{ task: "types", files: [] }] } satisfies ChildInput);
  try {
    return (
      (await runInside(sandbox, { ...run, args: making })).ok && (await runInside(sandbox, { ...run, args, input })).ok
    );
  } catch (error) {
    // Children start more slowly then, and nothing else.
    if (error instanceof ForgeError) return false;
    throw error;
  }
}
