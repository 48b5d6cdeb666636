import { analyseChange } from "../../src/analysis/analyse-change.ts";
import { commands } from "../../src/analysis/analysers/commands.ts";
import { dependencies } from "../../src/analysis/analysers/dependencies.ts";
import { programs } from "../../src/analysis/analysers/programs.ts";
import { settings } from "../../src/analysis/analysers/settings.ts";
import { type AdvisorySource, ECOSYSTEMS } from "../../src/analysis/dependencies/advisory-source.ts";
import { readFolder } from "../../src/pipeline/change/read-folder.ts";
import { effectiveConfiguration } from "../../src/pipeline/runs/configuration/effective-configuration.ts";
import { openFolderFiles } from "../../src/workspace/files/folder-files.ts";
import { createFolderLock } from "../../src/workspace/folder-lock.ts";

/** What the readers of programs, settings and manifests say of a change. */
export interface Told {
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly place: string;
    readonly message: string;
  }[];
  /** Why the check would ask for a person although nothing was found. */
  readonly asks: readonly string[];
}

/** Knows every package, and nothing bad of any: what is not looked up then is not looked up anywhere. */
const KNOWS_ALL: AdvisorySource = { ecosystems: ECOSYSTEMS, query: async () => ({ advisories: [] }) };
const NONE = "0".repeat(40);

/** @param base the commit to compare with; every file counts as new without one */
export async function readChange(folder: string, base: string | undefined, scratchRoot: string): Promise<Told> {
  const { signal } = new AbortController();
  const change = await readFolder({ folder, all: base === undefined, ...(base === undefined ? {} : { base }) });
  const { readMany } = openFolderFiles({ root: folder, lock: createFolderLock() });
  const { observations, left, coverage } = await analyseChange({
    ...{ files: change.files, contents: change.contents, paths: change.paths, readOthers: readMany },
    ...(base === undefined ? {} : { oldContents: change.oldContents }),
    configuration: effectiveConfiguration({ repository: undefined }).value,
    identity: { headSha: NONE, baseSha: NONE, mergeBaseSha: NONE },
    key: Buffer.alloc(32),
    ...{ scratchRoot, signal, advisories: KNOWS_ALL, analysers: [programs, settings, commands, dependencies] },
  });
  const layers = coverage.layers.flatMap(({ state, reason }) =>
    state === "failed" || state === "partly" ? [reason ?? state] : [],
  );
  const gaps = coverage.uncovered.filter(({ gap }) => gap).map(({ path, reason }) => `${path}: ${reason}`);
  return {
    findings: [...observations, ...left].map(({ rule, severity, file, line, message }) => ({
      ...{ rule, severity, place: `${file}:${line}`, message },
    })),
    asks: [...layers, ...gaps],
  };
}
