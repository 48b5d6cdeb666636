import { fetchBubblewrap } from "../../src/workspace/sandbox/fetch-bubblewrap.ts";

let done: Promise<void> | undefined;

/**
 * Once before all tests: fetches bubblewrap on a Debian or Ubuntu without it, as the demo does. `npm run test:room` leaves that out for a room
 * that runs nothing in a sandbox.
 */
export async function setup(): Promise<void> {
  if (process.env.FORGE_TEST_NO_SANDBOX === "1") return;
  done ??= bring();
  return done;
}

async function bring(): Promise<void> {
  const outcome = await fetchBubblewrap();
  if (outcome.state !== "present") process.stderr.write(`Sandbox: ${outcome.detail}.\n`);
}
