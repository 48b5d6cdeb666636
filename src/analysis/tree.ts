import type { RepositoryFiles } from "../workspace/files/repository-files.ts";

/** Where an analyzer reads files that the change leaves alone. */
export interface Tree {
  /** Every file. */
  readonly paths: readonly string[];
  readonly readMany: RepositoryFiles["readMany"];
}
