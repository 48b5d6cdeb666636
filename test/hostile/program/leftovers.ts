import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join, relative } from "node:path";
import type { HostileWorld } from "./hostile-world.ts";
import { isAlive, usersOf } from "./processes.ts";

/** What there is on the machine: names below the folders that nothing may be left in, and what stands in the place of each. */
export type Snapshot = ReadonlySet<string>;

const MOST = 200;

/** The one process that stays as long as the program does. */
const LAUNCHER = "/src/workspace/launcher.ts";

/** Names below a folder, at most so many; what cannot be entered is a name too. */
function below(folder: string, root = folder, found: string[] = []): string[] {
  for (const entry of namesIn(folder)) {
    const path = join(folder, entry);
    if (found.length >= MOST) return found;
    const state = stateOf(path);
    found.push(`${relative(root, path)} ${state?.mode.toString(8)} ${state?.isFile() ? state.size : ""}`);
    if (state?.isDirectory()) below(path, root, found);
  }
  return found;
}

/** Undefined for what is gone, or lies too deep to be looked at. */
function stateOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : ["(cannot be listed)"];
  }
}

/** What may not change, by name; taken after a review that was honest. */
export function snapshot({ places }: HostileWorld): Snapshot {
  const folders = { home: places.home, canary: places.canary };
  const deep = Object.entries(folders).flatMap(([name, folder]) => below(folder).map((path) => `${name}/${path}`));
  const shallow = { temporary: places.temporary, data: places.data, root: places.root, checkout: process.cwd() };
  const names = Object.entries(shallow).flatMap(([name, folder]) => namesIn(folder).map((path) => `${name}/${path}`));
  return new Set([...deep, ...names, ...scratchOf(places.data)]);
}

/** What is in the scratch folders; they themselves are named after processes. */
function scratchOf(data: string): string[] {
  const scratch = join(data, "scratch");
  return namesIn(scratch).flatMap((name) => below(join(scratch, name)).map((path) => `data/scratch/_/${path}`));
}

/** What a program at rest has left: files, changes and processes. */
export function leftovers(world: HostileWorld, before: Snapshot): string[] {
  const now = snapshot(world);
  const appeared = [...now].filter((name) => !before.has(name));
  const gone = [...before].filter((name) => !now.has(name));
  return [
    ...few(appeared).map((name) => `left behind or changed: ${name}`),
    ...few(gone).map((name) => `gone: ${name}`),
    ...world.program
      .started()
      .filter(({ command }) => !command.includes(LAUNCHER))
      .map(({ command }) => `still running: ${command}`),
  ];
}

/** Looks until nothing of a killed program runs any more; what still runs after many looks. */
export async function processesLeft({ program, places }: HostileWorld): Promise<string[]> {
  const left = () => [...program.started(), ...usersOf(places.root).filter(isAlive)];
  for (let looks = 0; looks < 200 && left().length > 0; looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return few(left().map(({ command }) => `still running: ${command}`));
}

/** Enough to see what it is. */
function few(all: readonly string[]): string[] {
  const short = all.map((each) => each.slice(0, 160));
  return short.length > 5 ? [...short.slice(0, 5), `and ${short.length - 5} more`] : short;
}
