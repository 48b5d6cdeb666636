// `npm run check:static`: every check of the code that is no test. They run side by side, because most of them keep one processor busy. A check
// that fails prints its output when it ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { text } from "node:stream/consumers";
import { installToolsOrExit, TOOL_PROGRAMS } from "./tools.ts";

/** Longest first. The commands of a row run one after the other. */
const CHECKS: readonly (readonly string[])[] = [
  // The default is four checkers, each of which works the same types out again: one takes half of the processor time.
  ["tsc --noEmit --checkers 1"],
  ["biome check --error-on-warnings ."],
  ["knip", "knip --production --exclude dependencies", "node scripts/plain-english.ts --check"],
];

installToolsOrExit();
// TypeScript 7 is there, and TypeScript 6, with which Forge checks the code of others, is first on the PATH without this.
const env = { ...process.env, PATH: `${TOOL_PROGRAMS}${delimiter}${process.env.PATH}` };

/** Whether the command found nothing wrong. */
async function holds(command: string): Promise<boolean> {
  const [program, ...args] = command.split(" ");
  const child = spawn(program!, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const isFine = code === 0;
  console.log(`${isFine ? "✓" : "✗"} ${command}`);
  if (!isFine) process.stdout.write(`${out}${errors}`);
  return isFine;
}

const outcomes = await Promise.all(
  CHECKS.map(async (commands) => {
    const row: boolean[] = [];
    for (const command of commands) row.push(await holds(command));
    return row;
  }),
);
if (!outcomes.flat().every(Boolean)) process.exitCode = 1;
