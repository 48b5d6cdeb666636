import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES, COMMANDS, type CommandNeed, NEEDS } from "../../../src/domain/commands.ts";

const FACTS = "src/pipeline/commands/command-facts.ts";
const PLACES = Object.keys(NEEDS) as (keyof typeof NEEDS)[];

/** Where the facts of a command are read, by where it can be given. An answer at a gate may go to an environment from anywhere. */
const READ_FOR: Readonly<Record<(typeof COMMANDS)[keyof typeof COMMANDS]["on"], readonly (keyof typeof NEEDS)[]>> = {
  pull_request: ["before", "anywhere", "pull"],
  issue: ["before", "anywhere", "issue"],
  work: ["before", "anywhere", "issue"],
  both: ["before", "anywhere", "pull", "issue"],
  environment: ["environment"],
};

/** Commands that a text names in quotes. */
const namedIn = (text: string) => COMMAND_NAMES.filter((name) => text.includes(`"${name}"`));

const placeOf = (need: CommandNeed) => PLACES.filter((place) => (NEEDS[place] as readonly string[]).includes(need));

it("GH-4: which facts a command needs is said in its row, and the file that reads facts names no command", () => {
  expect(namedIn(readFileSync(FACTS, "utf8"))).toEqual([]);
  expect(namedIn('named(given, "level")')).toEqual(["level"]);
});

// That each fact of a place has a reader there is what the compiler asks for; what it cannot see is here.
describe("GH-4: each fact that a command may need", () => {
  const needed = COMMAND_NAMES.flatMap((name) => COMMANDS[name].needs.map((need) => ({ name, need })));

  it.each(PLACES.flatMap((place) => NEEDS[place].map((need) => ({ need, place }))))(
    "$need is needed by a command, and read at one place: $place",
    ({ need, place }) => {
      expect(placeOf(need)).toEqual([place]);
      expect(needed.filter((one) => one.need === need)).not.toEqual([]);
    },
  );

  it.each(needed)("$name is given where its $need is read", ({ name, need }) => {
    expect(READ_FOR[COMMANDS[name].on]).toContain(placeOf(need)[0]);
  });

  it("has its place's readers asked for", () => {
    const asked = [...readFileSync(FACTS, "utf8").matchAll(/ gather\("(\w+)", given, /g)].map(([, place]) => place);
    expect(["before", ...asked].sort()).toEqual([...PLACES].sort());
  });
});
