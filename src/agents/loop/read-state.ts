import { ForgeError } from "../../domain/errors.ts";
import { LoopState } from "./loop-state.ts";

/** The version in which states are written (PIPE-6). */
export const STATE_VERSION = 1;

/** Brings a state one version further, by the version that it has. */
export type Migrations = Readonly<Record<number, (state: Readonly<Record<string, unknown>>) => object>>;

/** None yet: the first version is the present one. */
const MIGRATIONS: Migrations = {};

/**
 * The state of a loop as it was stored, brought to the present version (PIPE-6).
 * @throws ForgeError `checkpoint_version` for one that this Forge cannot read; ZodError when it is no state: the run then fails and says so,
 * rather than paying for everything again
 */
export function readLoopState(stored: unknown, migrations: Migrations = MIGRATIONS): LoopState {
  let state = stored as Readonly<Record<string, unknown>>;
  for (let version = versionOf(state); version !== STATE_VERSION; version = versionOf(state)) {
    const migrate = Number.isInteger(version) ? migrations[version] : undefined;
    if (migrate === undefined) throw unreadable(version);
    state = { ...migrate(state), version: version + 1 };
  }
  return LoopState.parse(state);
}

function versionOf(state: unknown): number {
  return Number((state as { version?: unknown } | undefined)?.version ?? Number.NaN);
}

function unreadable(version: number): ForgeError {
  const has = Number.isNaN(version) ? "names no version" : `has version ${version}`;
  const newer = version > STATE_VERSION ? " It was written by a newer Forge." : "";
  const message = `The checkpoint of an agent ${has}, and this Forge reads version ${STATE_VERSION}.${newer}`;
  return new ForgeError("checkpoint_version", message, { source: "validation", recoverability: "manual" });
}
