import type { Redact } from "../../safety/redact.ts";
import type { SandboxResult } from "../../workspace/sandbox/sandbox.ts";
import { cleanText } from "../data/clean-text.ts";
import { cutMiddle } from "../data/cut.ts";
import { fenceData } from "../data/fence-data.ts";

const STDOUT_CHARACTERS = 14_000;
const STDERR_CHARACTERS = 6_000;

/** Colours and movements of the cursor, which some programs print whatever they are told. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPE_SEQUENCE = /\u001b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[()][A-Z0-9])/g;

/** Both outputs of a program, each between marks and cut in its middle. */
export function showOutput({ stdout, stderr }: Pick<SandboxResult, "stdout" | "stderr">, redact: Redact): string {
  const parts = [
    show("stdout", stdout, STDOUT_CHARACTERS, redact),
    show("stderr", stderr, STDERR_CHARACTERS, redact),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "It printed nothing." : parts.join("\n");
}

function show(name: string, output: Buffer, maxCharacters: number, redact: Redact): string | undefined {
  const text = output
    .toString("utf8")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(/\r(?!\n)/g, "\n")
    .trimEnd();
  if (text === "") return undefined;
  const { lines, leftOut } = cleanText(text, { redact, prose: false });
  const { lines: shown, left } = cutMiddle(lines, maxCharacters);
  const more =
    left === 0
      ? undefined
      : `Cut here: ${left} of ${lines.length} lines of ${name} are not shown. Run it again so that it prints less: one file, a filter, a quiet option.`;
  return [fenceData(name, shown.join("\n")), more, leftOut].filter((part) => part !== undefined).join("\n");
}
