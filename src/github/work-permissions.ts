import { ForgeError } from "../domain/errors.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { AppClient } from "./app-client.ts";
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
 * Permissions that the App lacks to work on issues of a repository, each with its level. GitHub grants a token with all that is asked for, or
 * none, so each is asked for by itself.
 * @throws as `rethrow` says
 */
export async function lackingForWork(client: AppClient, repository: RepositoryRef): Promise<string[]> {
  const lacking: string[] = [];
  for (const [name, level] of WORK_PERMISSIONS) {
    try {
      await client.token(repository, { [name]: level, metadata: "read" });
    } catch (error) {
      if (failureOf(error)?.cause !== "forbidden") rethrow(error);
      lacking.push(`${name}: ${level}`);
    }
  }
  return lacking;
}

const WORK_PERMISSIONS = [
  ["contents", "write"],
  ["pull_requests", "write"],
  ["issues", "write"],
] as const;

/** Whether the App has what each way to deploy needs; a program of the operator needs nothing of GitHub. */
export async function mayDeploy(
  client: Pick<AppClient, "token">,
  repository: RepositoryRef,
  way: keyof typeof WAY_PERMISSIONS,
): Promise<boolean> {
  for (const permissions of WAY_PERMISSIONS[way]) {
    try {
      await client.token(repository, permissions);
    } catch (error) {
      if (failureOf(error)?.cause === "forbidden") return false;
      rethrow(error);
    }
  }
  return true;
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
