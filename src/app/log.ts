import { type Logger, pino } from "pino";
import { createRedactor } from "../safety/redact.ts";
import { redactValue } from "../safety/redact-value.ts";
import { type Config, secretsOf } from "./config.ts";

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
