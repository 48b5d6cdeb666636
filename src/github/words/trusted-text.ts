import type { Answer } from "../../domain/answers.ts";

/** What is said to `/forge trust` where no review follows from it at once. */
export function trustedText(because: Extract<Answer, { kind: "trusted" }>["because"]): string {
  return `The AI layer may look at this pull request now. ${NEXT[because]}`;
}

const NEXT = {
  not_waiting: "It was not what this head waited for, so nothing is looked at again; for that: `/forge review`",
  at_work: "A review is at work; should its AI layer still wait when it ends: `/forge review`",
  paused: "Forge is paused, so nothing is looked at yet; once only: `/forge review --full`",
  limit: "The limit of reviews is reached; later: `/forge review`",
  closed: "The pull request is closed; it is reviewed when it is reopened.",
} as const;
