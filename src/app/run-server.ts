import { type Logger, pino } from "pino";
import { runStart } from "../cli/start.ts";
import { createRedactor } from "../safety/redact.ts";
import { redactValue } from "../safety/redact-value.ts";
import { type Config, readConfig, secretsOf } from "./config.ts";
import { startForge } from "./forge.ts";

/** `forge start`: the server in this process, set up by its environment. */
export function runServer(args: readonly string[]): Promise<number> {
  return runStart(args, (role) => {
    const config = readConfig(process.env);
    return startForge({ config, log: createLog(config), role });
  });
}

/** JSON lines on standard output; secrets that Forge knows, and whatever looks like one, never reach them (SEC-6). */
export function createLog(config: Config): Logger {
  const redact = createRedactor(secretsOf(config));
  return pino({
    name: "forge",
    level: config.logLevel,
    formatters: { log: (line) => redactValue(line, redact) as Record<string, unknown> },
    hooks: {
      logMethod(args, method) {
        const safe = args.map((argument) => (typeof argument === "string" ? redact(argument) : argument));
        method.apply(this, safe as typeof args);
      },
    },
  });
}
