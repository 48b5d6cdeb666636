import { type Logger, pino } from "pino";
import { EXIT, oneOf, parseOptions } from "../cli/dispatch.ts";
import { createRedactor } from "../safety/redact.ts";
import { redactValue } from "../safety/redact-value.ts";
import { type Config, readConfig, secretsOf } from "./config.ts";
import { startForge } from "./forge.ts";

/**
 * `forge start`: the server in this process, set up by its environment, until a signal; a second signal ends it at once, which is safe at any
 * moment (PIPE-7).
 */
export async function runServer(args: readonly string[]): Promise<number> {
  const role = readRole(args);
  const config = readConfig(process.env);
  const forge = await startForge({ config, log: createLog(config), role });
  await firstSignal();
  const impatient = firstSignal().then(() => process.exit(EXIT.failed));
  // Takes no more work, gives back what is not done within the grace time (OPS-3).
  await Promise.race([forge.stop(), impatient]);
  return EXIT.ok;
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

const ROLES = ["both", "web", "worker"] as const;
function readRole(args: readonly string[]): (typeof ROLES)[number] {
  const { role } = parseOptions(args, { options: { role: { type: "string", default: "both" } } }).values;
  return oneOf("--role", ROLES, role);
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const hear = () => {
      process.off("SIGTERM", hear).off("SIGINT", hear);
      resolve();
    };
    process.on("SIGTERM", hear).on("SIGINT", hear);
  });
}
