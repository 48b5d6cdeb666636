import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";

/** Why nothing that models found was shown by running it, where there was something to show (REV-4, SEC-1). */
export async function noteUntried(observations: readonly unknown[], open = openSandbox): Promise<string[]> {
  if (observations.length === 0) return [];
  const sandbox = await open();
  if (!("unavailable" in sandbox)) return [];
  return [`Nothing that the AI layer found was tried, as there is no sandbox here: ${sandbox.unavailable}`];
}
