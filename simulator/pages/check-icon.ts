import type { CheckRun } from "../records.ts";
import { type Html, html } from "./html.ts";

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  success: ["good", "✓"],
  failure: ["bad", "✗"],
  action_required: ["warn", "!"],
  neutral: ["dim", "■"],
  skipped: ["dim", "⊘"],
  cancelled: ["dim", "⊗"],
  timed_out: ["bad", "⏱"],
};

export function checkIcon({ status, conclusion }: Pick<CheckRun, "status" | "conclusion">): Html {
  const [kind, sign] = (status === "completed" && SIGNS[conclusion ?? ""]) || ["running", "●"];
  return html`<span class="icon ${kind}" title="${conclusion ?? status}">${sign}</span>`;
}

export function checkWords({ status, conclusion }: Pick<CheckRun, "status" | "conclusion">): string {
  return (conclusion ?? status).replaceAll("_", " ");
}
