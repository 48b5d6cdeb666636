import type { Account, DeployEnvironment, GateAnswer, Job, Team } from "../records.ts";
import type { Gate } from "../running.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi, repositoryPage } from "./addresses.ts";

function environmentMiniature(world: World, { id, name, repository }: DeployEnvironment) {
  return {
    id,
    node_id: nodeId("EN", id),
    name,
    url: `${repositoryApi(world, repository)}/environments/${encodeURIComponent(name)}`,
    html_url: `${repositoryPage(world, repository)}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
  };
}

export function reviewersShape(world: World, { reviewers, repository }: DeployEnvironment) {
  return reviewers.map((reviewer: Account | Team) =>
    "slug" in reviewer
      ? { type: "Team", reviewer: teamShape(world, reviewer, repository.owner) }
      : { type: "User", reviewer: userShape(world, reviewer) },
  );
}

function teamShape(world: World, { id, slug }: Team, { id: ownerId, login }: Account) {
  const url = `${world.origin}/api/v3/organizations/${ownerId}/team/${id}`;
  return {
    ...{ id, node_id: nodeId("T", id), url, html_url: `${world.origin}/orgs/${login}/teams/${slug}`, name: slug, slug },
    ...{ description: null, privacy: "closed", permission: "pull", parent: null, type: "organization" },
    ...{ organization_id: ownerId, members_url: `${url}/members{/member}`, repositories_url: `${url}/repos` },
  };
}

export function environmentShape(world: World, environment: DeployEnvironment) {
  const { id, reviewers, branches, createdAt, mayBypass, preventSelfReview, waitMinutes = 0 } = environment;
  const rule = (type: string) => ({ id, node_id: nodeId("GA", `${id}${type}`), type });
  const asked = { prevent_self_review: preventSelfReview, reviewers: reviewersShape(world, environment) };
  return {
    ...environmentMiniature(world, environment),
    created_at: createdAt,
    updated_at: createdAt,
    can_admins_bypass: mayBypass,
    protection_rules: [
      ...(reviewers.length > 0 ? [{ ...rule("required_reviewers"), ...asked }] : []),
      ...(waitMinutes > 0 ? [{ ...rule("wait_timer"), wait_timer: waitMinutes }] : []),
      ...(branches ? [rule("branch_policy")] : []),
    ],
    deployment_branch_policy: branches && {
      protected_branches: branches === "protected",
      custom_branch_policies: branches !== "protected",
    },
  };
}

/** For each App that is asked, beside the rules of GitHub's own. */
export function customRuleShapes(world: World, { rules }: DeployEnvironment) {
  return rules.map(({ id, app }) => ({
    id,
    node_id: nodeId("GA", id),
    enabled: true,
    app: {
      id: app.appId,
      slug: app.slug,
      integration_url: `${world.origin}/api/v3/apps/${app.slug}`,
      node_id: nodeId("A", app.appId),
    },
  }));
}

export function branchPolicyShapes({ id, branches }: DeployEnvironment) {
  const names = branches === null || branches === "protected" ? [] : branches;
  return names.map((name, index) => ({
    id: id * 100 + index,
    node_id: nodeId("BP", `${id} ${name}`),
    name,
    type: "branch",
  }));
}

export function pendingShape(
  world: World,
  { environment, since }: Pick<Gate, "environment" | "since">,
  mayApprove: boolean,
) {
  const { waitMinutes = 0 } = environment;
  return {
    environment: environmentMiniature(world, environment),
    wait_timer: waitMinutes,
    wait_timer_started_at: waitMinutes > 0 ? new Date(since).toISOString().replace(/\.\d+Z$/, "Z") : null,
    current_user_can_approve: mayApprove,
    reviewers: reviewersShape(world, environment),
  };
}

export function answerShape(world: World, { environments, state, comment, by }: GateAnswer) {
  const shapes = environments.map((each) => ({
    ...environmentMiniature(world, each),
    ...{ created_at: each.createdAt, updated_at: each.createdAt },
  }));
  return { environments: shapes, state, user: userShape(world, by), comment };
}

/** A job as webhooks of reviews carry it. */
export function jobRunShape({ check }: Job, { name }: DeployEnvironment) {
  const { id, startedAt, detailsUrl } = check;
  const times = { created_at: startedAt, updated_at: startedAt };
  return { id, name: null, status: "waiting", conclusion: null, html_url: detailsUrl, environment: name, ...times };
}
