import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMAND_NAMES, COMMANDS } from "../../../src/domain/commands.ts";

const FACTS = "src/pipeline/commands/command-facts.ts";

/** Commands that a text names in quotes. */
const namedIn = (text: string) => COMMAND_NAMES.filter((name) => text.includes(`"${name}"`));

it("GH-4: which facts a command needs is said in its row, and the file that reads facts names no command", () => {
  expect(namedIn(readFileSync(FACTS, "utf8"))).toEqual([]);
  expect(namedIn('named(given, "level")')).toEqual(["level"]);
});

it("GH-4: every fact that a command needs is read where the command can be given", () => {
  const text = readFileSync(FACTS, "utf8");
  const needed = new Set(COMMAND_NAMES.flatMap((name) => COMMANDS[name].needs ?? []));
  expect([...needed].filter((fact) => !new RegExp(`\\b${fact}: |"${fact}"|\\{ ${fact} \\}`).test(text))).toEqual([]);
});
