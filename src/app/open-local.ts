import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chooseAdvisories } from "../analysis/dependencies/choose-advisories.ts";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { createIdMaker } from "../domain/ids.ts";
import { type LocalDependencies, repositoryOf } from "../pipeline/local/local-run.ts";
import { createRedactor, type Redact } from "../safety/redact.ts";
import { closeStore, openStore } from "../store/open-store.ts";
import { readInstance } from "../store/read-instance.ts";
import { type Checkout, openCheckout } from "../workspace/local/checkout.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { readWorkConfig, secretsOfModels } from "./config.ts";
import { localPackages } from "./local-packages.ts";
import { openProcessAi } from "./open-ai.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface LocalWorkplace extends AsyncDisposable {
  readonly dependencies: LocalDependencies;
}

/** @throws ForgeError `not_a_checkout`, `checkout_unusable` */
export async function findCheckout(repo: string): Promise<Checkout> {
  try {
    return await openCheckout(resolve(repo));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const options = { source: "validation", recoverability: "manual" } as const;
    throw new ForgeError("not_a_checkout", `There is no folder ${repo}.`, options);
  }
}

/**
 * Opens what is kept of a checkout in a folder (runs, what they taught, a mirror), and everything that work on it needs.
 * @throws ForgeError `configuration_invalid`, `run_at_work`
 */
export async function openLocal(checkout: Checkout, folder: string, environment: Environment): Promise<LocalWorkplace> {
  const config = readWorkConfig(environment);
  const mirrorRoot = join(folder, "mirrors");
  await mkdir(mirrorRoot, { recursive: true, mode: 0o700 });
  const redact = createRedactor(secretsOfModels(config.models));
  const store = await openOwn(join(folder, "forge.db"), checkout, redact);
  // Not below the data: where the sandbox has a user of its own, they have to get there.
  const scratchRoot = await mkdtemp(join(tmpdir(), "forge-run-"));
  await chmod(scratchRoot, 0o711);
  const now = () => new Date().toISOString();
  const packages = localPackages(config, scratchRoot);
  const advisories = chooseAdvisories(config.advisories);
  const dependencies = {
    ...{ store, checkout, mirrorRoot, scratchRoot, now, packages },
    repository: repositoryOf(checkout),
    makeId: createIdMaker(),
    ai: await openProcessAi(config, redact, store),
    fingerprintKey: (await readInstance(store, now())).key,
    ...defined({ advisories }),
  };
  return {
    dependencies,
    [Symbol.asyncDispose]: async () => {
      await closeStore(store);
      await removeFolder(scratchRoot);
    },
  };
}

async function openOwn(path: string, { workTree }: Checkout, redact: Redact) {
  try {
    return await openStore({ url: `file:${path}`, processName: "forge run", redact });
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "database_in_use") throw error;
    const pid = error.context.pid === undefined ? "" : ` (pid ${error.context.pid})`;
    const how = "Wait for it, stop it with Ctrl-C there, or use another --data.";
    const options = { source: "resource", recoverability: "manual", cause: error } as const;
    throw new ForgeError("run_at_work", `Another forge run is at work on ${workTree}${pid}. ${how}`, options);
  }
}
