import { readFileSync } from "node:fs";
import { z } from "zod";
import { EVENT_CATALOGUE } from "../../src/domain/event-catalogue.ts";
import { table, writtenFrom } from "./table.ts";

const SOURCE = "src/domain/event-catalogue.ts";

const INTRODUCTION = `# Events

${writtenFrom(SOURCE)}

Everything that happens in Forge is an event in an append-only log. Each event has an ID, a type, the run or subject it belongs to, a position in
its log, a time, a hash chained to the event before, and a payload with the fields below. \`forge show <run> --log --json\` prints the events of a run, and
\`forge replay <run>\` builds the run's state again from them. A stored type is never removed, and its schema never gets stricter.
`;

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** docs/reference/events.md. */
export function eventsPage(): string {
  const source = readFileSync(SOURCE, "utf8");
  const rows = Object.entries(EVENT_CATALOGUE).map(([type, schema]) => {
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
    return [
      `\`${type}\``,
      fieldsOf(json)
        .map((name) => `\`${name}\``)
        .join(", "),
      commentOn(type, source),
    ];
  });
  return [INTRODUCTION, table(["Type", "Fields of the payload", "Meaning"], rows), ""].join("\n");
}

/** Of all forms that it can have. */
function fieldsOf(schema: Schema): readonly string[] {
  const own = Object.keys(schema.properties ?? {});
  const others = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(fieldsOf);
  return [...new Set([...own, ...others])];
}

/** The comment above a type, without the ids of the specification. */
function commentOn(type: string, source: string): string {
  const lines = source.slice(0, source.indexOf(`\n  "${type}":`)).split("\n");
  const last = lines.at(-1)?.trim() ?? "";
  if (!last.endsWith("*/")) return "";
  const from = lines.findLastIndex((line) => line.trim().startsWith("/**"));
  return lines
    .slice(from)
    .map((line) =>
      line
        .trim()
        .replace(/^\/?\*+\/?/, "")
        .replace(/\*\/$/, "")
        .trim(),
    )
    .join(" ")
    .replaceAll(/ \([A-Z]+-\d+[a-z]?\)/g, "")
    .trim();
}
