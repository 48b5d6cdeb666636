import { withFullStop } from "../github/words/wording.ts";
import { addVariables, appFileIn, keepVariables, linesOf, variablesOf } from "../setup/app-file.ts";
import type { ModelSetUp, SetUpOptions } from "../setup/ports.ts";
import { examineModels } from "./examine-models.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What comes of setting up, in the data folder or printed. */
export interface Keeper {
  readonly keep: SetUpOptions["keep"];
  readonly keepModel: ModelSetUp["keep"];
  /** All that was kept or printed. */
  readonly variables: () => Variables;
}

/** Where nothing can be written, everything is printed: GitHub tells it once. `say`: lines for the person at the terminal, never for a log. */
export function createKeeper(folder: string, isPrinted: boolean, say: (text: string) => void): Keeper {
  const file = appFileIn(folder);
  let variables: Variables = {};
  return {
    variables: () => variables,
    keep: async (app, place) => {
      variables = variablesOf(app, place);
      const print = (why: string) => say(`\n${why} Set this where Forge is started:\n\n${linesOf(variables)}`);
      if (isPrinted) {
        print("The App is registered.");
        return "Its secrets were printed where Forge was started. Set them there: they are printed only once.";
      }
      try {
        await keepVariables(file, folder, variables);
        say(`The App ${app.slug} is registered; its key and secrets are in ${file}. Keep that file secret.`);
        return "Its key and secrets are kept in the data folder of Forge, in app.env.";
      } catch (error) {
        print(`The App is registered, but ${file} could not be written: ${(error as Error).message}.`);
        return "Its key and secrets could not be written to the data folder, so they were printed where Forge was started. Set them there: they are printed only once.";
      }
    },
    keepModel: async (chosen) => {
      variables = { ...variables, ...chosen };
      const print = (why: string) => say(`\n${why} Set this where Forge is started:\n\n${linesOf(chosen)}`);
      try {
        if (!isPrinted) await addVariables(file, chosen);
        if (!isPrinted) return "The model is kept in the data folder of Forge too, in app.env.";
        print("The model answers.");
      } catch (error) {
        print(`The model answers, but ${file} could not be written: ${(error as Error).message}.`);
      }
      return "What the model needs was printed where Forge was started. Set it there: it is not kept.";
    },
  };
}

/** Asks the models once, as `forge doctor` does; without any secret in what is said. */
export async function tryModels(environment: Variables): ReturnType<ModelSetUp["try"]> {
  const said: string[] = [];
  let works = true;
  for await (const { what, state, detail } of examineModels(environment)) {
    works &&= state === "ok";
    said.push(state === "ok" ? `The ${what} ${detail}.` : `The ${what}: ${withFullStop(detail)}`);
  }
  return { works, said };
}
