import { GitHubCallFailed } from "../github-call-failed.ts";
import type { EffectPorts } from "./effect-ports.ts";

/** What GitHub counts a write as: content is what people are told of (comments, reviews, pull requests, reactions). */
type Counted = "content" | "no content";

/** Sends one write within the installation's budget. */
export async function sendWrite<T>(
  { budget, sending }: EffectPorts,
  counted: Counted,
  write: () => Promise<T>,
): Promise<T> {
  await budget.take({ content: counted === "content" });
  await sending();
  try {
    return await write();
  } catch (error) {
    const failure = error instanceof GitHubCallFailed ? error.failure : undefined;
    if (failure?.cause === "rate_limited" && failure.announced) await budget.pause(failure.retryAfterMs);
    throw error;
  }
}

/** Like `sendWrite`, with GitHub's "no" to this very request (422) as a value. */
export async function tryWrite<T>(
  ports: EffectPorts,
  counted: Counted,
  write: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }> {
  try {
    return { ok: true, value: await sendWrite(ports, counted, write) };
  } catch (error) {
    if (error instanceof GitHubCallFailed && error.failure.cause === "refused") {
      return { ok: false, message: error.failure.message };
    }
    throw error;
  }
}
