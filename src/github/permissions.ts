/** What an App is registered for; each does what the ones before it do, and more. */
export const APP_USES = ["review", "implement", "deploy"] as const;
export type AppUse = (typeof APP_USES)[number];

/** What the App must be allowed and told for a use (GH-16). */
export interface Needed {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

/** Presses on checks and installation events arrive without being asked for. */
const REVIEW_EVENTS = [
  "pull_request",
  "issue_comment",
  "pull_request_review_comment",
  "pull_request_review",
  "merge_group",
  "repository",
];
const IMPLEMENT_EVENTS = [...REVIEW_EVENTS, "issues", "check_run", "status", "repository_dispatch"];
const DEPLOY_EVENTS = [...IMPLEMENT_EVENTS, "deployment_status", "deployment_protection_rule", "workflow_run"];

const REVIEWING = { metadata: "read", checks: "write", pull_requests: "write", merge_queues: "read" } as const;
const IMPLEMENTING = { ...REVIEWING, issues: "write", contents: "write", statuses: "read" } as const;

/** By use. `app.yml` has the largest and says what each permission is for; a test holds the two together. */
export const NEEDED: Readonly<Record<AppUse, Needed>> = {
  review: { permissions: { ...REVIEWING, issues: "read", contents: "read" }, events: REVIEW_EVENTS },
  implement: { permissions: { ...IMPLEMENTING, actions: "read" }, events: IMPLEMENT_EVENTS },
  deploy: { permissions: { ...IMPLEMENTING, actions: "write", deployments: "write" }, events: DEPLOY_EVENTS },
};

/** The largest use for which an App has all permissions and events; undefined where it has too little to review. */
export function usedFor(permissions: Readonly<Record<string, string>>, events: readonly string[]): AppUse | undefined {
  return APP_USES.findLast((use) => lackingFor(use, permissions, events).length === 0);
}

/** What an App lacks for a use: permissions with their level, then events. */
export function lackingFor(
  use: AppUse,
  permissions: Readonly<Record<string, string>>,
  events: readonly string[],
): readonly string[] {
  const has = (name: string, level: string) =>
    permissions[name] === level || permissions[name] === "write" || permissions[name] === "admin";
  return [
    ...Object.entries(NEEDED[use].permissions).flatMap(([name, level]) =>
      has(name, level) ? [] : [`${name}: ${level}`],
    ),
    ...NEEDED[use].events.filter((event) => !events.includes(event)),
  ];
}

/** What one task asks of GitHub, by the name of the permission. */
export type TaskPermissions = Readonly<Record<string, "read" | "write">>;

/** The least a task needs (SEC-2); GitHub refuses a token that asks for more than the App was given. */
export const READ_PERMISSIONS = { contents: "read", pull_requests: "read", metadata: "read" } as const;
export const CONTENTS_PERMISSIONS = { contents: "read", metadata: "read" } as const;
export const ISSUE_READ_PERMISSIONS = { issues: "read", pull_requests: "read", metadata: "read" } as const;
export const CI_PERMISSIONS = { checks: "read", metadata: "read" } as const;
export const STATUS_PERMISSIONS = { statuses: "read", metadata: "read" } as const;
export const LOG_PERMISSIONS = { actions: "read", metadata: "read" } as const;
/** What is said of deployments. */
export const DEPLOY_READ_PERMISSIONS = { deployments: "read", metadata: "read" } as const;
export const LABEL_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PUSH_PERMISSIONS = { contents: "write", metadata: "read" } as const;
/** Answering as the rule of an environment, and looking who waits for it. */
export const RULE_PERMISSIONS = { deployments: "write", actions: "read", metadata: "read" } as const;
/** GitHub refuses a push that changes a file in `.github/workflows` without this; most Apps are not given it. */
export const WORKFLOW_PERMISSIONS = { contents: "write", workflows: "write", metadata: "read" } as const;
/** Only where a repository names a team: no use asks for it by itself. */
export const TEAM_PERMISSIONS = { members: "read", metadata: "read" } as const;
export const CHECK_PERMISSIONS = { checks: "write", metadata: "read" } as const;
export const REVIEW_PERMISSIONS = { pull_requests: "write", metadata: "read" } as const;
/** Resolving a thread counts as writing to the repository; an App that was not given this still reviews. */
export const RESOLVE_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;

/** Comments on issues; on pull requests `REVIEW_PERMISSIONS` are enough. */
export const ISSUE_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PULL_PERMISSIONS = { contents: "read", pull_requests: "write", metadata: "read" } as const;
/** Merging, and what GitHub says of it: whether the checks of the head pass stands there too. */
export const MERGE_PERMISSIONS = {
  contents: "write",
  pull_requests: "write",
  checks: "read",
  statuses: "read",
  metadata: "read",
} as const;
/** GitHub counts making a draft ready as writing to the repository too (https://github.com/cli/cli/issues/8910). */
export const READY_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;
/** Deployments and what is said of them; the branch is read to name it where it still has the commit. */
export const DEPLOYMENT_PERMISSIONS = { deployments: "write", contents: "read", metadata: "read" } as const;
/** To start a workflow that deploys, and to find the run that it became. */
export const DISPATCH_PERMISSIONS = { actions: "write", contents: "read", metadata: "read" } as const;
