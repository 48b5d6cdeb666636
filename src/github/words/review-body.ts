import { type Finding, isBlocking } from "../../domain/findings.ts";
import { count } from "./wording.ts";

/** The text above the comments of a review; GitHub wants one. Everything else stands in the check. */
export function reviewBody(comments: readonly Finding[], marker: string): string {
  const blocking = comments.filter(isBlocking).length;
  const advisory = comments.length - blocking;
  const parts = [
    ...(blocking > 0 ? [count(blocking, "blocking finding")] : []),
    ...(advisory > 0 ? [count(advisory, "advisory finding")] : []),
  ];
  return `**${parts.join(", ")}.** The whole result stands in the check \`forge/review\`.\n${marker}`;
}
