import { z } from "zod";
import { ForgeError } from "../domain/errors.ts";
import type { PullRequestHost } from "../pipeline/runs/ports.ts";
import type { AppClient } from "./app-client.ts";
import { TEAM_PERMISSIONS } from "./permissions.ts";
import { createReader } from "./reader.ts";

const Membership = z.object({ state: z.string() });

/** Reads who is in a team, with a token for that alone: Apps that may not read teams work without (REV-2). */
export function createTeamReader(client: AppClient): Pick<PullRequestHost, "isInTeam"> {
  return {
    isInTeam: async (repository, team, username, signal) => {
      const [org, team_slug] = team.split("/");
      if (org?.toLowerCase() !== repository.owner.toLowerCase()) return false;
      const route = "GET /orgs/{org}/teams/{team_slug}/memberships/{username}";
      try {
        const read = createReader(client, repository, TEAM_PERMISSIONS, signal);
        return (await read(Membership, route, { org, team_slug, username }))?.state === "active";
      } catch (thrown) {
        const isRefused = thrown instanceof ForgeError && REFUSED.has(thrown.code);
        if (isRefused) return undefined;
        throw thrown;
      }
    },
  };
}

/** GitHub gives no token for what an App was not granted, and answers nothing about it. */
const REFUSED: ReadonlySet<string> = new Set(["github_forbidden", "github_refused"]);
