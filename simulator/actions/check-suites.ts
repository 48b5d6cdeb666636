import { commitInfo } from "../git/commits.ts";
import type { Account, App, CheckSuite, Repository } from "../records.ts";
import { hookSuiteShape } from "../shapes/check.ts";
import { commitSummary } from "../shapes/commit.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";

export function suiteOf(repository: Repository, app: App, sha: string): CheckSuite | undefined {
  return repository.checkSuites.find((suite) => suite.app === app && suite.headSha === sha);
}

/** A suite made by a push asks its app for checks; one suite stands for each app and commit.
 * https://docs.github.com/en/rest/guides/using-the-rest-api-to-interact-with-checks#about-check-suites */
export async function openSuite(
  world: World,
  repository: Repository,
  app: App,
  head: { sha: string; branch: string | null; before: string | null; by: Account },
): Promise<CheckSuite> {
  const found = suiteOf(repository, app, head.sha);
  if (found) return found;
  const suite = await createSuite(world, repository, app, head);
  emit(
    world,
    repository,
    "check_suite",
    { action: "requested", check_suite: hookSuiteShape(world, suite) },
    head.by,
    app,
  );
  return suite;
}

export async function createSuite(
  world: World,
  repository: Repository,
  app: App,
  head: { sha: string; branch: string | null; before: string | null },
): Promise<CheckSuite> {
  const suite: CheckSuite = {
    id: nextId(world),
    repository,
    app,
    headSha: head.sha,
    headBranch: head.branch,
    before: head.before,
    headCommit: commitSummary(await commitInfo(repository.directory, head.sha)),
    runs: [],
    createdAt: now(),
  };
  repository.checkSuites.push(suite);
  world.checkSuites.set(suite.id, suite);
  return suite;
}

/** Only the app whose suite it is hears of it. https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite */
export function rerequestSuite(world: World, suite: CheckSuite, by: Account): void {
  const payload = { action: "rerequested", check_suite: hookSuiteShape(world, suite) };
  emit(world, suite.repository, "check_suite", payload, by, suite.app);
}
