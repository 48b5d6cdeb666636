import { ask } from "../ask.ts";
import type { Telling } from "../telling.ts";

/** What people did with what Forge said, in numbers with their samples, and what Forge may do by itself. */
export async function counted(telling: Telling, number: number): Promise<void> {
  const { screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("What people did with it is counted, and decides how much Forge may do by itself");
  const metrics = await ask(telling, number, "mia", "/forge metrics");
  expect("dismissals are counted, with their sample", /\| findings dismissed \| \d+ of \d+ /.test(metrics), true);
  const level = await ask(telling, number, "mia", "/forge level");
  expect("Forge suggests, and does nothing else", level.includes("**Level 1: Forge suggests, people decide.**"), true);
}
