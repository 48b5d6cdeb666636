import { html } from "hono/html";
import type { PageBehind } from "../actions/action.ts";
import type { PageAsked } from "../page-route.ts";
import type { Markup } from "./layout.ts";

export interface FormAsked {
  readonly asked: Pick<PageAsked, "visitor">;
  /** The run that is acted on. */
  readonly runId: string;
  /** The page that the person sees next. */
  readonly back: PageBehind;
  /** What the person does not choose. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of an action: with the token of this session, so that no page of others can send one. */
export function actionForm({ asked, runId, back, fields }: FormAsked, content: Markup): Markup {
  const all = { token: asked.visitor.formToken, run: runId, back, ...fields };
  return html`<form method="post" action="/actions" class="answer">${Object.entries(all).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${content}</form>`;
}
