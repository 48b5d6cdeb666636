import type { z } from "zod";
import { explainSettings, type SettingIssue } from "../../domain/explain-settings.ts";
import { RepoConfig } from "../../domain/repo-config.ts";
import { exampleOf, groupAdvice } from "./setting-advice.ts";

/** What the schema has against a `forge.yml`, in Markdown. */
export const complaintsOf = explainSettings(RepoConfig, { named, demand, example });

/** What the schema says by a pattern alone. */
function demand({ code, path }: SettingIssue): string | undefined {
  if (code !== "invalid_format") return undefined;
  return path.at(-1) === "workflow"
    ? "must be the path of a workflow, such as `.github/workflows/deploy.yml`"
    : "must be small letters, digits and dashes, begin with a letter, and have at most 30 characters";
}

/** How the value is written right: an example, as it follows the complaint. */
function example({ expected, path }: z.core.$ZodIssueInvalidType, value: unknown, usual: unknown): string {
  if (expected === "object" || expected === "record") return groupAdvice(value);
  if (typeof path.at(-1) === "number") return "";
  const key = path.findLast((part) => typeof part === "string");
  const written = exampleOf(String(key), expected, value, path[0] === "tools");
  if (written !== "") return written;
  return typeof usual === "number" || typeof usual === "string" ? `, such as \`${usual}\`` : "";
}

/** `tools.analysers[0].name` */
function named(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The file";
  const text = path
    .map((key, at) =>
      typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key).replaceAll("`", "'")}`,
    )
    .join("");
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}
