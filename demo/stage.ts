import { join } from "node:path";
import { freePort } from "../simulator/free-port.ts";
import { type Chaos, startChaos } from "./chaos.ts";
import { type Company, startCompany } from "./deploy/company.ts";
import { type Developer, startDeveloper } from "./developer.ts";
import { type ForgeProcess, startForge } from "./forge-process.ts";
import { type GitHub, SHOP, startGitHub } from "./github.ts";
import type { Lifetime } from "./lifetime.ts";
import { type DemoModel, startDemoModel } from "./model/demo-model.ts";
import type { Story } from "./options.ts";
import { neverAccepted } from "./report.ts";
import type { Screen } from "./screen.ts";

/** Everybody who plays a part. */
export interface Stage {
  readonly github: GitHub["simulator"];
  readonly forge: Pick<ForgeProcess, "address" | "died" | "command">;
  readonly model: DemoModel;
  readonly ana: Developer;
  /** Of ana. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Where a story deploys. */
  readonly company?: Company;
  /** Where Forge is killed again and again. */
  readonly chaos?: Chaos;
}

export interface Setting {
  readonly stories: readonly Story[];
  /** Where a model of the user may be. */
  readonly environment: NodeJS.ProcessEnv;
  /** What the moments come from at which Forge is killed; undefined where it is not. */
  readonly seed: number | undefined;
  readonly screen: Screen;
}

/** So many requests to GitHub and questions to the model lie between two deaths of Forge; the stories have about 170 and 700. */
const APART = { implement: { least: 5, most: 45 }, deploy: { least: 40, most: 160 } } as const;

/** A GitHub, a model, Forge next to them as it would run next to GitHub Enterprise, the App installed, and ana with a clone. */
export async function setStage(
  { place, signal, keep }: Lifetime,
  { stories, environment, seed, screen }: Setting,
): Promise<Stage> {
  const port = await freePort();
  const forgeAddress = `http://127.0.0.1:${port}`;
  const deploys = stories.includes("deploy");
  const root = join(place.directory, "github");
  const { simulator, credentials, token, install } = await startGitHub(root, forgeAddress, deploys);
  keep(simulator);
  const company = deploys ? keep(await startCompany(place, simulator)) : undefined;
  const model = keep(await startDemoModel(environment));
  const variables = {
    ...credentials,
    ...model.variables,
    ...company?.variables,
    GHE_HOST: new URL(simulator.origin).host,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    FORGE_URL: forgeAddress,
    DATABASE_URL: `file:${join(place.directory, "forge", "forge.db")}`,
    FORGE_DATA: join(place.directory, "forge"),
    // One push is all that comes.
    FORGE_DEBOUNCE_SECONDS: "0",
    // The demo needs no network, and nothing of it leaves this machine.
    FORGE_OSV_URL: "",
  };
  const start = () => startForge(place, variables, signal);
  const steps = () => simulator.requests.length + model.questions();
  const lastStep = () => simulator.requests.findLast(({ by }) => by === "installation")?.operation ?? "nothing";
  const redeliver = () => sendAgain(simulator);
  const given = { start, steps, lastStep, redeliver, screen, signal, apart: APART[deploys ? "deploy" : "implement"] };
  const chaos = seed === undefined ? undefined : keep(await startChaos({ ...given, seed }));
  const forge = chaos ?? keep(await start());
  install();
  const directory = join(place.directory, "ana");
  const ana = await startDeveloper({ login: "ana", token, cloneUrl: simulator.cloneUrl(SHOP), directory, signal });
  return {
    github: simulator,
    forge,
    model,
    ana,
    token,
    signal,
    ...(company ? { company } : {}),
    ...(chaos ? { chaos } : {}),
  };
}

/**
 * What came while Forge was dead is sent again, as a user does who presses "Redeliver" on the App's page. Forge asks for it by itself, but
 * not before it is a minute old, and then once in five minutes.
 */
async function sendAgain(github: GitHub["simulator"]): Promise<void> {
  await github.idle();
  const missed = new Set(neverAccepted(github).map(({ guid }) => guid));
  for (const { guid, id, redelivery } of github.deliveries) {
    if (missed.has(guid) && !redelivery) github.redeliver(id);
  }
  await github.idle();
}
