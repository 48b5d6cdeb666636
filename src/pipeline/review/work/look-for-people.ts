import { createGraphReader } from "../../../analysis/map/read-graph.ts";
import { filesForPeople } from "../../../analysis/unattended/files-for-people.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import type { PullRequestEnds, Subject } from "../../../domain/subjects.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { type Change, withDeleted } from "../../change/read-change.ts";
import type { Configuration } from "../../runs/configuration/load-configuration.ts";

interface Looked {
  readonly subject: Subject;
  readonly ends: PullRequestEnds;
  readonly configuration: Configuration;
  readonly scratchRoot: string;
  readonly signal: AbortSignal;
  readonly change: Change;
  readonly mirror: Mirror;
  /** Of the change by itself. */
  readonly risk?: RiskReport;
}

/**
 * The files of a change that a person has to look at before Forge may approve or merge it (SAFE-4). Undefined where the repository wants neither,
 * where its risk keeps Forge from both, and where not all of the change is there.
 */
export async function lookForPeople({
  subject,
  ends,
  configuration,
  change,
  mirror,
  risk,
  scratchRoot,
  signal,
}: Looked): Promise<string[] | undefined> {
  const { value } = configuration;
  const isWanted = value.review.approve || value.safety.merge !== "never";
  const mayBe = subject.kind === "pull_request" && risk?.level === "low" && change.cut === undefined;
  if (!isWanted || !mayBe) return undefined;
  const files = openCommitFiles({ mirror, commit: ends.headSha, scratch: scratchRoot });
  const paths = change.paths.length > 0 ? change.paths : await change.listHead(signal);
  const { files: changed, contents, oldContents } = await withDeleted(mirror, change, signal);
  return filesForPeople({
    ...{ files: changed, contents, oldContents, scratchRoot, signal },
    tree: { paths, readMany: files.readMany },
    readGraph: createGraphReader({ files, scratch: scratchRoot, immutable: true }),
  });
}
