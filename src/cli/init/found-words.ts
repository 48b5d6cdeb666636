import { languageWords, testWords } from "../../github/words/project-words.ts";
import type { ProjectFacts } from "../../pipeline/local/look-at-project.ts";
import { plainLine } from "../../safety/plain-line.ts";

/** What was found in a project, a line for each, and what Forge cannot do here. */
export function foundWords(facts: ProjectFacts): string {
  const { languages, tests, typeCheck, packages, noSandbox, isCheckout } = facts;
  const rows: readonly (readonly [what: string, words: string])[] = [
    ["Languages", languageWords(languages)],
    [
      "Tests",
      tests === undefined
        ? "no way to run them was found: set tools.test"
        : testWords(plainLine(tests.runner), tests.files),
    ],
    ["Types", typeCheck === undefined ? "no program that checks them was found" : plainLine(typeCheck.join(" "))],
    ["Packages", packageWords(packages)],
    ["Sandbox", noSandbox === undefined ? "works" : `missing, so no code of the project runs: ${plainLine(noSandbox)}`],
    ...(isCheckout ? [] : [["Git", "this folder is in no checkout, so each review reads all of it"] as const]),
  ];
  return ["Found here:", ...rows.map(([what, words]) => `  ${what.padEnd(11)}${words}`)].join("\n");
}

function packageWords(packages: ProjectFacts["packages"]): string {
  if ("reason" in packages) return `cannot be installed: ${plainLine(packages.reason)}`;
  const words = packages.flatMap((plan) => {
    if (plan.kind === "nothing") return [];
    if (plan.kind === "impossible") return [`cannot be installed: ${plainLine(plan.reason)}`];
    const { name, version } = plan.manager;
    const note = plan.notes?.length ? " (no lock file)" : "";
    return [`${name}${version === undefined ? "" : ` ${version}`}${note}`];
  });
  return words.length === 0 ? "none needed" : words.join("; ");
}
