import { type Logger, pino } from "pino";
import { EXIT, oneOf, parseOptions } from "../cli/dispatch.ts";
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

const ROLES = ["both", "web", "worker"] as const;
type Role = (typeof ROLES)[number];

interface Running {
  /** Takes no more work, gives back what is not done within the grace time (OPS-3). */
  stop(): Promise<void>;
}

/** Starts Forge and stays until a signal; a second signal ends it at once, which is safe at any moment (PIPE-7). */
async function runStart(args: readonly string[], start: (role: Role) => Promise<Running>): Promise<number> {
  const role = readRole(args);
  const running = await start(role);
  await firstSignal();
  const impatient = firstSignal().then(() => process.exit(EXIT.failed));
  await Promise.race([running.stop(), impatient]);
  return EXIT.ok;
}

function readRole(args: readonly string[]): Role {
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
