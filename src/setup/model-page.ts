import { html } from "hono/html";
import { MODEL_PATH } from "./manifest.ts";
import { page } from "./pages.ts";

export interface ModelQuestion {
  /** Of the visit: a form of another site does not know it. */
  readonly state: string;
  /** What was done before, a sentence each. */
  readonly said: readonly string[];
  readonly problems: readonly string[];
  /** What the person wrote, to correct it. The key is never sent back. */
  readonly typed: URLSearchParams;
}

/** Asks for a model, and tries it once (OPS-5). */
export function modelPage({ state, said, problems, typed }: ModelQuestion): string {
  const value = (name: string) => typed.get(name) ?? "";
  const isOpen = typed.get("provider") === "openai";
  const choice = (name: string, label: string, isChosen: boolean) =>
    html`<p><label><input type="radio" name="provider" value="${name}" ${isChosen ? "checked" : ""}> ${label}</label></p>`;
  const hidden = html`<input type="hidden" name="state" value="${state}">`;
  const body = html`${said.map((each) => html`<p>${each}</p>`)}
${problems.map((problem) => html`<p class="problem" role="alert">${problem}</p>`)}
<p>With a model, Forge reads changes, plans and implements issues. Without one, reviews have the static analysis and the search for
security faults, and say that no model read the change. You can set one up later.</p>
<form method="post" action="${MODEL_PATH}">${hidden}
<fieldset><legend>Interface</legend>
${choice("anthropic", "Claude", !isOpen)}
${choice("openai", "OpenAI, or a service with its interface: Ollama, vLLM, OpenRouter, a proxy", isOpen)}
</fieldset>
<p><label for="key">Key</label><input id="key" name="key" type="password" autocomplete="off" spellcheck="false"></p>
<p><label for="address">Address, if it is not the provider's own</label><input id="address" name="address" value="${value("address")}"></p>
<details><summary>Names of models</summary>
<p><label for="model">For hard work, if not the default</label><input id="model" name="model" value="${value("model")}"></p>
<p><label for="fast">For reading, if not the default</label><input id="fast" name="fast" value="${value("fast")}"></p>
</details>
<p>Forge asks each model for one word now, to see whether it answers.</p>
<p><button class="main">Try it and go on</button></p></form>
<form method="post" action="${MODEL_PATH}">${hidden}<input type="hidden" name="without" value="">
<p><button>Go on without a model</button></p></form>`;
  return page("Set up a model", body);
}
