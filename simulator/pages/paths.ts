import type { Issue } from "../records.ts";
import { fullName } from "../world.ts";

/** Where the pages of an issue or pull request are, as on GitHub. */
export function pathOf({ repository, number, pull }: Issue): string {
  return `/${fullName(repository)}/${pull ? "pull" : "issues"}/${number}`;
}
