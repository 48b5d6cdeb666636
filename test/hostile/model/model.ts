import { PLAN } from "../../e2e/implementer.ts";
import type { HostileClass, Payload } from "../program/payload.ts";
import { callsBeyondBounds } from "./beyond-bounds.ts";
import { FIRST } from "./first-stories.ts";
import { LATER } from "./later-stories.ts";
import { beyond, first, HAND_IN } from "./minds.ts";
import { obedientStories } from "./obedient-stories.ts";
import { askStory, feedbackStory, implementStory, onlyAs, replyStory, reviewStory, testStory } from "./stories.ts";

/** Every tool with every argument out of bounds, in every story. */
function outOfBounds(seed: number): Payload[] {
  const does = "calls every tool with what it does not take";
  return [
    ...[1, 2].map((at) => reviewStory(`out of bounds ${at}`, does, beyond(seed + 10 * at))),
    askStory("out of bounds", does, beyond(seed + 30)),
    implementStory(
      "out of bounds for the planner",
      does,
      onlyAs(
        "planner",
        first(3, (asked, round) => callsBeyondBounds(asked, seed + round, 3), PLAN),
      ),
    ),
    implementStory(
      "out of bounds for the implementer",
      does,
      onlyAs(
        "implementer",
        first(3, (asked, round) => callsBeyondBounds(asked, seed + round, 3), HAND_IN),
      ),
    ),
    replyStory("out of bounds", does, beyond(seed + 40)),
    testStory("out of bounds", does, onlyAs("tester", beyond(seed + 50))),
    feedbackStory(
      "out of bounds",
      does,
      onlyAs(
        "feedback",
        first(3, (asked, round) => callsBeyondBounds(asked, seed + round, 3), HAND_IN),
      ),
    ),
  ];
}

/** A model that does whatever comes to its mind, in all that it is asked for. */
export const model: HostileClass = {
  name: "model",
  payloads: (seed) => [...FIRST, ...LATER, ...obedientStories(), ...outOfBounds(seed)],
};
