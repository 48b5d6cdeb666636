import type { Observation } from "../../domain/findings.ts";
import type { Analyser } from "../analyser.ts";

/** Texts that become programs: they are executable now, or another file runs them. */
export const programs: Analyser = {
  name: "programs",
  version: "1",
  layer: "security",
  appliesTo: ({ look }) => look === "all",
  analyse: async (files, { programs: found = new Map(), executable = new Set() }) => {
    const there = new Map(files.map((file) => [file.path, file]));
    const observations: Observation[] = [];
    const say = (file: string, line: number, message: string) =>
      observations.push({ ...SAID, file, line, endLine: line, message });
    for (const path of executable)
      say(
        path,
        1,
        "This text is made executable, and neither its name nor its first line says what runs it: a shell does.",
      );
    for (const [path, { by, line, language, anew }] of found) {
      if (!anew || executable.has(path)) continue;
      if (line !== undefined && there.has(by))
        say(by, line, `This runs ${shown(path)} as ${language.name}, which is no program by its name.`);
      else say(path, 1, `${shown(by)} runs this text as ${language.name}, and by its name it is no program.`);
    }
    return { observations, filesRead: files.length, problems: [] };
  },
};

function shown(path: string): string {
  return `\`${path.replace(/[`\p{Cc}\p{Cf}]/gu, "?").slice(0, 200)}\``;
}

const SAID = {
  source: "security",
  category: "security",
  rule: "programs/text-runs",
  severity: "warning",
  confidence: 0.8,
  why: "It was reviewed as a text. From now on each of its lines can run, also the unchanged ones.",
} as const;
