import { ForgeError } from "../domain/errors.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { AppClient } from "./app-client.ts";
import { createAsk } from "./ask.ts";
import { type GrantedPermissions, notGranted, readGranted } from "./granted-permissions.ts";
import {
  DEPLOY_READ_PERMISSIONS,
  DEPLOYMENT_PERMISSIONS,
  DISPATCH_PERMISSIONS,
  PUSH_PERMISSIONS,
  WORKFLOW_PERMISSIONS,
} from "./permissions.ts";
import { failureOf, rethrow } from "./reader.ts";
import { mayNotWrite } from "./words/work/push-refusal.ts";

/**
 * Permissions that the App lacks to work on issues of a repository, each with its level.
 * @throws as `rethrow` says
 */
export async function lackingForWork(
  client: Pick<AppClient, "app">,
  { installationId }: Pick<RepositoryRef, "installationId">,
): Promise<string[]> {
  return notGranted(await grantedTo(client, installationId), WORK_PERMISSIONS);
}

const WORK_PERMISSIONS = { contents: "write", pull_requests: "write", issues: "write" } as const;

/** Whether the App has what each way to deploy needs; a program of the operator needs nothing of GitHub. @throws as `rethrow` says */
export async function mayDeploy(
  client: Pick<AppClient, "app">,
  { installationId }: Pick<RepositoryRef, "installationId">,
  way: keyof typeof WAY_PERMISSIONS,
): Promise<boolean> {
  if (WAY_PERMISSIONS[way].length === 0) return true;
  const granted = await grantedTo(client, installationId);
  return WAY_PERMISSIONS[way].every((wanted) => notGranted(granted, wanted).length === 0);
}

async function grantedTo(client: Pick<AppClient, "app">, installationId: number): Promise<GrantedPermissions> {
  try {
    return await readGranted(createAsk(await client.app(), undefined), installationId);
  } catch (error) {
    return rethrow(error);
  }
}

const WAY_PERMISSIONS = {
  deployment: [DEPLOYMENT_PERMISSIONS, DEPLOY_READ_PERMISSIONS],
  workflow_dispatch: [DEPLOYMENT_PERMISSIONS, DISPATCH_PERMISSIONS],
  program: [],
} as const;

/** With the permission to change workflows where the App has it. @throws ForgeError `github_forbidden` where it may not write at all */
export async function pushToken(client: AppClient, repository: RepositoryRef): Promise<string> {
  try {
    return await client.token(repository, WORKFLOW_PERMISSIONS);
  } catch (error) {
    if (failureOf(error)?.cause !== "forbidden") throw error;
  }
  try {
    return await client.token(repository, PUSH_PERMISSIONS);
  } catch (cause) {
    if (failureOf(cause)?.cause !== "forbidden") throw cause;
    throw new ForgeError("github_forbidden", mayNotWrite(), {
      ...{ source: "permission", severity: "high", recoverability: "manual" },
      cause,
    });
  }
}
