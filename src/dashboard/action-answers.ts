import type { Context } from "hono";
import { needs } from "../github/words/view-words.ts";
import { answeredWords, sameGateWords } from "./action-words.ts";
import type { CarriedOut } from "./actions/carry-out.ts";
import type { Redelivered } from "./actions/redeliver.ts";
import { trouble } from "./page-answers.ts";
import { shown } from "./pages/layout.ts";
import { DELIVERIES, TROUBLE } from "./words.ts";

type Done = Extract<CarriedOut, { is: "done" }>;

/** The page that follows a form of an action. @param next the address to go on at where it was done */
export function answerAction(call: Context, outcome: CarriedOut, next: (done: Done) => string) {
  switch (outcome.is) {
    case "done":
      return call.redirect(next(outcome), 303);
    case "unknown":
      return trouble(call, TROUBLE.notFound, 404);
    case "unreadable":
      return trouble(call, TROUBLE.unreadable, 400);
    case "past":
      return trouble(call, TROUBLE.past, 409);
    case "not_allowed":
      return trouble(call, TROUBLE.notAllowed(needs(outcome.needs)), 403);
    case "same_gate":
      return trouble(call, sameGateWords(outcome.gate), 409);
    case "answered":
      return trouble(call, answeredWords(outcome.gate, outcome.how, outcome.by), 409);
    default:
      return outcome satisfies never;
  }
}

/** Where a person goes on after an action: the page that they pressed on. */
export function nextPage({ back, runId, place }: Pick<Done, "back" | "runId" | "place">): string {
  switch (back) {
    case "first":
      return "/";
    case "run":
      return `/runs/${runId}`;
    case "repository":
      return `/repositories/${place.repository.id}`;
    case "memories":
      return `/repositories/${place.repository.id}/memories`;
    default:
      return back satisfies never;
  }
}

/** The page that follows a form of the deliveries. */
export function answerRedelivery(
  call: Context,
  outcome: Redelivered,
  next: (done: "redeliver" | "process_again") => string,
) {
  switch (outcome.is) {
    case "redeliver":
    case "process_again":
      return call.redirect(next(outcome.is), 303);
    case "unreadable":
      return trouble(call, TROUBLE.unreadable, 400);
    case "here":
      return trouble(call, DELIVERIES.here, 409);
    case "refused":
      return trouble(call, DELIVERIES.refused(shown(outcome.why, 300)), 502);
    default:
      return outcome satisfies never;
  }
}
