// A whole GitHub in a folder: one file of records and a git bundle for each repository.
import type { KeyObject } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";
import { initialiseBare } from "./git/bare-repository.ts";
import { git, gitLines } from "./git/run-git.ts";
import type { App } from "./records.ts";
import type { World } from "./world.ts";

const RECORDS = "records.v8.gz";

/** What GitHub would still know tomorrow: not its tokens, its log of deliveries and requests, and what is planned to fail. */
const KEPT = [
  "accounts",
  "repositories",
  "redirects",
  "apps",
  "installations",
  "comments",
  "reviews",
  "reviewComments",
  "threads",
  "checkRuns",
  "checkSuites",
  "workflowRuns",
  "jobs",
  "deployments",
  "environments",
  "workflowIds",
  "births",
  "lastId",
] as const satisfies readonly (keyof World)[];

/** What only the process knows that starts GitHub again: an App's key, and where it takes webhooks. */
export interface KeptApp {
  readonly slug: string;
  readonly publicKey: KeyObject;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
}

/** Writes a world that nothing moves in at the moment into a folder, without secrets and without a path of this machine. */
export async function keepWorld(world: World, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { directory } of world.repositories.values()) {
    if ((await gitLines(directory, "for-each-ref", "--count=1")).length === 0) continue;
    await git(directory, ["bundle", "create", "-q", join(resolve(folder), `${basename(directory)}.bundle`), "--all"]);
  }
  await writeFile(join(folder, RECORDS), gzipSync(serializeWorld(world), { level: 9 }));
}

/** Records refer to each other, so what must not be written is taken out of them for that moment. */
function serializeWorld(world: World): Buffer {
  const apps = world.apps.map((app) => ({ ...app }));
  const places = [...world.repositories.values()].map((repository) => [repository, repository.directory] as const);
  for (const app of world.apps)
    Object.assign(app, { publicKey: null, webhookUrl: "", webhookSecret: "", clientSecret: "" });
  for (const [repository, directory] of places) Object.assign(repository, { directory: basename(directory) });
  try {
    return serialize(Object.fromEntries(KEPT.map((name) => [name, world[name]])));
  } finally {
    for (const [index, app] of apps.entries()) Object.assign(world.apps[index]!, app);
    for (const [repository, directory] of places) Object.assign(repository, { directory });
  }
}

/** Fills a new world with one that was kept. */
export async function openKeptWorld(world: World, folder: string, known: readonly KeptApp[]): Promise<void> {
  const records = deserialize(gunzipSync(await readFile(join(folder, RECORDS)))) as Pick<World, (typeof KEPT)[number]>;
  Object.assign(world, records);
  for (const { slug, ...app } of known) Object.assign(appNamed(world, slug), app);
  for (const repository of world.repositories.values()) {
    const bundle = join(resolve(folder), `${repository.directory}.bundle`);
    const directory = join(world.root, repository.directory);
    Object.assign(repository, { directory });
    await initialiseBare(directory, repository.defaultBranch);
    await git(directory, ["fetch", "-q", "--", bundle, "+refs/*:refs/*"]);
  }
}

function appNamed(world: World, slug: string): App {
  const app = world.apps.find((each) => each.slug === slug);
  if (!app) throw new Error(`no App ${slug} in the simulator`);
  return app;
}
