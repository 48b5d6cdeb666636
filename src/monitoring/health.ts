import { defined } from "../domain/defined.ts";
import type { HealthLook } from "../domain/samples.ts";
import { askSource } from "./ask-source.ts";

const MOST_BYTES = 64 * 1024;

export interface HealthEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Member of the answer that names the version. */
  readonly version: string | undefined;
  readonly probes: number;
  readonly timeoutMs: number;
}

/**
 * Asks a health endpoint several times, one after the other: behind a router each probe may meet another instance. An answer between 200 and
 * 299 is healthy; with a `version` it has to be of the one that is expected, or it met another build and says nothing of this one.
 */
export async function lookAtHealth(
  endpoint: HealthEndpoint,
  expected: string,
  signal?: AbortSignal,
): Promise<HealthLook> {
  const { url, headers, probes, timeoutMs } = endpoint;
  let [failed, otherVersion] = [0, 0];
  let detail: string | undefined;
  for (let probe = 0; probe < probes; probe += 1) {
    const answer = await askSource({ url, headers, timeoutMs, mostBytes: MOST_BYTES, signal });
    const met =
      endpoint.version === undefined || answer.is === "none" ? undefined : versionIn(answer.text, endpoint.version);
    if (met !== undefined && !isSameVersion(met, expected)) otherVersion += 1;
    else if (answer.is === "none" || answer.status < 200 || answer.status > 299) {
      failed += 1;
      detail = answer.is === "none" ? answer.detail : `it answered ${answer.status}`;
    } else if (endpoint.version !== undefined && met === undefined) {
      failed += 1;
      detail = `its answer does not say its version (${endpoint.version})`;
    }
  }
  return { asked: probes, failed, otherVersion, ...defined({ detail }) };
}

/** Looks at several endpoints are one look. */
export function joinLooks(looks: readonly HealthLook[]): HealthLook {
  const sum = (of: (look: HealthLook) => number) => looks.reduce((total, look) => total + of(look), 0);
  return {
    asked: sum(({ asked }) => asked),
    failed: sum(({ failed }) => failed),
    otherVersion: sum(({ otherVersion }) => otherVersion),
    ...defined({ detail: looks.findLast(({ detail }) => detail !== undefined)?.detail }),
  };
}

function versionIn(text: string, member: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const name of member.split(".")) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Builds often know a commit by its first digits. */
function isSameVersion(met: string, expected: string): boolean {
  if (met === expected) return true;
  const [short, long] = met.length < expected.length ? [met, expected] : [expected, met];
  return /^[0-9a-f]{7,}$/.test(short) && long.startsWith(short);
}
