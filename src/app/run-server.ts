import { type Logger, type LoggerOptions, pino } from "pino";
import { EXIT } from "../cli/dispatch.ts";
import { oneOf, parseOptions } from "../cli/parse-options.ts";
import { createRedactor } from "../safety/redact.ts";
import { redactBeginning } from "../safety/redact-beginning.ts";
import { redactValue } from "../safety/redact-value.ts";
import { visibleText } from "../safety/visible-text.ts";
import { type Config, readConfig, secretsOf } from "./config.ts";
import { startForge } from "./forge.ts";
import { hasNoApp, withKeptApp } from "./kept-app.ts";
import { textLine } from "./log-text.ts";
import { setUp } from "./set-up.ts";
import { startLines } from "./start-lines.ts";
import { RESTART_OPTION } from "./watchdog/restart-after-hang.ts";

/**
 * `forge start`: the server in this process, set up by its environment, until a signal; a second signal ends it at once, which is safe at any
 * moment (PIPE-7). Where there is no App yet, a person registers one first (OPS-5).
 */
export async function runServer(args: readonly string[]): Promise<number> {
  const { role, "print-app": isPrinted } = readOptions(args);
  endWithParent();
  let environment = await withKeptApp(process.env);
  if (hasNoApp(environment) && role !== "worker") {
    const stopped = new AbortController();
    void firstSignal().then(() => stopped.abort());
    const say = (text: string) => void process.stderr.write(`${text}\n`);
    const complete = await setUp(environment, { say, isPrinted, signal: stopped.signal });
    if (complete === undefined) return EXIT.ok;
    environment = complete;
  }
  const config = readConfig(environment);
  const isText = (config.logFormat ?? (process.stdout.isTTY ? "text" : "json")) === "text";
  const forge = await startForge({ config, log: createLog(config, isText), role, endsHang: true, printsStart: isText });
  // Not awaited: a GitHub that does not answer must not keep a signal waiting.
  if (isText) void printStart(config, forge.port, forge.pageLink);
  await firstSignal();
  const impatient = firstSignal().then(() => process.exit(EXIT.failed));
  // Takes no more work, gives back what is not done within the grace time (OPS-3).
  await Promise.race([forge.stop(), impatient]);
  return EXIT.ok;
}

async function printStart(config: Config, port: number | undefined, pageLink: string | undefined): Promise<void> {
  const redact = createRedactor(secretsOf(config));
  for await (const line of startLines(config, port, pageLink)) process.stdout.write(`${redact(visibleText(line))}\n`);
}

/** Lines on standard output, JSON or `isText`; secrets that Forge knows, and whatever looks like one, never reach them (SEC-6). */
export function createLog(config: Config, isText = false): Logger {
  const redact = createRedactor(secretsOf(config));
  const options: LoggerOptions = {
    name: "forge",
    level: config.logLevel,
    formatters: { log: (line) => redactValue(line, redact) as Record<string, unknown> },
    hooks: {
      logMethod(args, method) {
        const safe = args.map((argument) =>
          typeof argument === "string" ? redactBeginning(argument, redact) : argument,
        );
        method.apply(this, safe as typeof args);
      },
    },
  };
  return isText ? pino(options, { write: (line) => void process.stdout.write(textLine(line)) }) : pino(options);
}

const ROLES = ["both", "web", "worker"] as const;
function readOptions(args: readonly string[]) {
  const options = {
    role: { type: "string", default: "both" },
    "print-app": { type: "boolean", default: false },
    // Seen to before this process was started.
    [RESTART_OPTION.slice(2)]: { type: "boolean", default: false },
  } as const;
  const { values } = parseOptions(args, { options });
  return { ...values, role: oneOf("--role", ROLES, values.role) };
}

/** A process that started this one with a channel, as `restartAfterHang` does, has ended when the channel closes: nobody else would stop this one. */
function endWithParent(): void {
  if (!process.connected) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // Listening to it must not keep Forge alive.
  process.channel?.unref();
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
