import { type Finding, isBlocking } from "../../domain/findings.ts";
import { count } from "./wording.ts";

export interface ReviewContext {
  /** Blocking findings that are open in all, those of this review among them. */
  readonly blocking?: number | undefined;
  /** Whether an earlier head was reviewed. */
  readonly again?: boolean | undefined;
  /** The page of the check. */
  readonly checkUrl?: string | undefined;
}

/** The text above the comments of a review; GitHub wants one. Everything else stands in the check. */
export function reviewBody(comments: readonly Finding[], context: ReviewContext, marker: string): string {
  const { blocking: inAll = 0, again = false, checkUrl } = context;
  const blocking = comments.filter(isBlocking).length;
  const advisory = comments.length - blocking;
  const fresh = again ? "new " : "";
  const parts = [
    ...(blocking > 0 ? [count(blocking, `${fresh}blocking finding`)] : []),
    ...(blocking > 0 && inAll > blocking ? [`${inAll} open in all`] : []),
    ...(advisory > 0 ? [count(advisory, `${fresh}advisory finding`)] : []),
    ...(blocking === 0 && inAll > 0 ? [`${inAll} blocking open`] : []),
  ];
  const check = checkUrl === undefined ? "`forge/review`" : `[\`forge/review\`](${checkUrl})`;
  return `**${parts.join(", ")}.** The whole result stands in the check ${check}.\n${marker}`;
}
