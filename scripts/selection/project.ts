/** A small project with real tests, and changes of it that make some of them fail. */
export interface Project {
  readonly name: string;
  /** Packages of npm that it needs to be run. */
  readonly packages?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly mutations: readonly Mutation[];
}

export interface Mutation {
  readonly what: string;
  /** New texts by path; null removes the file. */
  readonly to: Readonly<Record<string, string | null>>;
  /** Files of tests that fail with it; the measurement fails where others do. Empty: none does. */
  readonly breaks: readonly string[];
}

/** `path`, with one text in the place of another. */
export function replaced(files: Project["files"], path: string, from: string, to: string): Record<string, string> {
  const text = files[path];
  if (!text?.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}.`);
  return { [path]: text.replace(from, to) };
}

/** The start of a test for Node's own runner. */
export const NODE_TEST = `import { test } from "node:test";\nimport assert from "node:assert/strict";\n`;
