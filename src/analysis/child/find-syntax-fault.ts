import { parseSync } from "oxc-parser";
import { parseAllDocuments } from "yaml";
import type { Dialect } from "../languages.ts";
import { type ChildFile, LARGEST_YAML, type SyntaxFault, type SyntaxResult } from "./protocol.ts";
import { readings } from "./readings.ts";

type Fault = Omit<SyntaxFault, "fresh">;

/** The first place of a file that does not parse, and whether the change brought that. */
export function findSyntaxFault(file: ChildFile): SyntaxResult {
  const { dialect, text, oldText } = file;
  if (dialect === undefined) return null;
  if (dialect === "yaml" && text.length > LARGEST_YAML) return { unread: "too large for the YAML parser (300 KB)" };
  const fault = firstFault(dialect, text);
  if (fault === undefined) return null;
  return { ...fault, fresh: oldText === undefined || firstFault(dialect, oldText) === undefined };
}

function firstFault(dialect: Dialect, text: string): Fault | undefined {
  switch (dialect) {
    case "css":
    case "py":
    case "sh":
      return undefined;
    case "json":
      return text.trim() === "" ? undefined : findJsonFault(text);
    case "jsonc": {
      const fault = text.trim() === "" ? undefined : findJsonFault(text);
      return fault?.kind === "syntax" ? fault : undefined;
    }
    case "yaml":
      return yamlFault(text);
    case "js":
    case "mjs":
    case "cjs":
    case "jsx":
    case "ts":
    case "mts":
    case "cts":
    case "tsx":
    case "d.ts":
      return scriptFault(dialect, text);
  }
}

function scriptFault(dialect: Dialect, text: string): Fault | undefined {
  if (/@flow\b/.test(text.slice(0, 1_000))) return undefined;
  let first: number | undefined;
  for (const options of readings(dialect)) {
    const error = parseSync("file", text, options).errors.find(({ severity }) => severity === "Error");
    if (error === undefined) return undefined;
    first ??= Math.min(error.labels[0]?.start ?? 0, text.length);
  }
  const offset = first ?? 0;
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset + 8);
  return { offset, kind: /^(?:<{7}|={7}|>{7})/.test(line) ? "conflict_marker" : "syntax" };
}

function yamlFault(text: string): Fault | undefined {
  // Templates of Helm, Jinja and the like become YAML only when they are filled in.
  if (/\{\{|\{%|<%/.test(text)) return undefined;
  const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" });
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  const error = errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (error === undefined || error.code === "RESOURCE_EXHAUSTION") return undefined;
  return { offset: Math.min(error.pos[0], text.length), kind: yamlKind(error.code) };
}

function yamlKind(code: string): Fault["kind"] {
  if (code === "TAB_AS_INDENT") return "tab_indent";
  return code === "DUPLICATE_KEY" ? "duplicate_key" : "syntax";
}

interface JsonFault {
  readonly offset: number;
  readonly kind: "syntax" | "comment_in_json";
}

type Expect = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "end";

/** Strings and long comments are read by themselves: a pattern for them would begin again at each quotation mark in them. */
const TOKEN = /[ \t\r\n]+|\/\/[^\n]*|\/\*|"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;
/** Of the control characters that JSON forbids in strings only those are refused that people type. */
const IN_STRING = /[^"\\\t\r\n]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where the token at a place ends; undefined if no token fits. */
function endOfToken(text: string, offset: number): number | undefined {
  TOKEN.lastIndex = offset;
  const token = TOKEN.exec(text)?.[0];
  if (token === undefined) return undefined;
  const within = offset + token.length;
  if (token === "/*") {
    const end = text.indexOf("*/", within);
    return end === -1 ? undefined : end + "*/".length;
  }
  if (token !== '"') return within;
  IN_STRING.lastIndex = within;
  let end = within;
  while (IN_STRING.test(text)) end = IN_STRING.lastIndex;
  return text[end] === '"' ? end + 1 : undefined;
}

/**
 * The first place at which a text is not JSON, undefined when it is. A comment or trailing comma is a fault of its own kind, which the
 * many readers of "JSON with comments" would accept. Keeps its own stack: nesting cannot overflow it.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let expect: Expect = "value";
  let lenient: JsonFault | undefined;
  let comma = 0;
  for (let offset = 0, end: number | undefined; offset < text.length; offset = end) {
    end = endOfToken(text, offset);
    if (end === undefined) return { offset, kind: "syntax" };
    const first = text.charAt(offset);
    if (" \t\r\n".includes(first)) continue;
    if (first === "/") {
      lenient ??= { offset, kind: "comment_in_json" };
      continue;
    }
    if (first === "}" || first === "]") {
      const trailing = expect === (first === "}" ? "key" : "value") && comma > 0;
      const fits = expect === "commaOrEnd" || expect === (first === "}" ? "keyOrEnd" : "valueOrEnd") || trailing;
      if (!fits || open.pop() !== (first === "}" ? "{" : "[")) return { offset, kind: "syntax" };
      if (trailing) lenient ??= { offset: comma, kind: "comment_in_json" };
      expect = open.length === 0 ? "end" : "commaOrEnd";
      continue;
    }
    const next = afterToken(first, expect, open);
    if (next === undefined) return { offset, kind: "syntax" };
    comma = first === "," ? offset : 0;
    expect = next;
  }
  return expect === "end" ? lenient : { offset: text.trimEnd().length, kind: "syntax" };
}

function afterToken(first: string, expect: Expect, open: ("{" | "[")[]): Expect | undefined {
  const value = expect === "value" || expect === "valueOrEnd";
  switch (first) {
    case "{":
    case "[":
      if (!value) return undefined;
      open.push(first);
      return first === "{" ? "keyOrEnd" : "valueOrEnd";
    case ":":
      return expect === "colon" ? "value" : undefined;
    case ",":
      if (expect !== "commaOrEnd") return undefined;
      return open.at(-1) === "{" ? "key" : "value";
    case '"':
      if (expect === "key" || expect === "keyOrEnd") return "colon";
      break;
  }
  if (!value) return undefined;
  return open.length === 0 ? "end" : "commaOrEnd";
}
