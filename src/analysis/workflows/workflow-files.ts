/** A workflow or an action of the repository, which others name by its path. */
export interface BesideWorkflow {
  readonly path: string;
  readonly text: string;
  readonly changed: boolean;
}

export const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
export const ACTION = /(?:^|\/)action\.ya?ml$/;
