import type { Observation } from "../../domain/findings.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Analyser } from "../analyser.ts";
import { findCommandDangers } from "../commands/command-dangers.ts";
import { listCommands } from "../commands/list-commands.ts";
import { findPackageSources } from "../commands/package-sources.ts";

/** Some 10 ms: a command of 1,000 characters that is made for it takes one, and a hundred thousand empty lines thirty. */
const TURN = { most: 10_000, unitsOfStep: 1 };

/** What a change has shells and package managers run, wherever it stands: scripts, manifests, pipelines, images, hooks. */
export const commands: Analyser = {
  name: "commands",
  version: "1",
  layer: "security",
  readsFilesAlone: true,
  appliesTo: ({ look }) => look === "all",
  analyse: async (files) => {
    const observations: Observation[] = [];
    const turn = takeTurns(TURN);
    for (const file of files) {
      await turn(file.text.length);
      const dangers = [
        ...(await findCommandDangers(await listCommands(file, turn), turn)),
        ...findPackageSources(file),
      ];
      observations.push(
        ...dangers.map(
          ({ line, ...told }): Observation => ({
            ...told,
            source: "security",
            category: "security",
            file: file.path,
            line,
            endLine: line,
          }),
        ),
      );
    }
    return { observations, filesRead: files.length, problems: [] };
  },
};
