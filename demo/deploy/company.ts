import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Simulator } from "../../simulator/start-simulator.ts";
import { POSTAGE } from "../github.ts";
import type { Running } from "../lifetime.ts";
import type { Place } from "../place.ts";
import { type ReportedError, type ServersProcess, startServers } from "../servers/start-servers.ts";

export const WORKFLOW = ".github/workflows/deploy.yml";
export const ENVIRONMENTS = ["staging", "production"] as const;
/** Requests a second. The fault of the story needs 18: a quarter of production has them, and neither a twentieth nor staging. */
export const LOAD = { staging: 12, production: 200 } as const;
/** The variable in which Forge finds the secret of the door. */
const SECRET = "POSTAGE_ERRORS_SECRET";

/** One with the time of its arrival, ISO 8601. */
type CollectedError = ReportedError & { readonly at: string };

/** Whom the service belongs to: its servers, and what collects its errors. */
export interface Company extends Running {
  readonly servers: ServersProcess;
  /** What tells Forge whom to ask about versions, and who may tell it of errors. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the door. */
  readonly secret: string;
  /** What versions reported of themselves, oldest first. */
  readonly errors: readonly CollectedError[];
  kill(): void;
}

/** Starts the servers, and has the workflow of the repository deploy to them. */
export async function startCompany({ directory }: Place, github: Simulator): Promise<Company> {
  const errors: CollectedError[] = [];
  const start = { folder: join(directory, "servers"), gitDirectory: github.gitDirectory(POSTAGE), load: LOAD };
  const servers = await startServers(start, (error) => {
    errors.push({ ...error, at: new Date().toISOString() });
  });
  // What stands for the steps of the workflow, `node scripts/deploy.js <environment> <commit> <percentage>`.
  github.workflows(POSTAGE).on(WORKFLOW, ({ environment, sha, payload }) => {
    const { forge } = payload as { readonly forge: { readonly percentage: number } };
    return servers.deploy(environment ?? "", sha, forge.percentage);
  });
  const watched = (environment: string) => ({
    prometheus: { url: servers.metricsAddress, names: { labels: { environment } } },
  });
  const projects = { postage: { repository: POSTAGE, environment: "production" } };
  const sources = {
    repositories: { [POSTAGE]: Object.fromEntries(ENVIRONMENTS.map((name) => [name, watched(name)])) },
    doors: { errors: { kind: "plain", secret: { variable: SECRET }, projects } },
  };
  const file = join(directory, "sources.json");
  await writeFile(file, JSON.stringify(sources, null, 2));
  const secret = randomBytes(20).toString("hex");
  const { stop, kill } = servers;
  return { servers, errors, secret, variables: { FORGE_SOURCES: file, [SECRET]: secret }, stop, kill };
}
