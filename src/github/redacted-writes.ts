import type { Redact } from "../safety/redact.ts";
import { redactStrings } from "../safety/redact-strings.ts";
import type { Octokit } from "./app-client.ts";

/** Of a request: where it goes, and by what names GitHub knows what it is about. Everything else is shown to people. */
const NOT_SHOWN = new Set(
  "method url baseUrl headers mediaType request owner repo head_sha commit_id external_id sha ref head base".split(" "),
);

/** Forge's own marks, by which it finds its writes again. */
const MARKER = /(<!-- forge:[^<>]{1,300} -->)/;

/** Nothing that this client writes to GitHub holds a secret, whoever made the text (SEC-6): the last door before the wire. */
export function redactWrites(octokit: Octokit, redact: Redact): Octokit {
  const clean: Redact = (text) =>
    text
      .split(MARKER)
      .map((part, at) => (at % 2 === 1 ? part : redact(part)))
      .join("");
  octokit.hook.before("request", (options) => {
    if (options.method === "GET" || options.url.endsWith("/access_tokens")) return;
    for (const [name, value] of Object.entries(options)) {
      if (!NOT_SHOWN.has(name)) (options as Record<string, unknown>)[name] = redactStrings(value, clean);
    }
  });
  return octokit;
}
