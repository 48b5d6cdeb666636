import { resolve } from "node:path";
import { serveSetUp } from "../setup/serve-set-up.ts";
import { hasModels, readSetUpConfig } from "./config.ts";
import { createKeeper, tryModels } from "./keep-app.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface SetUpHow {
  /** Lines for the person at the terminal, never for a log. */
  readonly say: (text: string) => void;
  /** Print what GitHub tells of the App instead of keeping it in the data folder. */
  readonly isPrinted: boolean;
  /** Milliseconds in which a model may be chosen; 10 minutes when left out. */
  readonly modelMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Has a person register the App, and set up a model where none is, by the pages whose link is said (OPS-5).
 * @returns the environment with the App, the model and the port that GitHub was told of; undefined when `signal` ended it before.
 */
export async function setUp(
  environment: Variables,
  { say, isPrinted, modelMs = MODEL_MS, signal }: SetUpHow,
): Promise<Variables | undefined> {
  const { host, port, dataDirectory, known } = readSetUpConfig(environment);
  const keeper = createKeeper(resolve(dataDirectory), isPrinted, say);
  const asksModel = !hasModels(environment);
  const model = {
    try: (chosen: Variables) => tryModels({ ...environment, ...chosen }),
    keep: keeper.keepModel,
    waitMs: modelMs,
  };
  const page = await serveSetUp({ host, port, known, keep: keeper.keep, ...(asksModel ? { model } : {}) });
  const { promise: ended, resolve: end } = Promise.withResolvers<"ended">();
  signal.addEventListener("abort", () => end("ended"), { once: true });
  if (signal.aborted) end("ended");
  say(`Forge has no GitHub App yet. Open this link to register one; it is good once, for an hour:\n\n  ${page.link}\n`);
  if (asksModel)
    void page.registered.then(() =>
      say(
        `Choose a model on the page, or none. Forge starts then, or in ${Math.ceil(modelMs / 60_000)} minutes without one.`,
      ),
    );
  const outcome = await Promise.race([page.done, ended]);
  await page.stop();
  if (outcome === "ended") return undefined;
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return { ...keeper.variables(), ...given, PORT: String(page.port) };
}

const MODEL_MS = 10 * 60_000;
