import { fetchBubblewrap } from "../../src/workspace/sandbox/fetch-bubblewrap.ts";

let done: Promise<void> | undefined;

/** Once before all tests: on a Debian or Ubuntu without bubblewrap it comes along, as it does for the demo. */
export function setup(): Promise<void> {
  done ??= bring();
  return done;
}

async function bring(): Promise<void> {
  const outcome = await fetchBubblewrap();
  if (outcome.state !== "present") process.stderr.write(`Sandbox: ${outcome.detail}.\n`);
}
