import type { PullRequest } from "../records.ts";
import { fullName } from "../world.ts";

/** Where a pull request's pages are, as on GitHub. */
export function pathOfPull({ repository, number }: PullRequest): string {
  return `/${fullName(repository)}/pull/${number}`;
}
