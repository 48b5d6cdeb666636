import type { ConfigurationFacts, InstructionFacts } from "../../domain/answers.ts";
import { foreignCode, foreignLine, type Wording } from "./wording.ts";

const ORIGINS = {
  default: "default",
  organisation: "the organisation's `.github` repository",
  repository: "`.github/forge.yml`",
} as const;

/** `/forge config`: each setting in force, with where its value comes from; what somebody set stands first. */
export function configurationText({ settings, problems, instructions }: ConfigurationFacts, wording: Wording): string {
  const set = settings.filter(({ from }) => from !== "default");
  const defaults = settings.filter(({ from }) => from === "default");
  const rows = [...set, ...defaults].map(({ name, value, from }) => {
    const shown = foreignCode(value, wording, { table: true });
    return `| ${foreignCode(name, wording, { table: true })} | ${shown} | ${ORIGINS[from]} |`;
  });
  const first =
    set.length === 0 ? "**Nothing is configured**: every value is the default." : "**Configuration in force.**";
  return [
    ...problems.map((problem) => `**Mistake**: ${foreignLine(problem, wording)}`),
    first,
    ["| setting | value | from |", "|---|---|---|", ...rows].join("\n"),
    ...(instructions ? instructionLines(instructions, wording) : []),
  ].join("\n\n");
}

/** What is found is said although nothing uses it yet: whoever keeps such files will ask. */
function instructionLines({ found, leftOut, truncated }: InstructionFacts, wording: Wording): string[] {
  if (found.length + leftOut.length === 0) return [];
  const names = found.map((path) => foreignCode(path, wording));
  const left = leftOut.map(({ path, reason }) => `${foreignCode(path, wording)} (${reason})`);
  return [
    [
      `**Instruction files**: ${names.length > 0 ? names.join(", ") : "none that can be used"}.`,
      ...(left.length > 0 ? [`Left out: ${left.join(", ")}.`] : []),
      ...(truncated ? ["There may be more: GitHub listed a part of the files only."] : []),
      "Nothing reads them yet: no model is used.",
    ].join(" "),
  ];
}
