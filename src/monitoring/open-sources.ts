import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ForgeError } from "../domain/errors.ts";
import { type SecretPlace, SourceSettings } from "./settings.ts";
import { sourceProblems } from "./source-problems.ts";

/** The sources as they are used: with the secrets that the file names the places of. */
export interface Sources extends SourceSettings {
  /** What stands at each place that the file names; a place is looked up as it is written. */
  readonly secretAt: (place: SecretPlace) => string;
  /** All of them, never to be logged, stored or posted (SEC-6). */
  readonly secrets: readonly string[];
}

export const NO_SOURCES: Sources = { repositories: {}, doors: {}, secretAt: () => "", secrets: [] };

/** A secret that is guessed lets anybody tell of errors. */
const SHORTEST_DOOR_SECRET = 16;

/**
 * Reads the operator's file of sources. Files of secrets are looked for beside it.
 * @throws ForgeError `configuration_invalid` with everything that is wrong with it
 */
export function openSources(path: string, variables: Readonly<Record<string, string | undefined>>): Sources {
  if (!existsSync(path)) throw invalid(path, ["there is no such file"]);
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw invalid(path, [`it is not JSON${placeIn(error)}`]);
  }
  const parsed = SourceSettings.safeParse(written);
  if (!parsed.success) throw invalid(path, sourceProblems(parsed.error, written));
  const secrets = new Map<string, string>();
  const problems: string[] = [];
  const look = (where: string, place: SecretPlace | undefined, shortest: number) => {
    if (place === undefined) return;
    const secret = secretAt(place, dirname(path), variables);
    // What was typed in place of a name may be the secret itself.
    const named = `${where}: the ${"file" in place ? "file" : "variable"} that it names`;
    if (secret === undefined) problems.push(`${named} is missing or empty`);
    else if (secret.length < shortest) problems.push(`${named} must have ${shortest} characters or more`);
    else secrets.set(nameOf(place), secret);
  };
  for (const [name, environments] of Object.entries(parsed.data.repositories)) {
    for (const [environment, watched] of Object.entries(environments)) {
      const at = `repositories.${name}.${environment}`;
      look(`${at}.prometheus.token`, watched?.prometheus?.token, 1);
      for (const [index, { token }] of (watched?.health ?? []).entries()) look(`${at}.health.${index}.token`, token, 1);
    }
  }
  for (const [name, door] of Object.entries(parsed.data.doors)) {
    look(`doors.${name}.secret`, door.secret, SHORTEST_DOOR_SECRET);
  }
  if (problems.length > 0) throw invalid(path, problems);
  return {
    ...parsed.data,
    secretAt: (place) => secrets.get(nameOf(place)) ?? "",
    secrets: [...new Set(secrets.values())],
  };
}

/** Where the parser stopped, without the text that it quotes: a secret may have been typed there. */
function placeIn(error: unknown): string {
  const [where] = /line \d{1,9} column \d{1,9}/.exec(error instanceof Error ? error.message : "") ?? [];
  return `: ${where === undefined ? "check its quotes, commas and brackets" : `see ${where}`}`;
}

function nameOf(place: SecretPlace): string {
  return "variable" in place ? `the variable ${place.variable}` : `the file ${place.file}`;
}

function secretAt(
  place: SecretPlace,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if ("variable" in place) return variables[place.variable]?.trim() || undefined;
  const path = resolve(folder, place.file);
  return (existsSync(path) && readFileSync(path, "utf8").trim()) || undefined;
}

function invalid(path: string, problems: readonly string[]): ForgeError {
  const message = `The sources in ${path} (FORGE_SOURCES) cannot be used:\n${problems.map((it) => `  - ${it}`).join("\n")}\nSee docs/operations.md.`;
  return new ForgeError("configuration_invalid", message, {
    source: "validation",
    severity: "critical",
    recoverability: "manual",
  });
}
