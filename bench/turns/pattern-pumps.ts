import { findForeignLine } from "../../src/analysis/dependencies/lock-text.ts";
import { readGoMod } from "../../src/analysis/dependencies/read-go-locks.ts";
import { readPnpmLock } from "../../src/analysis/dependencies/read-pnpm-lock.ts";
import { commandLines } from "../../src/pipeline/commands/command-lines.ts";
import { codeSpan, fence, isSuggestable } from "../../src/safety/code-text.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { packagePlans } from "../../src/workspace/install/package-plan.ts";
import type { GrowthCase } from "./growth.ts";

/** A beginning, a part as often as the size asks, and an ending that does not fit. */
type Pump = readonly [beginning: string, part: string, ending: string];

function pumped(
  group: string,
  size: number,
  pumps: readonly Pump[],
  work: (text: string) => unknown,
): readonly GrowthCase[] {
  return pumps.map(([beginning, part, ending]) => ({
    group,
    name: `${group}: ${JSON.stringify(`${beginning.slice(0, 40)}${part}…${ending}`)}`,
    size,
    work: (length: number) => work(`${beginning}${part.repeat(Math.ceil(length / part.length))}${ending}`),
  }));
}

const KEY = "-----BEGIN PRIVATE KEY-----";
const inCode = (text: string) => [codeSpan(text), fence(text), isSuggestable(text)];
const planOf = (text: string) => packagePlans(new Map([["requirements.txt", text]]), "2026-01-31", ["pypi.org"]);

/** Texts that made a pattern slow before it was rewritten (SEC-8). */
export const PATTERN_PUMPS: readonly GrowthCase[] = [
  ...pumped("commands", 65_000, [["/forge", " ", "\u2028x"]], commandLines),
  ...pumped(
    "redaction",
    300_000,
    [
      [`/forge help\n${KEY.repeat(60)}\nA`, "+", "!"],
      ["", `curl ${"\\\r".repeat(100)}|`, ""],
      ["", `Comment: ${KEY}\n`, ""],
      ["", `${KEY}A`, `\nA${"+".repeat(19_900)}!`],
    ],
    createRedactor([]),
  ),
  ...pumped(
    "code",
    100_000,
    ["\r", "\u2028", " \r"].map((part): Pump => ["", part, "x"]),
    inCode,
  ),
  ...pumped(
    "lines of a lock file",
    800_000,
    [
      ["lockfileVersion: '9.0'\n", " ", "x: y"],
      ["lockfileVersion: '9.0'\n  a", ": ", "\u2028"],
      ["lockfileVersion: '9.0'\n  a", ": |", "#"],
    ],
    (text) => findForeignLine("pnpm-lock.yaml", text),
  ),
  ...pumped(
    "keys of pnpm",
    300_000,
    [
      ["lockfileVersion: 9\npackages:\n  a", ": ", "x\n"],
      ["lockfileVersion: 9\npackages:\n  a", "(", "\u2028:\n"],
    ],
    readPnpmLock,
  ),
  ...pumped("modules of Go", 300_000, [["require (\n", "//", "\u2028\n"]], readGoMod),
  ...pumped(
    "comments of requirements",
    100_000,
    [
      ["requests", " #", "\u2028\n"],
      ["", `requests${" >1".repeat(100)}!\n`, ""],
    ],
    planOf,
  ),
];
