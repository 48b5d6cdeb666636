// Misbehaviour on demand: which request or webhook goes wrong, how, and how often.
import type { CallerKind } from "./log-records.ts";

interface RequestMatch {
  readonly method?: string;
  /** Tested against the path without /api/v3; git requests look like "/owner/name.git/git-receive-pack". */
  readonly path?: RegExp;
  /** Operation id ("checks/create"), "graphql:<field>", "git:push" or "git:fetch". */
  readonly operation?: string;
  readonly by?: CallerKind;
}

interface WebhookMatch {
  readonly event?: string;
  readonly action?: string;
}

/** A comment of a review that is being created, as the request names it. */
export interface ProposedComment {
  readonly path: string;
  readonly line?: number;
  readonly start_line?: number;
  readonly body: string;
}

type RequestFault =
  /** The work is done, the answer never arrives. */
  | { readonly kind: "lostResponse" }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  /** Nothing is done and nothing is answered until the caller gives up or the simulator stops. */
  | { readonly kind: "hang" }
  /** `retryAfter` in seconds; without it no `retry-after` header is sent. Status 403 (the default) is the secondary limit. */
  | { readonly kind: "rateLimit"; readonly status?: 403 | 429; readonly retryAfter?: number }
  /** 422 on creating a review when one of its comments is bad; without a predicate any comment is. */
  | { readonly kind: "rejectAnchors"; readonly bad?: (comment: ProposedComment) => boolean }
  /** A pull request is read before GitHub has worked out whether it conflicts: `mergeable` is null, the state "unknown".
   * https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request */
  | { readonly kind: "mergeabilityUnknown" }
  /** The answer to the rule of an environment reaches one job of several, and is a 422 that says so. */
  | { readonly kind: "partlyApplied" }
  /** Lists leave out what was created in the last `ms` milliseconds or since the last `requests` requests. */
  | { readonly kind: "laggingList"; readonly ms?: number; readonly requests?: number };

type WebhookFault =
  /** Sent twice at the same time with the same GUID. */
  | { readonly kind: "duplicate" }
  /** Sent after the one that follows it. */
  | { readonly kind: "reorder" }
  /** Never arrives; the delivery log says that it timed out, so that it can be redelivered. */
  | { readonly kind: "drop" }
  | { readonly kind: "delay"; readonly ms: number };

interface Timing {
  /** How often it strikes; endless when left out. */
  readonly times?: number;
  /** How many matching ones pass first. */
  readonly after?: number;
}

type Fault = Timing &
  (({ readonly match?: RequestMatch } & RequestFault) | ({ readonly match?: WebhookMatch } & WebhookFault));

interface PlannedFault {
  /** How often it has struck. */
  readonly hits: number;
  remove(): void;
}

export interface Faults {
  add(fault: Fault): PlannedFault;
  clear(): void;
}

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly by: CallerKind;
}

interface Entry {
  readonly fault: Fault;
  seen: number;
  hits: number;
}

export interface FaultPlan extends Faults {
  /** The first fault of one of these kinds that strikes now, and counts it. */
  takeRequestFault<K extends RequestFault["kind"]>(
    kinds: readonly K[],
    facts: RequestFacts,
    applies?: (fault: Extract<RequestFault, { kind: K }>) => boolean,
  ): Extract<RequestFault, { kind: K }> | null;
  takeWebhookFault(event: string, action: string | null): WebhookFault | null;
}

const WEBHOOK_KINDS = ["duplicate", "reorder", "drop", "delay"] as const;

export function createFaultPlan(): FaultPlan {
  const entries = new Set<Entry>();

  function add(fault: Fault): PlannedFault {
    const entry: Entry = { fault, seen: 0, hits: 0 };
    entries.add(entry);
    return {
      get hits() {
        return entry.hits;
      },
      remove: () => void entries.delete(entry),
    };
  }

  function strikes(entry: Entry): boolean {
    entry.seen += 1;
    const { after = 0, times = Number.POSITIVE_INFINITY } = entry.fault;
    if (entry.seen <= after || entry.hits >= times) return false;
    entry.hits += 1;
    return true;
  }

  function takeRequestFault<K extends RequestFault["kind"]>(
    kinds: readonly K[],
    facts: RequestFacts,
    applies: (fault: Extract<RequestFault, { kind: K }>) => boolean = () => true,
  ) {
    for (const entry of entries) {
      const { fault } = entry;
      if (!isRequestFault(fault) || !isOneOf(fault, kinds)) continue;
      if (matchesRequest(fault.match ?? {}, facts) && applies(fault) && strikes(entry)) return fault;
    }
    return null;
  }

  function takeWebhookFault(event: string, action: string | null): WebhookFault | null {
    for (const entry of entries) {
      const { fault } = entry;
      if (isRequestFault(fault)) continue;
      const { match = {} } = fault;
      const fits = (match.event ?? event) === event && (match.action ?? action) === action;
      if (fits && strikes(entry)) return fault;
    }
    return null;
  }

  return { add, clear: () => entries.clear(), takeRequestFault, takeWebhookFault };
}

function isRequestFault(fault: Fault): fault is Timing & { readonly match?: RequestMatch } & RequestFault {
  return !WEBHOOK_KINDS.some((kind) => kind === fault.kind);
}

function isOneOf<K extends RequestFault["kind"], F extends RequestFault>(
  fault: F,
  kinds: readonly K[],
): fault is F & Extract<RequestFault, { kind: K }> {
  return kinds.some((kind) => kind === fault.kind);
}

function matchesRequest(match: RequestMatch, facts: RequestFacts): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== facts.method) return false;
  if (match.path !== undefined && !match.path.test(facts.path)) return false;
  if (match.operation !== undefined && match.operation !== facts.operation) return false;
  return match.by === undefined || match.by === facts.by;
}
