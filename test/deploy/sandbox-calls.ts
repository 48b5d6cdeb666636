import { readFileSync } from "node:fs";

/** Names of the system calls that the sandbox refuses or does not have, as the comments beside their numbers say. */
const text = readFileSync("src/workspace/sandbox/system-calls.ts", "utf8");
export const SYSTEM_CALLS_OF_SANDBOX = [
  ...new Set([...text.matchAll(/^ +\d+, \/\/ (\w+)$/gm)].map(([, name]) => name!)),
];
