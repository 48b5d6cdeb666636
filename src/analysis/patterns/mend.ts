import { holds, place, type Subject } from "./conditions.ts";
import { lastName } from "./facts.ts";
import { LONGEST_CODE, matchesCode } from "./match-code.ts";
import { cooked, type Names } from "./names.ts";
import { bare, isWithin, type Node } from "./node.ts";
import type { Condition, Fix } from "./row.ts";

/** A part of the text and what stands there instead, offsets in UTF-16 units. */
export interface Mend {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The one edit that mends what a row found. @param at what its condition names, or the whole @returns undefined where it takes more */
export function mendOf(
  fix: Fix,
  when: Condition | undefined,
  subject: Subject,
  at: Node,
  names: Names,
): Mend | undefined {
  const { node } = subject;
  const isInside = at !== node && isWithin(at, node);
  const source = names.facts.text;
  if ("values" in fix) return parameters(node, names);
  if ("names" in fix) return renamed(fix.names, node);
  if ("replace" in fix) {
    const old = source.slice(at.start, at.end);
    const text = old.replace(fix.replace[0], fix.replace[1]);
    return text === old ? undefined : { from: at.start, to: at.end, text };
  }
  if ("append" in fix) return isInside ? { from: at.end, to: at.end, text: fix.append } : undefined;
  if ("without" in fix) return isInside ? removed(at) : undefined;
  if (isInside) return { from: at.start, to: at.end, text: fix.value };
  return when === undefined ? undefined : added(fix.value, when, subject, names);
}

function renamed(names: Readonly<Record<string, string>>, node: Node): Mend | undefined {
  const named = bare(node.callee ?? node.left ?? node);
  const name = named.type === "MemberExpression" && !named.computed ? lastName(named) : undefined;
  const { property } = named;
  if (name === undefined || property === undefined || !Object.hasOwn(names, name)) return undefined;
  return { from: property.start, to: property.end, text: names[name] ?? name };
}

/** Takes a member out of its object, with its comma. */
function removed(value: Node): Mend | undefined {
  const property = value.up;
  const members = property?.up?.properties ?? [];
  if (property?.type !== "Property" || property.value !== value) return undefined;
  const index = members.indexOf(property);
  const next = members[index + 1];
  const before = members[index - 1];
  if (next !== undefined) return { from: property.start, to: next.start, text: "" };
  return { from: before?.end ?? property.start, to: property.end, text: "" };
}

/** Puts a member that is missing into the object where it belongs. */
function added(value: string, when: Condition, subject: Subject, names: Names): Mend | undefined {
  const missing = missingIn(when, subject, names);
  if (missing?.option === undefined) return undefined;
  const path = missing.option.split(".");
  const key = path.pop() ?? "";
  const { argument = 0 } = missing;
  const found =
    path.length === 0 ? subject.args[argument] : place({ argument, option: path.join(".") }, subject.args, names);
  const object = typeof found === "object" ? bare(found) : undefined;
  if (object?.type !== "ObjectExpression") return undefined;
  if (!isWithin(object, subject.node)) return undefined;
  const last = object.properties?.at(-1);
  if (last === undefined) return { from: object.start, to: object.end, text: `{ ${key}: ${value} }` };
  return { from: last.end, to: last.end, text: `, ${key}: ${value}` };
}

function missingIn(when: Condition, subject: Subject, names: Names): Condition | undefined {
  if (when.missing && when.option !== undefined) return when;
  for (const each of [...(when.all ?? []), ...(when.any ?? [])]) {
    const found = holds(each, subject, names) ? missingIn(each, subject, names) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Drivers by how they mark a parameter; others are unknown. */
const MARKS: readonly (readonly [RegExp, (index: number) => string])[] = [
  [/^(?:pg|pg-pool|@neondatabase\/serverless):/, (index) => `$${index}`],
  [/^(?:mysql|mysql2|mysql2\/promise|mariadb|sqlite3|sqlite):/, () => "?"],
];
/** A value is compared with or put into something: not a name, not a direction, not a number of rows. */
const BEFORE_VALUE = /(?:[=<>]|\blike|\(|,)\s*$/i;
const NAMES_FOLLOW = /\b(?:order\s+by|group\s+by|select|from|into|update|join|table|set)\s+[\w\s.,"`]*$/i;

/** `db.query("… WHERE a = '" + a + "'")` with a parameter, where each part is a value. */
function parameters(call: Node, names: Names): Mend | undefined {
  const [text, ...rest] = call.arguments ?? [];
  const mark = MARKS.find(([package_]) => package_.test(names.pathOf(call.callee!)))?.[1];
  if (text === undefined || mark === undefined || rest.some((each) => !/Function/.test(each.type))) return undefined;
  const parts = partsOf(bare(text));
  if (parts === undefined) return undefined;
  const values: string[] = [];
  let query = "";
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      query += part;
      continue;
    }
    const quote = /["']$/.exec(query)?.[0];
    const next = parts[index + 1];
    if (quote !== undefined) {
      if (typeof next !== "string" || !next.startsWith(quote)) return undefined;
      parts[index + 1] = next.slice(1);
      query = query.slice(0, -1);
    }
    if (query.length > LONGEST_CODE || !BEFORE_VALUE.test(query) || matchesCode(NAMES_FOLLOW, query)) return undefined;
    values.push(names.facts.text.slice(part.start, part.end));
    query += mark(values.length);
  }
  if (values.length === 0 || values.length > 8) return undefined;
  const quoted = /[\n"\\]/.test(query) ? `\`${query.replace(/[`\\]|\$\{/g, "\\$&")}\`` : `"${query}"`;
  return { from: text.start, to: text.end, text: `${quoted}, [${values.join(", ")}]` };
}

function partsOf(text: Node): (string | Node)[] | undefined {
  if (text.type === "TemplateLiteral")
    return (text.quasis ?? []).flatMap((quasi, index) => {
      const expression = text.expressions?.[index];
      return expression === undefined ? [cooked(quasi)] : [cooked(quasi), expression];
    });
  if (text.type !== "BinaryExpression") return undefined;
  const parts: (string | Node)[] = [];
  let at: Node | undefined = text;
  for (; at?.type === "BinaryExpression" && at.operator === "+" && parts.length < 40; at = at.left && bare(at.left))
    parts.unshift(partOf(at.right!));
  if (at !== undefined) parts.unshift(partOf(at));
  return typeof parts[0] === "string" ? parts : undefined;
}

function partOf(node: Node): string | Node {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : node;
}
