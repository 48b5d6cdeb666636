import { plainLine } from "../safety/plain-line.ts";

/** Characters of one fact, and of a whole line. */
const MOST_OF_FACT = 200;
const MOST_OF_LINE = 1_000;

/** Facts that every line of the log has, and a reader at a terminal knows. */
const KNOWN = new Set(["level", "time", "pid", "hostname", "name", "msg", "err", "error", "why", "detail", "advice"]);

/** A line of the log for a terminal: the time, what happened, why, and the other facts. Errors have no stack: `LOG_FORMAT=json` has it. */
export function textLine(json: string): string {
  const line = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const { level, time, msg, why, detail, advice } = line;
  const sign = Number(level) >= 50 ? "error: " : Number(level) >= 40 ? "warning: " : "";
  const reasons = [messageOf(line.err), messageOf(line.error), why, detail].filter((it) => typeof it === "string");
  const facts = Object.entries(line)
    .filter(([name]) => !KNOWN.has(name))
    .map(
      ([name, value]) =>
        `${name}=${plainLine(typeof value === "string" ? value : JSON.stringify(value), MOST_OF_FACT)}`,
    );
  const said = [`${sign}${msg}`, ...reasons].join(": ");
  const what = [said, ...facts, ...(typeof advice === "string" ? [`→ ${advice}`] : [])].join(" ");
  return `${new Date(Number(time)).toTimeString().slice(0, 8)} ${plainLine(what, MOST_OF_LINE)}\n`;
}

function messageOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
}
