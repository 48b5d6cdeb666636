import { type AppUse, NEEDED } from "../github/permissions.ts";

/** What a person reads before choosing what the App may do. */
export interface UseWords {
  readonly title: string;
  readonly does: string;
  /** What Forge does not do without the permissions of larger uses; undefined for the largest. */
  readonly without?: string;
}

export const USES: Readonly<Record<AppUse, UseWords>> = {
  review: {
    title: "Review only",
    does: "Reviews pull requests, and answers merge queues and comments on pull requests.",
    without:
      "Forge cannot change anything: it does not work on issues, commit fixes, merge or deploy. When a finding is fixed, Forge says so in its thread, and a person resolves the thread.",
  },
  implement: {
    title: "Review and implement",
    does: "Also works on issues: pushes branches of its own, opens pull requests, commits the fixes that people ask for, and resolves threads.",
    without: "Forge does not deploy.",
  },
  deploy: {
    title: "All, with deploying",
    does: "Also starts your deployments, says how far they are, and answers the protection rules of your environments.",
  },
};

/** By permission and level. */
const REASONS: Readonly<Record<string, string>> = {
  "metadata: read": "GitHub requires it of every App.",
  "checks: write": "To write the checks with their annotations, and to read the checks of your CI.",
  "pull_requests: write": "To read pull requests, and to write reviews, suggestions and comments.",
  "merge_queues: read": "To hear when a merge queue waits for the check.",
  "issues: read": "To read the issue that a pull request closes.",
  "issues: write": "To read issues, keep a status comment there, and create the labels forge:implement and forge:skip.",
  "contents: read": "To fetch commits and .github/forge.yml.",
  "contents: write":
    "To fetch commits, push branches of its own, commit the fixes that people ask for, resolve threads, and merge where forge.yml says so.",
  "statuses: read": "To see what fails on the branches that Forge pushed.",
  "actions: read": "To read the logs of jobs that failed on those branches.",
  "actions: write": "To read those logs, and to start the workflow that deploys.",
  "deployments: write": "To create deployments and say how far they are.",
};

/** The permissions of a use, each with its reason. */
export function reasonsFor(use: AppUse): readonly (readonly [permission: string, reason: string])[] {
  return Object.entries(NEEDED[use].permissions).map(([name, level]) => {
    const permission = `${name}: ${level}`;
    return [permission, REASONS[permission] ?? ""];
  });
}
