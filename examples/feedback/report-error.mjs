// Reports an error of production to Forge's door of the kind `plain`: node report-error.mjs
// A service calls reportError() in its handler of errors. It needs
//   FORGE_DOOR      https://<Forge's host>/api/feedback/own
//   FORGE_SECRET    the secret in own.secret, 16 characters or more
//   RELEASE         the commit that runs
import { createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";

export async function reportError(error, { count, users } = {}) {
  const body = JSON.stringify({
    project: "shop",
    type: error.name,
    message: error.message,
    stack: error.stack,
    sha: process.env.RELEASE,
    count,
    users,
  });
  // Forge refuses a time that is more than five minutes off. The signature covers the time and the bytes of the body.
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", process.env.FORGE_SECRET).update(`${time}.${body}`).digest("hex");
  const response = await fetch(process.env.FORGE_DOOR, {
    method: "POST",
    headers: { "x-forge-timestamp": time, "x-forge-signature-256": `sha256=${signature}` },
    body,
  });
  if (response.status !== 202) throw new Error(`Forge answered ${response.status}: ${await response.text()}`);
}

// Run by itself, it reports an example.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await reportError(new TypeError("no price for this item"), { count: 12, users: 3 });
