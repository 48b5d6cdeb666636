import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { Complaint } from "../../domain/explain-settings.ts";
import { RepoConfig } from "../../domain/repo-config.ts";
import { complaintsOf } from "./complaints.ts";
import { plainData, refusalOf } from "./plain-data.ts";
import { adviceOf } from "./yaml-advice.ts";

/** What is wrong with a configuration. `message` is a sentence in Markdown that quotes settings in code spans. */
export interface ConfigurationMistake {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** What a file sets, and nothing else: defaults are not filled in. Accepted by `RepoConfig` as it is. */
export type GivenSettings = Readonly<Record<string, unknown>>;

export type ParsedConfiguration =
  | { readonly ok: true; readonly given: GivenSettings }
  /** In the order of the file; at least one. */
  | { readonly ok: false; readonly mistakes: readonly ConfigurationMistake[] };

/** Many times what all settings need. It is read in the main process: the worst YAML of this size takes a tenth of a second. */
const LARGEST_BYTES = 16 * 1024;

/** Brackets that are open at once, also in text and comments. Each that is never closed costs the parser an error. */
const MOST_BRACKETS = 100;

/** Reads `forge.yml` (CONF-1). A file that is wrong is said to be wrong by line, and nothing of it is used. */
export function parseConfiguration(text: string): ParsedConfiguration {
  if (Buffer.byteLength(text) > LARGEST_BYTES) return wrong([{ line: 1, message: "The file is larger than 16 KB." }]);
  if (deepestBracket(text) > MOST_BRACKETS) return wrong([{ line: 1, message: "The file is nested too deeply." }]);
  const lines = new LineCounter();
  const lineOf = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const document = documentOf(text, lines);
  // What follows the first fault is mostly its consequence.
  const [fault] = document.errors;
  if (fault) return wrong([adviceOf(fault, text, lineOf(fault.pos[0]))]);
  const plain = plainData(document.contents, text);
  if ("fault" in plain) return wrong([{ line: lineOf(plain.offset), message: refusalOf(plain, text, lineOf) }]);
  const { data } = plain;
  const parsed = RepoConfig.safeParse(data ?? {});
  if (parsed.success) return { ok: true, given: (data ?? {}) as GivenSettings };
  const place = ({ path, atKey }: Complaint) => lineOf(offsetOf(document, path, atKey));
  const mistakes = complaintsOf(parsed.error, data).map((complaint) => ({
    line: place(complaint),
    message: complaint.message,
  }));
  return wrong(mistakes.toSorted((a, b) => a.line - b.line));
}

/** The line of a setting in a text that was accepted, 1-based: of the nearest group around it where the text leaves it out. */
export function settingLine(text: string, path: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  return Math.max(1, lines.linePos(offsetOf(documentOf(text, lines), path, true)).line);
}

function documentOf(text: string, lineCounter: LineCounter): Document.Parsed {
  // The parser would compare each key with each.
  const options = { merge: false, logLevel: "error", uniqueKeys: false, prettyErrors: false } as const;
  return parseDocument(text, { lineCounter, ...options });
}

function wrong(mistakes: readonly ConfigurationMistake[]): ParsedConfiguration {
  return { ok: false, mistakes };
}

function deepestBracket(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === "[" || bracket === "{" ? 1 : -1));
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

/** Where a setting begins: its key, or itself where it is an item of a list; what is missing is placed at what it is missing from. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[], atKey: boolean): number {
  if (path.length === 0) return document.contents?.range?.[0] ?? 0;
  const parent = document.getIn(path.slice(0, -1), true);
  const name = String(path.at(-1));
  if (isMap(parent)) {
    const key = parent.items.find(({ key }) => isScalar(key) && String(key.value ?? "") === name)?.key;
    if (isNode(key) && key.range) return key.range[0];
  }
  const node = document.getIn(path, true);
  if (!atKey && isNode(node) && node.range) return node.range[0];
  return offsetOf(document, path.slice(0, -1), false);
}
