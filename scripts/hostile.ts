// Lets everything hostile loose on the whole program, kills it after each, starts it again, and says what held.
//   npm run hostile -- [--seed 1] [--class <name>] [--only <part of a payload's name>] [--programs 2] [--each] [--show] [--spare] [--list]
// --spare leaves the program alive after each, which is quicker; --show prints what people read of it.
import { parseArgs } from "node:util";
import { CLASSES } from "../test/hostile/classes.ts";
import { createArena, unboxed } from "../test/hostile/program/arena.ts";
import type { Payload } from "../test/hostile/program/payload.ts";
import { postedOn } from "../test/hostile/program/posted.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    class: { type: "string", default: "" },
    only: { type: "string", default: "" },
    programs: { type: "string", default: "2" },
    each: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    spare: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

interface Turn {
  readonly of: string;
  readonly payload: Payload;
  state: "waiting" | "held" | "broken" | "not run";
}

const turns: Turn[] = CLASSES.filter(({ name }) => name.startsWith(values.class)).flatMap(({ name, payloads }) =>
  payloads(Number(values.seed))
    .filter((payload) => payload.name.includes(values.only))
    .map((payload) => ({ of: name, payload, state: "waiting" as const })),
);
if (values.list) {
  for (const { of, payload } of turns) console.log(`${of}: ${payload.name}: ${payload.does}`);
  process.exit(0);
}
const queue = [...turns];
let brokenAfterwards = 0;
await Promise.all(Array.from({ length: Number(values.programs) }, work));
report();
process.exit(turns.every(({ state }) => state !== "broken") && brokenAfterwards === 0 ? 0 : 1);

/** One program takes the next payload until there is none. */
async function work(): Promise<void> {
  const arena = createArena({
    spared: values.spare,
    ...(values.show ? { onSeen: (seen) => console.log(postedOn(seen)) } : {}),
  });
  for (let turn = queue.shift(); turn !== undefined; turn = queue.shift()) {
    if (turn.payload.needsSandbox === true && unboxed !== undefined) {
      turn.state = "not run";
      continue;
    }
    const began = performance.now();
    const faults = await arena.run(turn.payload);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (values.each) console.log(`${turn.of}: ${turn.payload.name}: ${faults.length} faults, ${seconds} s`);
    turn.state = faults.length === 0 ? "held" : "broken";
    if (faults.length > 0) say(`${turn.of}: ${turn.payload.name}`, turn.payload.does, faults);
  }
  const faults = await arena.end();
  if (faults.length > 0) brokenAfterwards += 1;
  if (faults.length > 0) say("afterwards", "an honest change", faults);
}

function say(what: string, does: string, faults: readonly string[]): void {
  console.log(`BROKEN ${what} (it ${does})\n${faults.map((fault) => `    ${fault}`).join("\n")}`);
}

function report(): void {
  const names = [...new Set(turns.map(({ of }) => of))];
  const count = (of: string | undefined, state?: Turn["state"]) =>
    turns.filter((turn) => (of === undefined || turn.of === of) && (state === undefined || turn.state === state))
      .length;
  const row = (name: string, of: string | undefined) =>
    console.log(
      [
        name.padEnd(14),
        ...[count(of), count(of, "held"), count(of, "broken"), count(of, "not run")].map((each) =>
          `${each}`.padStart(9),
        ),
      ].join(""),
    );
  console.log(`${"class".padEnd(14)} payloads     held   broken  not run`);
  for (const name of names) row(name, name);
  row("all", undefined);
  const seconds = Math.round(performance.now() / 1000);
  console.log(`seed ${values.seed}, ${seconds} s${unboxed === undefined ? "" : `; not run: ${unboxed}`}`);
}
