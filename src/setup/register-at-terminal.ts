import { randomBytes } from "node:crypto";
import { ForgeError } from "../domain/errors.ts";
import type { AppUse } from "../github/permissions.ts";
import { canTryAgain, convertCode, type RegisteredApp } from "./convert-code.ts";
import { readModelChoice } from "./model-choice.ts";
import type { Place } from "./place.ts";
import type { ModelSetUp, SetUpOptions } from "./ports.ts";
import { readReturn, registerFile } from "./register-file.ts";

/** The person at the terminal. */
export interface Asker {
  /** The next line; undefined at the end of the input. `isSecret`: what is typed is not shown. */
  readonly ask: (question: string, isSecret?: boolean) => Promise<string | undefined>;
  readonly say: (text: string) => void;
}

export interface Registration extends Asker, Pick<SetUpOptions, "keep" | "answerMs"> {
  readonly place: Place;
  readonly use: AppUse;
  /** Writes the page to open, and says where. */
  readonly writeFile: (text: string) => Promise<string>;
  /** Left out where a model is set up already. */
  readonly model?: Pick<ModelSetUp, "try" | "keep">;
}

/**
 * Registers the App from a machine without a browser (OPS-5): a file is opened on another one, and the address that GitHub sends that browser
 * to is pasted here.
 * @returns the App; undefined when the person stopped
 * @throws ForgeError `set_up_answer_wrong` for what is not the App that was asked for
 */
export async function registerAtTerminal(registration: Registration): Promise<RegisteredApp | undefined> {
  const { place, use, say, writeFile, keep, model } = registration;
  const state = randomBytes(32).toString("base64url");
  const file = await writeFile(registerFile(place, use, state));
  say(`Open this file in a browser, on any machine, and press the button:\n\n  ${file}\n`);
  say("GitHub then sends the browser to an address of Forge. That page does not have to load.");
  const app = await takeAddress(registration, state);
  if (app === undefined) return undefined;
  say(await keep(app, place));
  if (model !== undefined) await chooseModel(registration, model);
  return app;
}

async function takeAddress(registration: Registration, state: string): Promise<RegisteredApp | undefined> {
  const { ask, say, place, use, answerMs } = registration;
  for (;;) {
    const pasted = await ask("Paste its whole address here: ");
    if (pasted === undefined) return undefined;
    const read = readReturn(pasted, state);
    if ("problem" in read) {
      say(read.problem);
      continue;
    }
    try {
      return await convertCode(read.code, { place, use }, answerMs);
    } catch (error) {
      if (!(error instanceof ForgeError) || !canTryAgain(error)) throw error;
      say(error.message);
    }
  }
}

async function chooseModel({ ask, say }: Asker, model: Pick<ModelSetUp, "try" | "keep">): Promise<void> {
  say("\nWith a model, Forge reads changes, plans and implements issues. You can set one up later.");
  for (;;) {
    const provider = (await ask("Interface, claude or openai; nothing for no model: "))?.trim().toLowerCase();
    if (!provider) return;
    if (provider !== "claude" && provider !== "openai") {
      say("Write claude or openai. Ollama, vLLM, OpenRouter and most proxies have the interface of OpenAI.");
      continue;
    }
    const form = new URLSearchParams({ provider: provider === "openai" ? "openai" : "anthropic" });
    form.set("key", (await ask("Key (not shown): ", true)) ?? "");
    form.set("address", (await ask("Address, if it is not the provider's own: ")) ?? "");
    form.set("model", (await ask("Name of the model, if not the default: ")) ?? "");
    const { variables, problems } = readModelChoice(form);
    const tried = problems.length > 0 ? { works: false, said: problems } : await model.try(variables);
    for (const each of tried.said) say(each);
    if (!tried.works) continue;
    say(await model.keep(variables));
    return;
  }
}
