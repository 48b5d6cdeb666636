import { defined } from "../../../domain/defined.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { type Mirror, openMirror } from "../../../workspace/mirror.ts";
import { needed } from "../../change/fetch-ends.ts";
import type { WorkDependencies } from "./work-job.ts";

/**
 * The mirror of a repository with these commits in it.
 * @throws ForgeError `change_unreadable`
 */
export async function openRepository(
  { host, mirrorRoot }: Pick<WorkDependencies, "host" | "mirrorRoot">,
  { repository }: Pick<Subject, "repository">,
  shas: readonly string[],
  signal: AbortSignal,
): Promise<Mirror> {
  const remote = host.remote(repository);
  const mirror = openMirror({
    root: mirrorRoot,
    repositoryId: String(repository.id),
    remoteUrl: remote.url,
    token: () => remote.token(),
    allowHttp: remote.allowHttp,
    ...defined({ lender: remote.lender }),
  });
  needed(await fetchCommits(mirror, { shas, signal }));
  return mirror;
}
