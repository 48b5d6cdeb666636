import { LineCounter, parseDocument } from "yaml";
import { DEFAULT_REPO_CONFIG, RepoConfig } from "../domain/repo-config.ts";

export const CONFIGURATION_PATH = ".github/forge.yml";

export interface Configuration {
  readonly value: RepoConfig;
  /** What is wrong with the file, with its line, in words for the summary; the defaults are in force then. */
  readonly problem?: string;
}

/** Reads `.github/forge.yml` (CONF-1). A file that is wrong is said to be wrong, and nothing of it is used. */
export function readConfiguration(text: string | undefined): Configuration {
  if (text === undefined || text.trim() === "") return { value: DEFAULT_REPO_CONFIG };
  const lines = new LineCounter();
  // An alias can blow a few lines up to gigabytes; a configuration needs none.
  const document = parseDocument(text, { lineCounter: lines, merge: false });
  const broken = document.errors[0];
  if (broken) return wrong(`line ${lines.linePos(broken.pos[0]).line} is not valid YAML`);
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 0 });
  } catch {
    return wrong("aliases are not supported");
  }
  const parsed = RepoConfig.safeParse(data ?? {});
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0]!;
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
  const node = document.getIn(path.slice(0, -1), true);
  const key = nodeOfKey(node, path.at(-1)) ?? (document.getIn(path, true) as { range?: [number] } | undefined);
  const line = key?.range ? `line ${lines.linePos(key.range[0]).line}: ` : "";
  const what = issue.code === "unrecognized_keys" ? "is not a known setting" : lowerFirst(issue.message);
  return wrong(`${line}\`${path.join(".")}\` ${what}`);
}

function wrong(detail: string): Configuration {
  return {
    value: DEFAULT_REPO_CONFIG,
    problem: `\`${CONFIGURATION_PATH}\` on the default branch is wrong, so the defaults were used: ${detail}.`,
  };
}

function nodeOfKey(map: unknown, name: PropertyKey | undefined): { range?: [number] } | undefined {
  const items = (map as { items?: { key?: { value?: unknown; range?: [number] } }[] } | undefined)?.items;
  return items?.find((item) => item.key?.value === name)?.key;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
