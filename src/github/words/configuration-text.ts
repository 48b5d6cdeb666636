import type { ConfigurationFacts, InstructionFacts } from "../../domain/answers.ts";
import { count, foreignCode, foreignLine, type Wording } from "./wording.ts";

const ORIGINS = {
  default: "default",
  organisation: "the organisation's `.github` repository",
  repository: "`.github/forge.yml`",
} as const;

/** `/forge config`: each setting that somebody made, with where its value comes from; the defaults are folded. */
export function configurationText({ settings, problems, instructions }: ConfigurationFacts, wording: Wording): string {
  const set = settings.filter(({ from }) => from !== "default");
  const defaults = settings.filter(({ from }) => from === "default");
  const first =
    set.length === 0 ? "**Nothing is configured**: every value is the default." : "**Configuration in force.**";
  const summary = `<summary>${count(defaults.length, "default")}</summary>`;
  return [
    ...problems.map((problem) => `**Mistake**: ${foreignLine(problem, wording)}`),
    first,
    ...(set.length > 0 ? [settingsTable(set, wording)] : []),
    ...(defaults.length > 0 ? [`<details>${summary}\n\n${settingsTable(defaults, wording)}\n\n</details>`] : []),
    ...(instructions ? instructionLines(instructions, wording) : []),
  ].join("\n\n");
}

function settingsTable(settings: ConfigurationFacts["settings"], wording: Wording): string {
  const isDefault = settings.every(({ from }) => from === "default");
  const head = isDefault ? "| setting | value |\n|---|---|" : "| setting | value | from |\n|---|---|---|";
  const rows = settings.map(({ name, value, from }) => {
    const shown = foreignCode(value, wording, { table: true });
    return `| ${foreignCode(name, wording, { table: true })} | ${shown} |${isDefault ? "" : ` ${ORIGINS[from]} |`}`;
  });
  return [head, ...rows].join("\n");
}

/** What is found is said: whoever keeps such files will ask. */
function instructionLines({ found, leftOut, truncated }: InstructionFacts, wording: Wording): string[] {
  if (found.length + leftOut.length === 0) return [];
  const names = found.map((path) => foreignCode(path, wording));
  const left = leftOut.map(({ path, reason }) => `${foreignCode(path, wording)} (${reason})`);
  return [
    [
      `**Instruction files**: ${names.length > 0 ? names.join(", ") : "none that can be used"}.`,
      ...(left.length > 0 ? [`Left out: ${left.join(", ")}.`] : []),
      ...(truncated ? ["There may be more: GitHub listed a part of the files only."] : []),
      "The AI layer reads them, where a model is set up.",
    ].join(" "),
  ];
}
