import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { yieldsOfText } from "./environment.ts";
import { entries, mapAt, textOf } from "./nodes.ts";
import type { NamedValue, Values } from "./values.ts";

/** Deeper values of a matrix count for the value that holds them. */
const DEEPEST = 8;

/** What `matrix` holds inside a job: its lists, and what `include` adds to them. */
export function matrixValues(job: YAMLMap, values: Values): NamedValue[] {
  const matrix = mapAt(job, "strategy")?.get("matrix", true);
  if (!isMap(matrix)) return named(["matrix", "*"], matrix, values);
  return entries(matrix).flatMap(([name, value]) => {
    if (name === "exclude") return [];
    if (name !== "include") return named(["matrix", name], value, values);
    return isSeq(value) ? named(["matrix"], value, values) : named(["matrix", "*"], value, values);
  });
}

/** The values of each item of a list have the same names. */
function named(path: readonly string[], value: unknown, values: Values): NamedValue[] {
  const found = new Map<string, NamedValue>();
  const seen = new Set<unknown>();
  const open: { path: readonly string[]; value: Node | unknown }[] = [{ path, value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isScalar(next.value)) {
      const yields = yieldsOfText(textOf(next.value)?.value ?? "", values);
      const key = next.path.join("\n");
      if (yields.length > 0) found.set(key, [next.path, [...(found.get(key)?.[1] ?? []), ...yields]]);
      continue;
    }
    if (seen.has(next.value)) continue;
    seen.add(next.value);
    const { path: at } = next;
    if (isSeq(next.value)) for (const item of next.value.items) open.push({ path: at, value: item });
    if (isMap(next.value)) {
      const deeper = (name: string) => (at.length < DEEPEST ? [...at, name.toLowerCase()] : at);
      for (const [name, inner] of entries(next.value)) open.push({ path: deeper(name), value: inner });
    }
  }
  return [...found.values()];
}
