import type { GitHubFailure } from "./classify-failure.ts";

/** A request to GitHub that did not succeed, with its cause. */
export class GitHubCallFailed extends Error {
  override readonly name = "GitHubCallFailed";
  readonly failure: GitHubFailure;

  constructor(failure: GitHubFailure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}
