import { type Fetched, fetchObjects } from "./fetch-objects.ts";
import { FETCH_BLOBS_LIMITS, type FetchLimits } from "./limits.ts";
import type { Mirror } from "./mirror.ts";
import { objectInfo } from "./object-info.ts";
import type { Refusal } from "./refusal.ts";

/** Brings those of the blobs that the mirror does not have, all in one request. The caller holds the lock. */
export async function fetchBlobs(
  mirror: Mirror,
  shas: Iterable<string>,
  signal?: AbortSignal,
  limits: FetchLimits = FETCH_BLOBS_LIMITS,
): Promise<Fetched | Refusal> {
  const wanted = [...new Set(shas)];
  const present = await objectInfo(mirror, wanted);
  if (!present.ok) return present;
  const missing = wanted.filter((sha) => !present.objects.has(sha));
  if (missing.length === 0) return { ok: true, bytes: 0 };
  return fetchObjects(mirror, { args: ["--stdin"], input: `${missing.join("\n")}\n`, limits, signal });
}
