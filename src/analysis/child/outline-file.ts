import { parseSync } from "oxc-parser";
import { pythonModules } from "../imports/python-modules.ts";
import { scriptImports } from "../imports/script-modules.ts";
import type { Dialect } from "../languages.ts";
import { findLineStarts, placeOf } from "../source-file.ts";
import type { ChildFile, OutlineResult, OutlineSymbol } from "./protocol.ts";
import { readings } from "./readings.ts";

/** What a file declares and imports; null for what is not read or does not parse. */
export function outlineFile({ dialect, text }: ChildFile): OutlineResult {
  if (dialect === undefined) return null;
  return dialect === "py" ? outlinePython(text) : outlineScript(text, dialect);
}

/** In characters: no more of a line of Python, or of a signature, is matched. */
const LONGEST_LINE = 2_000;

/** Declarations of Python by their lines, of which each begins one: strings that look like them are rare. */
function outlinePython(text: string): OutlineResult {
  const symbols: OutlineSymbol[] = [];
  for (const [at, whole] of text.split("\n").entries()) {
    const line = whole.slice(0, LONGEST_LINE);
    const declared = /^( {4}|\t)?(?:async[ \t]+)?(def|class)[ \t]+(\w{1,200})/.exec(line);
    if (declared !== null) {
      const [, indent, word, name = ""] = declared;
      const kind = word === "class" ? "class" : indent === undefined ? "function" : "method";
      const signature = line
        .trim()
        .replace(/:\s*(?:#.*)?$/, "")
        .slice(0, 160);
      symbols.push({ name, kind, line: at + 1, exported: !name.startsWith("_"), signature });
    }
  }
  const imports = Array.from(pythonModules(text), (specifier) => ({ specifier, passesOn: false }));
  return { symbols, imports };
}

const SIGNATURE_CHARACTERS = 160;
/** Of one file: tables of constants say nothing about how a code base hangs together. */
const MOST_SYMBOLS = 200;

type Parsed = ReturnType<typeof parseSync>;

/** The parts of oxc's nodes that are read here. */
interface Declaration {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name?: string; readonly type: string } | null;
  readonly declaration?: Declaration | null;
  readonly declarations?: readonly Declaration[];
  readonly init?: { readonly type: string; readonly body?: { readonly start: number } } | null;
  readonly body?: { readonly start: number; readonly body?: readonly Member[] } | null;
}

interface Member extends Declaration {
  readonly key?: { readonly name?: string; readonly type: string };
  readonly value?: { readonly body?: { readonly start: number } | null } | null;
}

/** What JavaScript and TypeScript declare at their top level and import, however the file may be meant. */
function outlineScript(text: string, dialect: Dialect): OutlineResult {
  const parsed = parseAny(text, dialect);
  if (parsed === undefined) return null;
  const starts = findLineStarts(text);
  const symbols: OutlineSymbol[] = [];
  const add = (
    name: string | undefined,
    kind: OutlineSymbol["kind"],
    node: Declaration,
    exported: boolean,
    bodyAt?: number,
  ) => {
    if (name === undefined || symbols.length >= MOST_SYMBOLS) return;
    const signature = shortSignature(text.slice(node.start, bodyAt ?? node.end), kind);
    symbols.push({ name, kind, line: placeOf(starts, node.start).line, exported, signature });
  };
  for (const statement of parsed.program.body as unknown as readonly Declaration[]) {
    const exported = statement.type.startsWith("Export");
    const node = exported ? (statement.declaration ?? undefined) : statement;
    if (node !== undefined) declare(node, exported, add);
  }
  return { symbols, imports: scriptImports(parsed, text) };
}

/** A declaration as far as its body on one line, without comments; of a value or a type only as much as one line of it says. */
function shortSignature(declaration: string, kind: OutlineSymbol["kind"]): string {
  const [firstLine = ""] = declaration.split("\n");
  const whole = kind === "variable" || kind === "type" ? firstLine : declaration;
  const line = whole
    .replace(/\/\*[^*]{0,2000}\*\/|\/\/[^\n]*/g, "")
    .replace(/\s+/g, " ")
    .replace(/([([{]) | (?=[)\]])|,(?= ?\))/g, "$1")
    .slice(0, LONGEST_LINE)
    .replace(/(?: |\{|=>|=|\[|\(|\|)+$/, "");
  return line.length > SIGNATURE_CHARACTERS ? `${line.slice(0, SIGNATURE_CHARACTERS)}...` : line;
}

function declare(
  node: Declaration,
  exported: boolean,
  add: (
    name: string | undefined,
    kind: OutlineSymbol["kind"],
    node: Declaration,
    exported: boolean,
    bodyAt?: number,
  ) => void,
): void {
  const name = node.id?.name ?? (exported ? "default" : undefined);
  switch (node.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      add(name, "function", node, exported, node.body?.start);
      return;
    case "ClassDeclaration":
      add(name, "class", node, exported, node.body?.start);
      for (const member of node.body?.body ?? []) {
        if (member.type === "MethodDefinition" && member.key?.type === "Identifier")
          add(member.key.name, "method", member, exported, member.value?.body?.start);
      }
      return;
    case "TSInterfaceDeclaration":
      add(name, "interface", node, exported, node.body?.start);
      return;
    case "TSTypeAliasDeclaration":
      add(name, "type", node, exported);
      return;
    case "TSEnumDeclaration":
      add(name, "enum", node, exported, node.body?.start);
      return;
    case "VariableDeclaration":
      for (const each of node.declarations ?? []) {
        const made = each.init?.type === "ArrowFunctionExpression" || each.init?.type === "FunctionExpression";
        add(each.id?.name, made ? "function" : "variable", each, exported, made ? each.init?.body?.start : undefined);
      }
      return;
    default:
  }
}

function parseAny(text: string, dialect: Dialect): Parsed | undefined {
  for (const options of readings(dialect)) {
    const parsed = parseSync("file", text, options);
    if (!parsed.errors.some(({ severity }) => severity === "Error")) return parsed;
  }
  return undefined;
}
