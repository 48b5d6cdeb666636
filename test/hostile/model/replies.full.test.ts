import { expect, it } from "vitest";
import { CASES, OF_EACH_KIND } from "./bad-replies.ts";
import { tryReplies } from "./try-replies.ts";

tryReplies(OF_EACH_KIND);

it("each of these kinds is one of the replies", () => {
  expect(OF_EACH_KIND.filter((name) => !(name in CASES))).toEqual([]);
});
