// https://docs.github.com/en/rest/branches/branch-protection
import { commitOf } from "../git/bare-repository.ts";
import { commitInfo } from "../git/commits.ts";
import { notFound } from "../problem.ts";
import type { Protection, Repository } from "../records.ts";
import { repositoryApi, repositoryPage } from "../shapes/addresses.ts";
import { commitShape } from "../shapes/commit.ts";
import type { World } from "../world.ts";
import { bodyOf, createRoutes, parameter, repositoryOf } from "./call.ts";

interface ProtectionRequest {
  readonly required_status_checks: {
    readonly contexts?: readonly string[];
    readonly checks?: readonly { readonly context: string }[];
  } | null;
  readonly required_pull_request_reviews: object | null;
}

export function branchProtectionRoutes(world: World) {
  const routes = createRoutes();
  const protection = (repository: Repository, branch: string) => {
    const found = repository.protections.get(branch);
    if (!found) throw notFound("Branch not protected");
    return protectionShape(world, repository, branch, found);
  };
  routes.get("/repos/:owner/:repo/branches/:branch{.+}/protection", (call) =>
    call.json(protection(repositoryOf(world, call, "administration", "read"), parameter(call, "branch"))),
  );
  routes.put("/repos/:owner/:repo/branches/:branch{.+}/protection", (call) => {
    const repository = repositoryOf(world, call, "administration", "write");
    const { required_status_checks: wanted, required_pull_request_reviews: reviews } = bodyOf<ProtectionRequest>(call);
    const requiredChecks = wanted?.checks?.map((check) => check.context) ?? wanted?.contexts ?? [];
    repository.protections.set(parameter(call, "branch"), { requiredChecks, requiresPull: reviews !== null });
    return call.json(protection(repository, parameter(call, "branch")));
  });
  routes.delete("/repos/:owner/:repo/branches/:branch{.+}/protection", (call) => {
    const repository = repositoryOf(world, call, "administration", "write");
    if (!repository.protections.delete(parameter(call, "branch"))) throw notFound("Branch not protected");
    return call.body(null, 204);
  });
  routes.get("/repos/:owner/:repo/branches/:branch{.+}", async (call) => {
    const repository = repositoryOf(world, call, "contents", "read");
    const name = parameter(call, "branch");
    const sha = await commitOf(repository.directory, `heads/${name}`);
    if (!sha) throw notFound("Branch not found");
    const checks = repository.protections.get(name)?.requiredChecks;
    const protectionUrl = `${repositoryApi(world, repository)}/branches/${name}/protection`;
    return call.json({
      name,
      commit: commitShape(world, repository, await commitInfo(repository.directory, sha)),
      _links: {
        self: protectionUrl.replace(/\/protection$/, ""),
        html: `${repositoryPage(world, repository)}/tree/${name}`,
      },
      protected: checks !== undefined,
      protection: {
        enabled: checks !== undefined,
        required_status_checks: { enforcement_level: checks ? "everyone" : "off", contexts: checks ?? [], checks: [] },
      },
      protection_url: protectionUrl,
    });
  });
  return routes;
}

function protectionShape(
  world: World,
  repository: Repository,
  branch: string,
  { requiredChecks: contexts, requiresPull }: Protection,
) {
  const url = `${repositoryApi(world, repository)}/branches/${branch}/protection`;
  return {
    url,
    required_status_checks: {
      url: `${url}/required_status_checks`,
      strict: false,
      contexts,
      contexts_url: `${url}/required_status_checks/contexts`,
      checks: contexts.map((context) => ({ context, app_id: null })),
      enforcement_level: "everyone",
    },
    ...(requiresPull ? { required_pull_request_reviews: reviewsShape(url) } : {}),
    enforce_admins: { url: `${url}/enforce_admins`, enabled: true },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: false },
    allow_deletions: { enabled: false },
  };
}

function reviewsShape(url: string) {
  return {
    url: `${url}/required_pull_request_reviews`,
    dismiss_stale_reviews: false,
    require_code_owner_reviews: false,
    required_approving_review_count: 0,
  };
}
