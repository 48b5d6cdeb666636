import type { PlacedEvent } from "../../../domain/events.ts";
import { replayImplementation } from "../../implement/evolve.ts";
import { replay } from "../../review/evolve.ts";

/** What a run had come to after these events, by name: what its phases made, without what is counted or who asked. */
export function outputsOf(events: readonly PlacedEvent[]): Readonly<Record<string, unknown>> {
  const [first] = events;
  if (first?.type === "run.started" && first.payload.kind === "implement") {
    const run = replayImplementation(events);
    if (!run) return {};
    const { configuration, base, plan, tasksDone, work, branch, pushed, pull, reviewed, tests, answers, feedback } =
      run;
    const { instructions, gates } = run;
    return present({
      ...{ configuration, base, plan, work, branch, pushed, pull, reviewed, tests },
      ...{ tasksDone: some(tasksDone), answers: some(answers), feedback: some(feedback) },
      ...{ instructions: some(instructions), gates: some(gates) },
    });
  }
  const run = replay(events);
  if (!run) return {};
  const { ends, gates = [] } = run;
  return present({
    ends,
    review: "review" in run ? run.review : undefined,
    risk: "risk" in run ? run.risk : undefined,
    gates: some(gates),
  });
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function present(outputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== undefined));
}
