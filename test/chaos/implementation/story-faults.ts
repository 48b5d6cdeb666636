import { deliveryFaults, differences } from "../violations.ts";
import type { ImplementWorld } from "./implement-world.ts";
import { type Outcome, outcomeOf, storeFaults } from "./outcome.ts";
import { retriesOf } from "./people.ts";
import type { Told } from "./tell-story.ts";

/** How the story ends when nobody is killed. */
export interface Expected {
  readonly outcome: Outcome;
  readonly calls: readonly string[];
}

/** What was done twice where people had it tried again is in these; all else is as if it never had been. */
const TOLD_OF_RETRIES: ReadonlySet<keyof Outcome> = new Set(["comments", "checks", "events"]);

/** Everything that is not as it has to be after the story, whoever was killed meanwhile; empty when all is well. */
export async function storyFaults(world: ImplementWorld, told: Told, expected: Expected): Promise<string[]> {
  const { chaos } = world;
  const seen = await outcomeOf(chaos, told.asked);
  const retries = retriesOf(chaos.github, told.asked);
  const parts = (Object.keys(seen) as (keyof Outcome)[]).filter((part) => retries === 0 || !TOLD_OF_RETRIES.has(part));
  return [
    ...parts.flatMap((part) => partFaults(part, expected.outcome[part], seen[part])),
    ...callFaults(told, expected.calls, retries),
    ...chaos.github.referee.findings.map(({ detail }) => `referee: ${detail}`),
    ...(await chaos.read((store) => storeFaults(store, told.asked))),
    ...(await chaos.read((store) => deliveryFaults(store, chaos))),
  ];
}

function partFaults(part: string, expected: readonly string[], seen: readonly string[]): string[] {
  const found = differences(part, expected, seen).filter((text) => !text.includes(" twice: "));
  if (found.length > 0) return found;
  return JSON.stringify(expected) === JSON.stringify(seen)
    ? []
    : [`${part} are not the same, or not in the same order: ${JSON.stringify(seen)}`];
}

/** No call is paid for twice but the one in flight: each kill may add one (PIPE-7), and a retry those of a phase. */
function callFaults({ calls, kills }: Told, expected: readonly string[], retries: number): string[] {
  const left = [...expected];
  const more = calls.filter((call) => {
    const index = left.indexOf(call);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return [
    ...left.map((call) => `a call was never made: ${call}`),
    ...(more.length > kills && retries === 0
      ? [`${more.length} calls too many for ${kills} kills: ${more.join(", ")}`]
      : []),
  ];
}
