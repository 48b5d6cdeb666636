/**
 * `forge-lifecycle/review`: the review of a folder of this machine as a library (OPS-6), as `forge review` does it without models. Nothing is written
 * to the folder, and nobody is asked over the network.
 */
import { chmod, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../../workspace/remove-folder.ts";
import { type FolderReview, reviewFolder as review } from "./review-folder.ts";

export interface ReviewOptions {
  /** Compare with this commit; left out, with the branch that the checkout came from. */
  readonly base?: string;
  /** Every file instead of what changed. */
  readonly all?: boolean;
  /** At most so many findings, the most important; as shipped when left out. */
  readonly mostFindings?: number;
  readonly signal?: AbortSignal;
  /** Told of each analyser that begins. */
  readonly onProgress?: (analyser: string) => void;
}

/**
 * Reviews a folder.
 * @throws ForgeError `base_not_found`, `base_unrelated`, `history_missing`, `content_missing`, `checkout_unreadable`, `folder_too_large`, `folder_empty`
 */
export async function reviewFolder(folder: string, options: ReviewOptions = {}): Promise<FolderReview> {
  const scratchRoot = await mkdtemp(join(tmpdir(), "forge-review-"));
  // Where the sandbox has a user of its own, they have to get there.
  await chmod(scratchRoot, 0o711);
  try {
    return await review({
      all: false,
      signal: new AbortController().signal,
      ...options,
      folder: await realpath(folder),
      scratchRoot,
    });
  } finally {
    await removeFolder(scratchRoot);
  }
}

export type { Finding } from "../../../domain/findings.ts";
export type { ReviewCoverage } from "../../../domain/review-report.ts";
export type { Verdict } from "../verdict.ts";
export type { FolderReview } from "./review-folder.ts";
