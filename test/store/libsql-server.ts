import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../simulator/free-port.ts";

/** Where a libSQL server is on this machine; undefined where there is none. */
export const libsqlServer = process.env.FORGE_TEST_SQLD ?? onPath("sqld");

/** Starts one with an empty database in the folder; resolves when it answers. */
export async function startLibsqlServer(
  binary: string,
  folder: string,
): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const port = await freePort();
  const args = ["--db-path", join(folder, "server"), "--http-listen-addr", `127.0.0.1:${port}`, "--no-welcome"];
  const child = spawn(binary, args, { stdio: "ignore" });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { port, process: child };
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function onPath(program: string): string | undefined {
  const found = spawnSync("which", [program], { encoding: "utf8" }).stdout?.trim();
  return found && existsSync(found) ? found : undefined;
}
