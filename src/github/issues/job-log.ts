import type { RepositoryRef } from "../../domain/subjects.ts";
import type { AppClient } from "../app-client.ts";
import { createAsk } from "../ask.ts";
import { LOG_PERMISSIONS } from "../permissions.ts";

/** Bytes of the end of a log that are kept, and bytes after which no more is read. */
const KEPT_BYTES = 1_000_000;
const MOST_BYTES = 30_000_000;
/** Lines that are shown: most before the first error, where a tool says what is wrong, and some after it. */
const LINES_BEFORE = 170;
const LINES_AFTER = 30;
const DOWNLOAD_MS = 30_000;

/**
 * The part of a failing job's log in GitHub Actions that shows what failed; undefined when there is no log that can be read. The log lies
 * with another host, to which GitHub redirects: that host is never sent the token.
 */
export async function readJobLog(
  client: Pick<AppClient, "repository">,
  repository: RepositoryRef,
  jobId: number,
  { signal, allowHttp }: { readonly signal: AbortSignal; readonly allowHttp: boolean },
): Promise<string | undefined> {
  try {
    const { addressOf } = createAsk(client.repository(repository, LOG_PERMISSIONS), repository, { signal });
    const route = "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs";
    const address = URL.parse((await addressOf(route, { job_id: jobId })) ?? "");
    if (!address || !(address.protocol === "https:" || (allowHttp && address.protocol === "http:"))) return undefined;
    const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]) });
    if (!response.ok || !response.body) return undefined;
    return aroundError(await readEnd(response.body));
  } catch (error) {
    signal.throwIfAborted();
    // Logs expire, and the App may not be allowed to read them: what the check says is known without them.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

async function readEnd(body: ReadableStream<Uint8Array>): Promise<string> {
  // Twice what is kept, so that the end is moved to the front once a megabyte and not at each chunk.
  const room = Buffer.alloc(2 * KEPT_BYTES);
  let [used, total] = [0, 0];
  for await (const chunk of body) {
    total += chunk.byteLength;
    const end = chunk.subarray(-KEPT_BYTES);
    if (used + end.byteLength > room.byteLength) {
      room.copyWithin(0, used - KEPT_BYTES, used);
      used = KEPT_BYTES;
    }
    room.set(end, used);
    used += end.byteLength;
    if (total > MOST_BYTES) break;
  }
  return room.toString("utf8", Math.max(0, used - KEPT_BYTES), used);
}

const TIMESTAMP = /^\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001B\[[0-9;]*[A-Za-z]/g;
const ERROR = "##[error]";

/** The lines around the first one that Actions marks as an error, without time and colours; the last ones where none is marked. */
export function aroundError(log: string): string {
  const lines = log
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replace(TIMESTAMP, "").replace(COLOUR, ""));
  const marked = lines.findIndex((line) => line.startsWith(ERROR));
  const end = marked < 0 ? lines.length : marked + LINES_AFTER;
  return lines.slice(Math.max(0, end - LINES_BEFORE - LINES_AFTER), end).join("\n");
}
