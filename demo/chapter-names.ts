import type { Story } from "./options.ts";

/** What each story is called where it is announced, and where it begins. */
const NAMES: Readonly<Record<Story, string>> = {
  implement: "an issue becomes a pull request",
  review: "what a review finds, and what people do with it",
  deploy: "a change goes to production and back, and its fix stays there",
};

/** "implement: an issue becomes a pull request". */
export function chapterName(story: Story): string {
  return `${story}: ${NAMES[story]}`;
}

/** The stories to come, a line for each. */
export function chapterList(stories: readonly Story[]): string[] {
  return stories.map((story, index) => `${index === 0 ? "Told" : ""}`.padEnd(8) + chapterName(story));
}
