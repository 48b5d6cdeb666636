import { type Document, isMap, isNode, LineCounter, parseDocument, type YAMLParseError } from "yaml";
import { RepoConfig } from "../../domain/repo-config.ts";
import { type Complaint, complaintsOf } from "./complaints.ts";

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

/** Many times what all settings need. It is read in the main process: the worst YAML of this size takes a fifth of a second. */
const LARGEST_BYTES = 16 * 1024;

const SYNTAX: Partial<Record<YAMLParseError["code"], string>> = {
  DUPLICATE_KEY: "This key stands twice in the same map.",
  TAB_AS_INDENT: "YAML cannot be indented by tabs.",
  MULTIPLE_DOCS: "The file holds more than one document.",
};

/** Reads `forge.yml` (CONF-1). A file that is wrong is said to be wrong by line, and nothing of it is used. */
export function parseConfiguration(text: string): ParsedConfiguration {
  if (Buffer.byteLength(text) > LARGEST_BYTES) return wrong([{ line: 1, message: "The file is larger than 16 KB." }]);
  const lines = new LineCounter();
  const lineOf = (offset: number) => Math.max(1, lines.linePos(offset).line);
  let document: Document.Parsed;
  let data: unknown;
  try {
    // An alias can blow a few lines up to gigabytes; a configuration needs none.
    document = parseDocument(text, { lineCounter: lines, merge: false, logLevel: "error" });
    const faults = document.errors.map(({ code, pos }) => ({
      line: lineOf(pos[0]),
      message: SYNTAX[code] ?? "The file is not valid YAML from here on.",
    }));
    // What follows the first fault is mostly its consequence.
    if (faults[0]) return wrong([faults[0]]);
    data = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    const message = error instanceof RangeError ? "The file is nested too deeply." : "Aliases are not supported.";
    return wrong([{ line: 1, message }]);
  }
  const parsed = RepoConfig.safeParse(data ?? {});
  if (parsed.success) return { ok: true, given: (data ?? {}) as GivenSettings };
  const place = ({ path, atKey }: Complaint) => lineOf(offsetOf(document, path, atKey));
  const mistakes = complaintsOf(parsed.error, data).map((complaint) => ({
    line: place(complaint),
    message: complaint.message,
  }));
  return wrong(mistakes.toSorted((a, b) => a.line - b.line));
}

function wrong(mistakes: readonly ConfigurationMistake[]): ParsedConfiguration {
  return { ok: false, mistakes };
}

/** Where a setting begins: its key, or itself where it is an item of a list; what is missing is placed at what it is missing from. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[], atKey: boolean): number {
  if (path.length === 0) return document.contents?.range?.[0] ?? 0;
  const parent = document.getIn(path.slice(0, -1), true);
  const name = String(path.at(-1));
  if (isMap(parent)) {
    const key = parent.items.find(({ key }) => String(isNode(key) ? key.toJSON() : key) === name)?.key;
    if (isNode(key) && key.range) return key.range[0];
  }
  const node = document.getIn(path, true);
  if (!atKey && isNode(node) && node.range) return node.range[0];
  return offsetOf(document, path.slice(0, -1), false);
}
