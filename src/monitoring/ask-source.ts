import type { NO_READING } from "../domain/samples.ts";

/** Why a source said nothing, with what is known of it: facts about the exchange, and at most a line that it wrote. */
export interface Silence {
  readonly is: "none";
  readonly why: (typeof NO_READING)[number];
  readonly detail: string;
}

export const silence = (why: Silence["why"], detail: string): Silence => ({
  is: "none",
  why,
  detail: detail.slice(0, 200),
});

export interface Question {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form; without it the question is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SourceAnswer {
  readonly is: "answer";
  readonly status: number;
  readonly text: string;
}

/**
 * Asks an address of the operator's. A redirection is never followed: it could lead anywhere. Never throws, and ends after `timeoutMs` however
 * slowly the answer comes.
 */
export async function askSource(question: Question): Promise<SourceAnswer | Silence> {
  const { url, headers, form, timeoutMs, mostBytes, signal } = question;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      ...(form ? { body: new URLSearchParams(form) } : {}),
      headers: { accept: "application/json", ...headers },
      redirect: "manual",
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return silence("redirected", `it answered ${status}, which is not followed`);
    }
    const text = await readUpTo(response, mostBytes);
    return text === undefined
      ? silence("malformed", `its answer is longer than ${mostBytes} bytes`)
      : { is: "answer", status, text };
  } catch (error) {
    if (signal?.aborted) return silence("unreachable", "the question was called off");
    if (limit.aborted) return silence("unreachable", `no answer within ${timeoutMs / 1000} s`);
    return silence("unreachable", reasonOf(error));
  }
}

async function readUpTo(response: Response, mostBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The system's own word, such as ECONNREFUSED: messages name addresses, which are the operator's. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? `it could not be reached (${code})` : "it could not be reached";
}
