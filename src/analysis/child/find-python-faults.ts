import ruff, { type Diagnostic } from "@astral-sh/ruff-wasm-nodejs";
import { OwnText } from "../patterns/python/own-text.ts";
import type { RuffRule } from "../ruff-rule.ts";
import { RUFF_RULES } from "../ruff-rules.ts";
import { RUFF_SECURITY_RULES } from "../ruff-security-rules.ts";
import type { ChildFile, PythonHit, PythonResult } from "./protocol.ts";

const TABLES = { ruff: RUFF_RULES, "ruff-security": RUFF_SECURITY_RULES } as const;

/** Each is checked by reading the whole file again. */
const MOST_FIXES = 20;

/** A reader of Python with the rules of one table and nothing else switched on. A panic ends the process, as its memory is lost. */
export function findPythonFaults(table: keyof typeof TABLES): (file: ChildFile) => PythonResult {
  const rules = TABLES[table];
  const settings = { "target-version": "py314", lint: { select: [...rules.keys()] } };
  const workspace = new ruff.Workspace(settings, 1);
  const check = (text: string) => workspace.check(text) as Diagnostic[];
  const parses = (text: string) => !check(text).some(isSyntaxError);
  return ({ text, oldText }) => {
    const diagnostics = check(text);
    const broken = diagnostics.find(isSyntaxError);
    if (broken !== undefined) {
      const fresh = oldText === undefined || parses(oldText);
      return { broken: { line: broken.start_location.row, column: broken.start_location.column, fresh } };
    }
    let fixes = 0;
    let own: OwnText | undefined;
    const ownText = () => {
      own ??= new OwnText(text);
      return own;
    };
    return {
      hits: diagnostics.flatMap((diagnostic) => {
        const rule = rules.get(diagnostic.code ?? "");
        if (rule === undefined || !isMeant(rule, diagnostic, text, ownText)) return [];
        const hit = toHit(diagnostic);
        const edit = rule.fix && fixes < MOST_FIXES ? singleEdit(diagnostic) : undefined;
        if (edit === undefined) return [hit];
        fixes += 1;
        return parses(apply(text, edit)) ? [{ ...hit, edit }] : [hit];
      }),
    };
  };
}

function isSyntaxError({ code }: Diagnostic): boolean {
  return code === "invalid-syntax" || code === null;
}

function isMeant(
  rule: RuffRule,
  { message, start_location, end_location }: Diagnostic,
  text: string,
  own: () => OwnText,
) {
  if (rule.unlessSaying?.test(message) || rule.unlessFile?.test(text)) return false;
  const lines = text.split("\n");
  // A name inside a string is a type, or a plain string of a Literal that ruff did not recognise.
  const line = lines[start_location.row - 1] ?? "";
  if (rule.code === "F821" && /["']$/.test(line.slice(0, start_location.column - 1))) return false;
  if (rule.unlessCode?.test(lines.slice(start_location.row - 1, end_location.row).join("\n"))) return false;
  if (rule.unlessOwn === undefined) return true;
  const offset = ({ row, column }: { readonly row: number; readonly column: number }) =>
    lines.slice(0, row - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  const from = offset(start_location);
  return !(rule.unlessOwn === "command" ? own().isCommand(from) : own().isPutTogether(from, offset(end_location)));
}

function toHit({ code, message, start_location, end_location }: Diagnostic): PythonHit {
  return {
    code: code ?? "",
    message,
    line: start_location.row,
    column: start_location.column,
    endLine: end_location.row,
    endColumn: end_location.column,
  };
}

function singleEdit({ fix }: Diagnostic): PythonHit["edit"] {
  const [edit, ...others] = fix?.edits ?? [];
  if (edit === undefined || others.length > 0) return undefined;
  return {
    start: { line: edit.location.row, column: edit.location.column },
    end: { line: edit.end_location.row, column: edit.end_location.column },
    text: edit.content ?? "",
  };
}

function apply(text: string, { start, end, text: replacement }: NonNullable<PythonHit["edit"]>): string {
  const lines = text.split("\n");
  const offset = ({ line, column }: { line: number; column: number }) =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  return text.slice(0, offset(start)) + replacement + text.slice(offset(end));
}
