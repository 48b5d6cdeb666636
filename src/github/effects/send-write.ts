import { GitHubCallFailed } from "../github-call-failed.ts";
import type { EffectPorts } from "./effect-ports.ts";

/** Sends one write within the budget. It counts before it is sent: one that is never answered may have been done. */
export async function sendWrite<T>({ budget, sending }: EffectPorts, write: () => Promise<T>): Promise<T> {
  await budget.acquire(1);
  await budget.record(1);
  await sending();
  return write();
}

/** Like `sendWrite`, with GitHub's "no" to this very request (422) as a value. */
export async function tryWrite<T>(
  ports: EffectPorts,
  write: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }> {
  try {
    return { ok: true, value: await sendWrite(ports, write) };
  } catch (error) {
    if (error instanceof GitHubCallFailed && error.failure.cause === "refused") {
      return { ok: false, message: error.failure.message };
    }
    throw error;
  }
}
