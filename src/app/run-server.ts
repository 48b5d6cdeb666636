import { runStart } from "../cli/start.ts";
import { readConfig } from "./config.ts";
import { startForge } from "./forge.ts";
import { createLog } from "./log.ts";

/** `forge start`: the server in this process, set up by its environment. */
export function runServer(args: readonly string[]): Promise<number> {
  return runStart(args, (role) => {
    const config = readConfig(process.env);
    return startForge({ config, log: createLog(config), role });
  });
}
