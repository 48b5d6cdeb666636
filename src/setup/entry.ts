import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** So long a link that nobody opened is good, and so long somebody who opened it may take. GitHub gives an hour for its part. */
const LINK_MS = 60 * 60 * 1000;
const VISIT_MS = 60 * 60 * 1000;

/**
 * Who may set up: whoever opens the link that was printed, first. It is changed for a cookie, so a link that stands in a history or a log
 * no longer opens anything. The forms of that one visit hold its `state`, which no other page knows.
 */
export interface Entry {
  readonly token: string;
  /** The visit that a token opens, once; undefined for a wrong, an old or a used one. */
  open(token: string): string | undefined;
  isVisitor(visit: string | undefined): boolean;
  /** Of the visit that was opened. */
  readonly state: string;
  isState(state: string | null): boolean;
}

/** `now`: milliseconds since some moment. */
export function createEntry(now: () => number): Entry {
  const [token, visit, state] = [secret(), secret(), secret()];
  const printedAt = now();
  let openedAt: number | undefined;
  const isOpen = () => openedAt !== undefined && now() - openedAt < VISIT_MS;
  return {
    token,
    state,
    open(given) {
      const isGood = isSame(given, token) && openedAt === undefined && now() - printedAt < LINK_MS;
      if (!isGood) return undefined;
      openedAt = now();
      return visit;
    },
    isVisitor: (given) => given !== undefined && isSame(given, visit) && isOpen(),
    isState: (given) => given !== null && isSame(given, state) && isOpen(),
  };
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** In a time that tells nothing of either. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
