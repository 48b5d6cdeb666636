import type { Observation } from "../../../domain/findings.ts";
import type { LockResult } from "../../child/protocol.ts";
import type { SourceFile } from "../../source-file.ts";
import { dependencyName } from "../lock-files.ts";
import { manifestOf } from "./manifest-drift.ts";

type Steps = Pick<Extract<LockResult, { drifts: unknown }>, "drifts" | "isStale">;
type Step = Pick<Observation, "rule" | "severity" | "confidence" | "file" | "line" | "endLine" | "message" | "why">;

const KIND = { rule: "dependencies/out-of-step", severity: "warning", confidence: 0.8 } as const;

const OF_LOCK =
  "A clean installation fails or installs something else than was reviewed: install once and commit the lock file.";
const OF_LIST =
  "An installation goes by the list, so it does not get what is asked for: run the program that wrote the list again and commit it.";

/** What to say of a lock file that is out of step with a manifest. */
export function observeSteps(
  path: string,
  { drifts, isStale }: Steps,
  files: ReadonlyMap<string, Pick<SourceFile, "addedLines">>,
): Step[] {
  const { folder, name, manifest } = placeOf(path);
  const file = `${folder}${manifest}`;
  const [locked = 1] = files.get(path)?.addedLines ?? [];
  // A manifest that the change leaves alone is out of step by what the lock file has now, or by what it inherits.
  const elsewhere = files.has(path)
    ? { file: path, line: locked }
    : { file, line: [...(files.get(file)?.addedLines ?? [1])][0] ?? 1 };
  const told = drifts.map((drift): Step => {
    const has = drift.locked === undefined ? "does not have it" : `has it as ${drift.locked}`;
    const source = drift.setting !== undefined ? "pnpm-workspace.yaml" : manifest;
    const from = `${folder}${drift.folder}${drift.folder === "" ? "" : "/"}${source}`;
    const place = files.has(from) ? { file: from, line: drift.line } : elsewhere;
    const asker = drift.by ?? drift.folder;
    const asks = asker === "" ? "" : ` by ${asker}`;
    const wanted = drift.wanted === undefined ? `is not wanted${asks}` : `is wanted as ${drift.wanted}${asks}`;
    return {
      ...{ ...KIND, ...place, endLine: place.line },
      message: `${drift.name} ${wanted}, and ${name} ${has}.`,
      why: manifest.endsWith(".in") ? OF_LIST : OF_LOCK,
    };
  });
  if (!isStale) return told;
  const [line] = files.get(file)?.addedLines ?? [];
  const place = line === undefined ? { file: path, line: locked } : { file, line };
  return [
    ...told,
    {
      ...{ ...KIND, ...place, endLine: place.line },
      message: `${name} was written for another ${manifest}: the hash that it repeats is not of this one.`,
      why: "Its package manager warns or fails, and may install something else than was reviewed: lock again and commit the lock file.",
    },
  ];
}

/** "Not checked: whether `uv.lock` is in step with `pyproject.toml`." */
export function noteUnjudged(path: string): string {
  return `Not checked: whether \`${path}\` is in step with \`${placeOf(path).manifest}\`, as Forge cannot judge that.`;
}

function placeOf(path: string): { readonly folder: string; readonly name: string; readonly manifest: string } {
  const at = path.lastIndexOf("/") + 1;
  const name = path.slice(at);
  return { folder: path.slice(0, at), name, manifest: manifestOf(dependencyName(path)) ?? "" };
}
