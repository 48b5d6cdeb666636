import { defined } from "../domain/defined.ts";
import { gitEnvironment, redactGitText } from "./git-environment.ts";
import { GIT_LIMITS } from "./limits.ts";
import type { RemoteAccess } from "./remote-access.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

export interface GitCall {
  readonly gitDirectory: string;
  readonly args: readonly string[];
  readonly input?: Buffer | string;
  /** Without it git has no network, not even to fetch an object that is missing. */
  readonly remote?: RemoteAccess;
  /** Configuration of this call only. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly memoryBytes?: number;
  readonly fileBytes?: number;
  readonly okCodes?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

export interface GitResult extends Omit<ProgramResult, "stderr"> {
  /** What git said about its failure, without secrets; at most 2,000 characters. */
  readonly errorText: string;
}

/**
 * Runs git with nothing but the hardened environment.
 * @throws ForgeError `program_missing`; whatever `remote.token()` throws
 */
export async function runGit(call: GitCall): Promise<GitResult> {
  const token = await call.remote?.token?.();
  const { stderr, ...result } = await runProgram({
    command: "git",
    args: call.args,
    cwd: call.gitDirectory,
    env: gitEnvironment(call.gitDirectory, call.remote, token, call.settings),
    timeoutMs: call.timeoutMs ?? GIT_LIMITS.timeMs,
    maxOutputBytes: call.maxOutputBytes ?? GIT_LIMITS.outputBytes,
    memoryBytes: call.memoryBytes ?? GIT_LIMITS.memoryBytes,
    ...defined({ input: call.input, fileBytes: call.fileBytes, okCodes: call.okCodes, signal: call.signal }),
  });
  // Redacted before it is shortened, so that no half of a token survives at the cut.
  return { ...result, errorText: redactGitText(stderr.toString(), call.gitDirectory, token).slice(0, 2_000) };
}
