import { resolve } from "node:path";
import { addVariables, appFileIn, keepVariables, linesOf, variablesOf } from "../setup/app-file.ts";
import type { RegisteredApp } from "../setup/convert-code.ts";
import type { Place } from "../setup/place.ts";
import type { ModelSetUp } from "../setup/ports.ts";
import { serveSetUp } from "../setup/serve-set-up.ts";
import { hasModels, readSetUpConfig } from "./config.ts";
import { examineModels } from "./examine-models.ts";

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
  const folder = resolve(dataDirectory);
  let variables: Variables = {};
  const keep = async (app: RegisteredApp, place: Place): Promise<string> => {
    variables = variablesOf(app, place);
    const print = (why: string) => say(`\n${why} Set this where Forge is started:\n\n${linesOf(variables)}`);
    if (isPrinted) {
      print("The App is registered.");
      return "Its secrets were printed where Forge was started. Set them there: they are told once.";
    }
    const file = appFileIn(folder);
    try {
      await keepVariables(file, folder, variables);
      say(`The App ${app.slug} is registered; its key and secrets are in ${file}. Keep that file secret.`);
      return "Its key and secrets are kept in the data folder of Forge, in app.env.";
    } catch (error) {
      print(`The App is registered, but ${file} could not be written: ${(error as Error).message}.`);
      return "Its key and secrets could not be written to the data folder, so they were printed where Forge was started. Set them there: they are told once.";
    }
  };
  const keepModel = async (chosen: Readonly<Record<string, string>>): Promise<string> => {
    variables = { ...variables, ...chosen };
    const file = appFileIn(folder);
    try {
      if (!isPrinted) await addVariables(file, chosen);
      if (!isPrinted) return "The model is kept in the data folder of Forge too, in app.env.";
      say(`\nThe model answers. Set this too:\n\n${linesOf(chosen)}`);
    } catch (error) {
      say(
        `\nThe model answers, but ${file} could not be written: ${(error as Error).message}. Set this where Forge is started:\n\n${linesOf(chosen)}`,
      );
    }
    return "What the model needs was printed where Forge was started. Set it there: it is not kept.";
  };
  const model = {
    try: (chosen: Variables) => tryModels({ ...environment, ...chosen }),
    keep: keepModel,
    waitMs: modelMs,
  };
  const page = await serveSetUp({ host, port, known, keep, ...(hasModels(environment) ? {} : { model }) });
  const { promise: ended, resolve: end } = Promise.withResolvers<"ended">();
  signal.addEventListener("abort", () => end("ended"), { once: true });
  if (signal.aborted) end("ended");
  say(`Forge has no GitHub App yet. Open this link to register one; it is good once, for an hour:\n\n  ${page.link}\n`);
  if (!hasModels(environment))
    void page.registered.then(() =>
      say(
        `Choose a model on the page, or none. Forge starts then, or in ${Math.ceil(modelMs / 60_000)} minutes without one.`,
      ),
    );
  const outcome = await Promise.race([page.done, ended]);
  await page.stop();
  if (outcome === "ended") return undefined;
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return { ...variables, ...given, PORT: String(page.port) };
}

const MODEL_MS = 10 * 60_000;

/** Asks the models once, as `forge doctor` does; without any secret in what is said. */
async function tryModels(environment: Variables): ReturnType<ModelSetUp["try"]> {
  const said: string[] = [];
  let works = true;
  for await (const { what, state, detail } of examineModels(environment)) {
    works &&= state === "ok";
    said.push(
      state === "ok" ? `The ${what} ${detail}.` : `The ${what}: ${withFullStop(detail)} Correct what is wrong below.`,
    );
  }
  return { works, said };
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
