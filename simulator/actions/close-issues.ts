import { hasRole } from "../access/permissions.ts";
import { issuesClosedBy } from "../facts/closing-words.ts";
import type { Account, Repository } from "../records.ts";
import { isPull, type World } from "../world.ts";
import { setIssueState } from "./issues.ts";

/** Closes the open issues that a text names with a closing keyword, where who brought it to the default branch may. */
export function closeNamedIssues(world: World, repository: Repository, text: string, by: Account): void {
  for (const named of issuesClosedBy(world, repository, text)) {
    const place = world.repositories.get(named.repository);
    const issue = place?.issues.get(named.number);
    if (!place || !issue || isPull(issue)) continue;
    if (place === repository || hasRole(place, by, "write")) setIssueState(world, issue, "closed", "completed", by);
  }
}
