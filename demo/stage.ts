import { join } from "node:path";
import { type Developer, startDeveloper } from "./developer.ts";
import { type ForgeProcess, freePort, startForge } from "./forge-process.ts";
import { type GitHub, SHOP, startGitHub } from "./github.ts";
import type { Lifetime } from "./lifetime.ts";
import { type DemoModel, startDemoModel } from "./model/demo-model.ts";

/** Everybody who plays a part. */
export interface Stage {
  readonly github: GitHub["simulator"];
  readonly forge: ForgeProcess;
  readonly model: DemoModel;
  readonly ana: Developer;
  /** Of ana. */
  readonly token: string;
  readonly signal: AbortSignal;
}

/** A GitHub, a model, Forge beside them as it would run beside GitHub Enterprise, the App installed, and ana with a clone. */
export async function setStage({ place, signal, keep }: Lifetime): Promise<Stage> {
  const port = await freePort();
  const forgeAddress = `http://127.0.0.1:${port}`;
  const { simulator, credentials, token, install } = await startGitHub(join(place.directory, "github"), forgeAddress);
  keep(simulator);
  const model = keep(await startDemoModel(process.env));
  const variables = {
    ...credentials,
    ...model.variables,
    GHE_HOST: new URL(simulator.origin).host,
    GHE_PROTOCOL: "http",
    PORT: String(port),
    DATABASE_URL: `file:${join(place.directory, "forge", "forge.db")}`,
    FORGE_DATA: join(place.directory, "forge"),
    // One push is all that comes.
    FORGE_DEBOUNCE_SECONDS: "0",
    // The demo needs no network, and nothing of it leaves this machine.
    FORGE_OSV_URL: "",
  };
  const forge = keep(await startForge(place, variables, signal));
  install();
  const directory = join(place.directory, "ana");
  const ana = await startDeveloper({ login: "ana", token, cloneUrl: simulator.cloneUrl(SHOP), directory, signal });
  return { github: simulator, forge, model, ana, token, signal };
}
