import type { RunEvent } from "../domain/events.ts";
import { visibleText } from "../safety/visible-text.ts";

/** The log of a run, an event a line, with its cost at the end. `reasoning`: nothing of an event is left out. */
export function logText(events: readonly RunEvent[], reasoning: boolean): string {
  return `${events.map((event) => eventLine(event, reasoning)).join("\n")}\n${costLine(events)}`;
}

/** Characters of a payload on a line of the timeline. */
const MOST_FACTS = 300;

function eventLine(event: RunEvent, reasoning: boolean): string {
  const { at, type, phase, actor, cost, durationMs } = event;
  const facts = [
    ...(actor ? [`by ${actor.login}`] : []),
    ...payloadFacts(event, reasoning),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs)} ms`]),
    ...(cost === undefined ? [] : [`$${cost.usd.toFixed(4)}`, `${cost.tokens} tokens`]),
  ];
  const shown = visibleText(facts.join(" ")).replaceAll("\n", " ");
  const cut = shown.length > MOST_FACTS && !reasoning ? `${shown.slice(0, MOST_FACTS - 1)}…` : shown;
  return `${at.slice(11)} ${(phase ?? "").padEnd(8)} ${type.padEnd(22)} ${cut}`.trimEnd();
}

function payloadFacts({ type, payload, cost, durationMs }: RunEvent, reasoning: boolean): string[] {
  if (type === "finding.rejected") {
    const { rule, file, line, by, reason, claim } = payload;
    return [`${rule} ${file}:${line} by the ${by}: ${reason} (claimed: ${claim})`];
  }
  // An id that ties events together, or the value at the end of the line.
  const left = [
    "callId",
    ...(cost ? ["costUsd"] : []),
    ...(durationMs === undefined ? [] : ["durationMs", "latencyMs"]),
  ];
  return Object.entries(payload)
    .filter(([key]) => reasoning || !left.includes(key))
    .flatMap(([key, value]) => fact(key, value, reasoning));
}

function fact(key: string, value: unknown, reasoning: boolean): string[] {
  // "agent:reviewer:01J…"
  if (key === "agentId" && !reasoning) return [String(value).split(":")[1] ?? ""];
  if (key === "agent" && typeof value === "object" && value !== null) {
    const { type, promptVersion } = value as Record<string, unknown>;
    return [`${type} with prompt ${promptVersion}`];
  }
  if (typeof value === "number") return [`${key}=${Number.isInteger(value) ? value : value.toFixed(4)}`];
  if (typeof value === "boolean") return [`${key}=${value}`];
  if (typeof value === "string") return value === "" ? [] : [`${key}=${value}`];
  if (key === "finding" && typeof value === "object" && value !== null) {
    const { id, severity, rule, file, line } = value as Record<string, unknown>;
    return [`${id} ${severity} ${rule} ${file}:${line}`];
  }
  return reasoning && value !== undefined ? [`${key}=${JSON.stringify(value)}`] : [];
}

function costLine(events: readonly RunEvent[]): string {
  const paid = events.flatMap(({ cost }) => (cost ? [cost] : []));
  if (paid.length === 0) return "";
  const sum = (of: (cost: { usd: number; tokens: number }) => number) =>
    paid.reduce((total, cost) => total + of(cost), 0);
  return `$${sum(({ usd }) => usd).toFixed(4)} in all, ${sum(({ tokens }) => tokens)} tokens\n`;
}
