import { readFileSync, writeFileSync } from "node:fs";
import type { Verdict } from "./judge-pattern.ts";

const FILE = new URL("verdicts.json", import.meta.url);

/** The committed verdicts, by the pattern as a literal. */
export function readVerdicts(): ReadonlyMap<string, Verdict> {
  const written = JSON.parse(readFileSync(FILE, "utf8")) as Readonly<Record<string, string>>;
  return new Map(
    Object.entries(written).map(([pattern, text]) => {
      const [verdict, complexity] = text.split(": ") as [Verdict["verdict"], string];
      return [pattern, { verdict, complexity }];
    }),
  );
}

/** Writes one line for each pattern, sorted. */
export function writeVerdicts(verdicts: ReadonlyMap<string, Verdict>): void {
  const lines = [...verdicts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([pattern, { verdict, complexity }]) => `  ${JSON.stringify(pattern)}: "${verdict}: ${complexity}"`);
  writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
}
