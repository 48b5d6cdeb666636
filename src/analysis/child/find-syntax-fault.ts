import { parseSync } from "oxc-parser";
import { parseAllDocuments } from "yaml";
import type { Dialect } from "../languages.ts";
import { findJsonFault } from "./find-json-fault.ts";
import type { ChildFile, SyntaxFault, SyntaxResult } from "./protocol.ts";
import { readings } from "./readings.ts";

type Fault = Omit<SyntaxFault, "fresh">;

/** The YAML parser takes 50 µs a line and a kilobyte of memory; larger files are data. */
const LARGEST_YAML = 300_000;

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
    default:
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
