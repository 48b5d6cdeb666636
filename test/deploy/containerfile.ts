import { readFileSync } from "node:fs";

export interface Instruction {
  readonly word: string;
  readonly text: string;
}
export interface Stage {
  readonly from: string;
  readonly name?: string;
  readonly instructions: readonly Instruction[];
}

const WORDS = /^(ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/;

/** Reads what Forge's own Containerfile uses of the format. @throws Error at a word that it does not know, or outside of a stage */
export function readContainerfile(path: string): readonly Stage[] {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { from: string; name?: string; instructions: Instruction[] }[] = [];
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, word = "", text = ""] = /^(\S+) +(.*)$/.exec(line) ?? [];
    if (!WORDS.test(word)) throw new Error(`${path}: no instruction: ${line}`);
    if (word === "FROM") {
      const [from = "", , name] = text.replaceAll(/\$\{(\w+)\}/g, (_, key) => values.get(key) ?? "").split(/ +/);
      stages.push({ from, ...(name === undefined ? {} : { name }), instructions: [] });
    } else if (stages.length === 0) {
      if (word !== "ARG") throw new Error(`${path}: before the first stage: ${line}`);
      const [key = "", value = ""] = text.split(/=(.*)/);
      values.set(key, value);
    } else {
      stages.at(-1)!.instructions.push({ word, text });
    }
  }
  return stages;
}

export function allOf({ instructions }: Stage, word: string): string[] {
  return instructions.filter((each) => each.word === word).map(({ text }) => text);
}

/** The variables of a stage's `ENV`, which have no spaces in them here. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(allOf(stage, "ENV").flatMap((text) => text.split(" ").map((pair) => pair.split(/=(.*)/))));
}
