import { html } from "hono/html";
import type { AppUse } from "../github/permissions.ts";
import { manifestOf, registrationAddress } from "./manifest.ts";
import type { Place } from "./place.ts";
import { reasonsFor, USES } from "./uses.ts";

/** A page that is opened as a file, on any machine with a browser. It holds no secret but `state`, which is good for one registration. */
export function registerFile(place: Place, use: AppUse, state: string): string {
  const reasons = reasonsFor(use).map(
    ([permission, reason]) => html`<dt><code>${permission}</code></dt><dd>${reason}</dd>`,
  );
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Register the GitHub App · Forge</title>
</head>
<body><main><h1>Register the GitHub App</h1>
<p>${USES[use].title}. ${USES[use].does} ${USES[use].without ?? ""}</p>
<dl>${reasons}</dl>
<form method="post" action="${registrationAddress(place, state)}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifestOf(place, place.address, use))}">
<p><button>Register the App</button></p></form>
<p>GitHub asks once more, and then sends the browser to <code>${place.address}</code>. That page does not have to load: copy its whole address from the
browser, and paste it where <code>forge register</code> waits.</p>
</main></body>
</html>
`}`;
}

/** What GitHub sent the browser back with, from the pasted address: the code, or what is wrong with it. */
export function readReturn(pasted: string, state: string): { readonly code: string } | { readonly problem: string } {
  const url = URL.parse(pasted.trim());
  const code = url?.searchParams.get("code");
  if (!code)
    return {
      problem: "That is not the address that GitHub sent the browser to: it has `?code=` in it. Copy the whole of it.",
    };
  if (url?.searchParams.get("state") !== state)
    return {
      problem:
        "That address is of another registration. Open the file that was written now, and paste the address to which it leads.",
    };
  return { code };
}
