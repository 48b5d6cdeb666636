import { reviewed } from "../program/judge.ts";
import type { Payload } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";

const CLEAN = { "src/a.ts": "export const a = 1;\n" };
const KEY = "-----BEGIN PRIVATE KEY-----";

/** A comment of a user without any role, on a pull request that was reviewed. */
function comment(name: string, does: string, body: string): Payload {
  return {
    ...{ name, does, faults: reviewed },
    strike: async (ground) => {
      const { repository, world } = ground;
      const number = await openPull(CLEAN)(ground);
      await world.settled();
      world.github.comment(repository, number, { by: "mallory", body });
      return number;
    },
  };
}

/** Texts that held the main thread for seconds or minutes, by the names under which they were reported (SEC-8). */
export const STOPPING: readonly Payload[] = [
  comment(
    "A1: blanks in a command",
    "comments a command of 65,000 blanks and a line separator",
    `/forge${" ".repeat(65_000)}\u2028x`,
  ),
  comment(
    "A2: headers of keys",
    "comments 60 headers of private keys on one line, and 19,900 characters that may belong to a key",
    `/forge help\n${KEY.repeat(60)}\nA${"+".repeat(19_900)}!`,
  ),
  {
    name: "A3: blanks in a lock file",
    does: "adds a lock file of pnpm with a line of 800,000 blanks",
    strike: openPull({ ...CLEAN, "pnpm-lock.yaml": `lockfileVersion: '9.0'\n${" ".repeat(800_000)}x: y\n` }),
    faults: reviewed,
  },
];
