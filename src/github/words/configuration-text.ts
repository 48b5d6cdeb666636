import type { ConfigurationFacts } from "../../domain/answers.ts";
import { foreignCode, foreignLine, type Wording } from "./wording.ts";

const ORIGINS = {
  default: "default",
  organisation: "the organisation's `.github` repository",
  repository: "`.github/forge.yml`",
} as const;

/** `/forge config`: each setting in force, with where its value comes from; what somebody set stands first. */
export function configurationText({ settings, problems }: ConfigurationFacts, wording: Wording): string {
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
  ].join("\n\n");
}
