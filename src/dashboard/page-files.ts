import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Nothing but our own style sheet and script, and forms that lead here: whatever gets into a page does nothing. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** A file of this folder, under a path that is another one when it changes. */
function asset(name: string, type: string): { readonly path: string; readonly type: string; readonly text: string } {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
  return { path: `/-/${createHash("sha256").update(text).digest("hex").slice(0, 16)}/${name}`, type, text };
}

export const STYLE = asset("style.css", "text/css");
export const SCRIPT = asset("live.js", "text/javascript");

/** What goes with every page. `url`: where people reach this Forge. */
export function headersFor(url: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    ...(url.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}
