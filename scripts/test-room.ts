// Runs the tests of one room, quick and full; a sandbox is looked for only where the room needs one.
//   npm run test:room -- queue [vitest options]
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { needsSandbox } from "./test-room/needs-sandbox.ts";

const [room = "", ...options] = process.argv.slice(2);
const filesOf = (name: string) => readdirSync(join("test", name), { recursive: true, encoding: "utf8" });
const rooms = readdirSync("test", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => filesOf(name).some((file) => file.endsWith(".test.ts")));
if (!rooms.includes(room)) {
  console.error(
    `Usage: npm run test:room -- <room>. ${room === "" ? "No room was given" : `test/${room} has no tests`}.`,
  );
  console.error(`Rooms: ${rooms.join(", ")}`);
  process.exit(64);
}
const folder = join("test", room);
const files = filesOf(room).map((file) => join(folder, file));
const tests = files.filter((file) => /\.test\.ts$/.test(file) && !/\.long\.test\.ts$/.test(file));
if (tests.length === 0) {
  console.error(`test/${room} has only long tests: npx vitest run --project long test/${room}`);
  process.exit(64);
}
const environment = needsSandbox(tests) ? process.env : { ...process.env, FORGE_TEST_NO_SANDBOX: "1" };
const projects = ["sharing", "alone", "sharing-full", "alone-full"].flatMap((name) => ["--project", name]);
const vitest = "node_modules/vitest/vitest.mjs";
if (!existsSync(vitest)) throw new Error("Run npm install first.");
const child = spawn(process.execPath, [vitest, "run", ...projects, `${folder}/`, ...options], {
  stdio: "inherit",
  env: environment,
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
