import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { HostileWorld } from "./hostile-world.ts";

/** Where in the two logs a payload began. */
export interface Since {
  readonly requests: number;
  readonly asked: number;
}

/** Everything that Forge wrote on GitHub since then, one text for each request. */
export function postedSince({ github }: HostileWorld, { requests }: Since): string[] {
  return github.requests.slice(requests).flatMap(({ body }) => (body === undefined ? [] : [textOf(body)]));
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** What the database holds. */
function filesOf({ places }: HostileWorld): Buffer[] {
  const files = readdirSync(places.data).filter((name) => name.startsWith("forge.db"));
  return files.map((name) => readFileSync(join(places.data, name)));
}

/** The same as one text, with a character for each byte. */
export function storedIn(world: HostileWorld): string {
  return filesOf(world)
    .map((file) => file.toString("latin1"))
    .join("\n");
}

/** Paths of the host and secrets that came out: on GitHub, to the model, or into the database. */
export function leaks(world: HostileWorld, since: Since): string[] {
  const { places, secrets } = world;
  const posted = postedSince(world, since).join("\n");
  const told = JSON.stringify(world.asked.slice(since.asked).map(({ messages }) => messages));
  // Megabytes, which are searched as they are.
  const stored = filesOf(world);
  const paths = [places.root, resolve("."), "/.cache/forge", ...(homedir() === "/" ? [] : [`${homedir()}/`])];
  const inside = (text: string, words: readonly string[], what: string) =>
    words.flatMap((word) => (text.includes(word) ? [`${what}: ${around(text, word)}`] : []));
  return [
    ...inside(posted, paths, "a path of the host was posted"),
    ...inside(told, [places.root], "a path of the host was told to the model"),
    ...inside(posted, secrets, "a secret of the host was posted"),
    ...inside(told, secrets, "a secret of the host was told to the model"),
    ...stored.flatMap((file) =>
      secrets
        .filter((secret) => file.includes(secret))
        .map((secret) => `a secret of the host was stored: ${around(file.toString("latin1"), secret)}`),
    ),
    ...[posted, told].flatMap((text) => (/ghs_\w{20,}/.test(text) ? ["a token of an installation came out"] : [])),
  ];
}

function around(text: string, word: string): string {
  const at = text.indexOf(word);
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + word.length + 40));
}
