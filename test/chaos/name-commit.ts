import type { InStatement, ResultSet } from "@libsql/client";

const EVENT_COLUMNS = 13;
const TYPE_COLUMN = 5;

/**
 * What the statements of one commit do, in the words of Forge's tables; several when it carries the writes of several callers. Signs of
 * life and looking for work have no name: when they happen depends on the clock.
 */
export function nameCommit(statements: readonly InStatement[]): string[] {
  const names = statements.map(toParts).flatMap(({ sql, args }) => nameStatement(sql, args));
  const steps = names.filter((name) => name.startsWith("step of "));
  if (steps.length > 0) return steps.map((step) => (names.includes("files kept") ? `${step} with its files` : step));
  const events = names.filter((name) => name.startsWith("events "));
  // The events of a decision say best what it is about; its other rows only follow from them.
  const telling = events.length > 0 ? [`events ${events.map((name) => name.slice(7)).join(", ")}`] : names;
  return [...new Set(telling)];
}

/** A claim has a name only when it found something. */
export function nameResults(statements: readonly InStatement[], results: readonly ResultSet[]): string[] {
  return statements.flatMap((statement, index) => {
    const row = results[index]?.rows[0];
    return /^update jobs set state = 'running'/.test(toParts(statement).sql) && row ? [`claimed ${row.kind}`] : [];
  });
}

function toParts(statement: InStatement): { sql: string; args: unknown[] } {
  const { sql, args = [] } = typeof statement === "string" ? { sql: statement } : statement;
  return { sql: sql.trim().replace(/\s+/g, " "), args: Array.isArray(args) ? args : Object.values(args) };
}

function nameStatement(sql: string, args: readonly unknown[]): string[] {
  if (/^insert into events/.test(sql)) {
    const types = args.filter((value) => typeof value === "string" && /^[a-z_]+\.[a-z_]+$/.test(value));
    return [...new Set(types)].filter((type) => isEventType(args, type)).map((type) => `events ${type}`);
  }
  if (/^insert into deliveries/.test(sql)) return [`delivery accepted ${args[1]}`];
  if (/^update deliveries set state/.test(sql)) return ["delivery settled"];
  if (/^insert into checkpoints/.test(sql)) return [`step of ${agentKind(String(args[1]))}`];
  if (/^insert into work_trees/.test(sql)) return ["files kept"];
  if (/^insert or ignore into spend/.test(sql)) return ["money set aside"];
  if (/^update spend set state = 'settled'/.test(sql)) return ["money spent"];
  if (/^insert into writes/.test(sql)) return ["write counted"];
  if (/^update effects set state = 'sending'/.test(sql)) return [`effect sending ${effectKind(args)}`];
  if (/^update effects set state/.test(sql)) return [`effect ${args[0]} ${effectKind(args)}`];
  if (/^delete from jobs where id = \? and token = \? and state = 'running' returning/.test(sql))
    return ["job completed"];
  if (/^update jobs set state = 'queued', run_at/.test(sql)) return ["job put back"];
  if (/^insert (or replace )?into owners/.test(sql)) return ["owner written"];
  if (/^create table/i.test(sql)) return ["tables made"];
  return [];
}

function isEventType(args: readonly unknown[], type: unknown): boolean {
  return args.some((value, index) => value === type && index % EVENT_COLUMNS === TYPE_COLUMN);
}

/** "implementer" or "implementer/feedback", whichever plan or round it is. */
function agentKind(agent: string): string {
  return agent.includes("feedback") ? "implementer/feedback" : (agent.split("/")[0] ?? agent);
}

function effectKind(args: readonly unknown[]): string {
  for (const value of args) {
    const kind = /\/((?:check|review|issue|plan|branch|pull|comment|gate|thread|deployment|deploy|revert)\.\w+)\//.exec(
      String(value),
    )?.[1];
    if (kind) return kind;
  }
  return "unknown";
}
