import { ForgeError } from "../../../domain/errors.ts";
import type { PullRequestEnds, Subject } from "../../../domain/subjects.ts";
import { openCommitFiles } from "../../../workspace/files/commit-files.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import { readChange } from "../../change/read-change.ts";
import type { GitRemote } from "../../runs/ports.ts";
import { pastOfMirror } from "./folder-risk.ts";
import { type FolderReview, type FolderReviewOptions, reviewRead } from "./review-folder.ts";

/** A pull request on GitHub that somebody wants to see reviewed on their own machine. */
export interface PullToReview {
  readonly subject: Subject;
  readonly ends: PullRequestEnds;
  /** The text of the configuration on the default branch, where there is one. */
  readonly configuration: string | undefined;
  readonly remote: GitRemote;
}

/**
 * The review of a pull request for one person's eyes (OPS-1): nothing is kept, and nothing is written to GitHub. Models do not take part.
 * @param options `folder` is where its objects are fetched to
 * @throws ForgeError `change_unreadable`
 */
export async function reviewPull(
  { subject, ends, configuration, remote }: PullToReview,
  options: Omit<FolderReviewOptions, "base" | "all" | "ai">,
): Promise<FolderReview> {
  const { folder, signal } = options;
  const mirror = await fetchEnds({ subject, ends, mirrorRoot: folder, remote, signal });
  const read = await readChange(mirror, ends, signal);
  if (read.cut !== undefined) {
    throw new ForgeError("change_unreadable", `The pull request is not all there: ${read.cut}`, {
      source: "resource",
      recoverability: "none",
    });
  }
  const before = [...read.oldContents].filter((entry): entry is [string, Buffer] => Buffer.isBuffer(entry[1]));
  return reviewRead(options, {
    change: {
      files: [...read.files],
      contents: new Map(read.contents),
      oldContents: new Map(before),
      base: read.mergeBaseSha,
      paths: read.paths.length > 0 ? read.paths : await read.listHead(options.signal),
      commits: read.commits,
    },
    configured: { text: configuration, where: "on the default branch" },
    subject,
    headSha: ends.headSha,
    readPast: pastOfMirror(mirror),
    readOthers: openCommitFiles({ mirror, commit: ends.headSha, scratch: options.scratchRoot }).readMany,
  });
}
