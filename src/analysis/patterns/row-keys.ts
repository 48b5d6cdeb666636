import type { Setting, Sink } from "./row.ts";

type Row = Sink | Setting;

/** Rows by names that go through JSON: several rows share the id of one rule, each with words of its own. In the order of their table. */
export function rowKeys({
  sinks,
  settings,
}: {
  readonly sinks: readonly Sink[];
  readonly settings: readonly Setting[];
}) {
  const keys = new Map<Row, string>();
  const counts = new Map<string, number>();
  for (const row of [...sinks, ...settings]) {
    const at = (counts.get(row.id) ?? 0) + 1;
    counts.set(row.id, at);
    keys.set(row, at === 1 ? row.id : `${row.id} ${at}`);
  }
  return keys;
}
