import { isDeepStrictEqual } from "node:util";

/** The story cannot go on: something it needs did not happen. */
export class StoryFailed extends Error {
  override readonly name = "StoryFailed";
}

/** What should come true while the story runs. One that fails does not end the story: the rest of it is worth seeing. */
export interface Expectations {
  /** `sentence` says what should be so; compared by value. */
  readonly expect: (sentence: string, actual: unknown, wanted: unknown) => void;
  readonly met: () => number;
  readonly failures: () => readonly string[];
}

export function createExpectations(): Expectations {
  const failures: string[] = [];
  let met = 0;
  return {
    expect: (sentence, actual, wanted) => {
      if (isDeepStrictEqual(actual, wanted)) met += 1;
      else failures.push(`${sentence}: ${JSON.stringify(wanted)} was expected, and it was ${JSON.stringify(actual)}`);
    },
    met: () => met,
    failures: () => failures,
  };
}
