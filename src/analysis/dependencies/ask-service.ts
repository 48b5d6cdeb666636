/** What asking an advisory service may cost; a review waits for it. */
export const ADVISORY_LIMITS = {
  requestMs: 10_000,
  /** For all requests of one question. */
  totalMs: 30_000,
  answerBytes: 8 * 1024 * 1024,
  /** Packages of one change that are asked about: more are a new project. */
  packages: 5_000,
  /** Advisories that are read one by one. */
  advisories: 300,
  concurrency: 8,
} as const;

/** An answer, or in a few words why there is none: "status 503", "no answer within 10 s". */
export type ServiceAnswer = { readonly value: unknown } | { readonly failed: string };

/** One JSON request. No redirects: the address is configured, and what is sent goes nowhere else. */
export async function askService(url: string, signal: AbortSignal, body?: unknown): Promise<ServiceAnswer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ADVISORY_LIMITS.requestMs)]);
  try {
    const response = await fetch(url, {
      signal: limited,
      redirect: "error",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { failed: `status ${response.status}` };
    }
    const text = await readLimited(response);
    return text === undefined ? { failed: "the answer was too large" } : { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (signal.aborted) return { failed: "the review was stopped" };
    if (limited.aborted) return { failed: `no answer within ${ADVISORY_LIMITS.requestMs / 1000} s` };
    return { failed: error instanceof SyntaxError ? "the answer was not JSON" : "it could not be reached" };
  }
}

async function readLimited(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ADVISORY_LIMITS.answerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
