import { z } from "zod";
import type { RepositoryRef } from "../domain/subjects.ts";
import { type Ask, createAsk, type Octokit } from "./ask.ts";
import { GitHubCallFailed, type GitHubFailure } from "./classify-failure.ts";
import { notGranted, readGranted } from "./granted-permissions.ts";
import type { TaskPermissions } from "./permissions.ts";

/** One repository of an installation, by id, or by name where the id is not known. */
export type TokenTarget =
  | Pick<RepositoryRef, "installationId" | "id">
  | (Pick<RepositoryRef, "installationId" | "name"> & { readonly id?: undefined });

export interface ScopedTokens {
  /**
   * A token for exactly this repository with exactly these permissions (SEC-2).
   * @throws GitHubCallFailed `gone` when the installation does not have the repository (any more), `forbidden` when it lacks a permission,
   * `unavailable` while it is suspended, because people may end that
   */
  get(repository: TokenTarget, permissions: TaskPermissions): Promise<string>;
  /** Forgets one that GitHub no longer takes. */
  drop(token: string): void;
}

/** A token lives an hour; one that ends within this time is not begun with. */
const MARGIN_MS = 5 * 60_000;

const TokenResponse = z.object({ token: z.string(), expires_at: z.string() });

/**
 * Mints tokens through the App and keeps them in memory only, until shortly before they expire. Requests for the same token at the same
 * time share one.
 */
export function createScopedTokens(
  app: () => Promise<Octokit>,
  { now = Date.now, onToken }: { readonly now?: () => number; readonly onToken?: (token: string) => void } = {},
): ScopedTokens {
  const kept = new Map<string, Promise<z.infer<typeof TokenResponse>>>();

  async function mint(repository: TokenTarget, permissions: TaskPermissions) {
    const asApp = createAsk(await app(), undefined);
    const { installationId } = repository;
    try {
      const answer = await asApp.ask(TokenResponse, "POST /app/installations/{installation_id}/access_tokens", {
        installation_id: installationId,
        ...(repository.id === undefined ? { repositories: [repository.name] } : { repository_ids: [repository.id] }),
        permissions,
      });
      // Known from now on, so that it is hidden wherever it turns up.
      onToken?.(answer.token);
      return answer;
    } catch (error) {
      if (!(error instanceof GitHubCallFailed)) throw error;
      throw new GitHubCallFailed(await readFailure(asApp, installationId, permissions, error.failure), error);
    }
  }

  return {
    get: async (repository, permissions) => {
      const key = JSON.stringify([repository.installationId, repository.id ?? repository.name, permissions]);
      const earlier = kept.get(key);
      const known = await earlier?.catch(() => undefined);
      if (known && Date.parse(known.expires_at) - MARGIN_MS > now()) return known.token;
      // While this one waited, another caller may have begun to mint a new one.
      const current = kept.get(key);
      const minting = current && current !== earlier ? current : mint(repository, permissions);
      kept.set(key, minting);
      try {
        return (await minting).token;
      } catch (error) {
        if (kept.get(key) === minting) kept.delete(key);
        throw error;
      }
    },
    drop: (token) => {
      for (const [key, minting] of kept) {
        void minting.then(
          (answer) => answer.token === token && kept.get(key) === minting && kept.delete(key),
          () => {},
        );
      }
    },
  };
}

/** GitHub answers 422 to both: no such repository in the installation, and no such permission. */
async function readFailure(
  ask: Ask,
  installationId: number,
  permissions: TaskPermissions,
  failure: GitHubFailure,
): Promise<GitHubFailure> {
  const { cause, message } = failure;
  if (cause === "forbidden") return { cause: "unavailable", message };
  if (cause !== "refused") return failure;
  try {
    const granted = await readGranted(ask, installationId);
    return { cause: notGranted(granted, permissions).length === 0 ? "gone" : "forbidden", message };
  } catch (error) {
    return error instanceof GitHubCallFailed ? error.failure : failure;
  }
}
