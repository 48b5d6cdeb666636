import { isRecord } from "./locked-package.ts";

interface Block {
  readonly line: number;
  readonly endLine: number;
}

export function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // What is not JSON is an answer here; the syntax analyser says where.
    return undefined;
  }
}

/**
 * The lines of the objects that stand behind a key, as JSON is usually printed: the key and the brace on one line, the closing brace
 * with the same indentation. `take` gives those of one key in order, and line 1 for a text that is not printed so.
 */
export function findJsonBlocks(text: string): { take(key: string): Block } {
  const blocks = new Map<string, Block[]>();
  const open: { key: string; line: number; indent: number }[] = [];
  text.split("\n").forEach((content, index) => {
    const indent = content.length - content.trimStart().length;
    const key = /^\s*"((?:[^"\\]|\\.)*)":\s*\{\s*$/.exec(content)?.[1];
    if (key !== undefined) open.push({ key, line: index + 1, indent });
    else if (/^\s*\}/.test(content) && open.at(-1)?.indent === indent) {
      const { key: closed, line } = open.pop()!;
      const list = blocks.get(closed) ?? [];
      if (list.length === 0) blocks.set(closed, list);
      list.push({ line, endLine: index + 1 });
    }
  });
  for (const list of blocks.values()) list.sort((a, b) => a.line - b.line);
  const taken = new Map<string, number>();
  return {
    take(key) {
      const at = taken.get(key) ?? 0;
      taken.set(key, at + 1);
      return blocks.get(JSON.stringify(key).slice(1, -1))?.[at] ?? { line: 1, endLine: 1 };
    },
  };
}
