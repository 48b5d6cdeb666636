import { resolve } from "node:path";
import { appFileIn, keepVariables, linesOf, variablesOf } from "../setup/app-file.ts";
import type { RegisteredApp } from "../setup/convert-code.ts";
import type { Place } from "../setup/place.ts";
import { serveSetUp } from "../setup/serve-set-up.ts";
import { readSetUpConfig } from "./config.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface SetUpHow {
  /** Lines for the person at the terminal, never for a log. */
  readonly say: (text: string) => void;
  /** Print what GitHub tells of the App instead of keeping it in the data folder. */
  readonly isPrinted: boolean;
  readonly signal: AbortSignal;
}

/**
 * Has a person register the App by the page whose link is said (OPS-5).
 * @returns the environment with the App and the port that GitHub was told of; undefined when `signal` ended it before.
 */
export async function setUp(
  environment: Variables,
  { say, isPrinted, signal }: SetUpHow,
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
  const page = await serveSetUp({ host, port, known, keep });
  const { promise: ended, resolve: end } = Promise.withResolvers<"ended">();
  signal.addEventListener("abort", () => end("ended"), { once: true });
  if (signal.aborted) end("ended");
  say(`Forge has no GitHub App yet. Open this link to register one; it is good once, for an hour:\n\n  ${page.link}\n`);
  const outcome = await Promise.race([page.registered, ended]);
  await page.stop();
  if (outcome === "ended") return undefined;
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return { ...variables, ...given, PORT: String(page.port) };
}
