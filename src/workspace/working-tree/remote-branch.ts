import { tmpdir } from "node:os";
import { ForgeError, RetryLater } from "../../domain/errors.ts";
import { type GitResult, runGit } from "../git.ts";
import { gitRefusal } from "../refusal.ts";
import type { RemoteAccess } from "../remote-access.ts";
import { removeFolder } from "../remove-folder.ts";
import { requireReference } from "../revision.ts";
import { layOutGit } from "./private-git.ts";

export interface RemoteBranch {
  readonly remote: RemoteAccess;
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly signal: AbortSignal;
}

/**
 * The commit at the head of a branch on the server now; null when there is no such branch.
 * @throws RetryLater `github_unavailable`; ForgeError `github_forbidden`, `invalid_revision`; the signal's reason
 */
export async function readRemoteBranch({ remote, branch, signal }: RemoteBranch): Promise<string | null> {
  const reference = requireReference(`refs/heads/${branch}`);
  const { directory, gitDirectory } = await layOutGit(tmpdir());
  try {
    const result = await runGit({ gitDirectory, args: ["ls-remote", "--refs", "origin", reference], remote, signal });
    if (!result.ok) throw serverFailure(result, signal);
    // The name is asked for as the end of one, so others may come with it.
    const lines = result.stdout.toString().trim().split("\n");
    const found = lines.map((line) => line.split("\t")).find(([, name]) => name === reference);
    return found?.[0] ?? null;
  } finally {
    await removeFolder(directory);
  }
}

/** Why git could not talk to the server, as the rest of Forge says it: `github_forbidden` only where asking again does not help. */
export function serverFailure(result: GitResult, signal: AbortSignal): ForgeError {
  signal.throwIfAborted();
  const { reason, detail } = gitRefusal("Talking to the server", result);
  if (isForbidden(result)) {
    return new ForgeError("github_forbidden", detail, {
      source: "permission",
      severity: "high",
      recoverability: "none",
    });
  }
  return new RetryLater("github_unavailable", detail, {
    source: "network",
    context: { cause: "unavailable", reason },
  });
}

/** A token that has just been made may not be known everywhere yet (401); one that may not do this is told so (403, 404). */
export function isForbidden({ errorText }: GitResult): boolean {
  return /returned error: 40[34]|repository '.*' not found/i.test(errorText) && !/rate limit/i.test(errorText);
}
