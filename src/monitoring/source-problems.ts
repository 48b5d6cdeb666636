import { z } from "zod";
import { nearest } from "../domain/nearest.ts";
import { SourceSettings } from "./settings.ts";

type Issue = z.core.$ZodIssue;

/** The part of a JSON Schema that names settings. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

const SHAPE = z.toJSONSchema(SourceSettings, { io: "input" }) as Shape;

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  array: "a list in [ ]",
  object: "an object in { }",
  record: "an object in { }",
};

/** What is wrong with the file of sources, a sentence for each place: what was written there, and what may be. */
export function sourceProblems(error: z.ZodError, written: unknown): string[] {
  return error.issues.flatMap((issue) => explain(issue, written));
}

function explain(issue: Issue, written: unknown): string[] {
  const { path } = issue;
  const at = placeOf(path) || "the file";
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(path, key));
  }
  if (issue.code === "invalid_key") return [`${at}: this name ${issue.issues[0]?.message ?? "cannot be used"}`];
  const value = valueAt(written, path);
  const form = formOf(issue);
  if (value === undefined && path.length > 0) return [`${at} is missing${form === "" ? "" : `; it ${form}`}`];
  if (issue.code === "invalid_union") {
    if (issue.discriminator === undefined) return [`${at} ${form === "" ? issue.message : form}`];
    const kinds = shapesAt(SHAPE, path.slice(0, -1)).map(({ properties }) => properties?.kind);
    const words = kinds.flatMap((kind) => (kind !== undefined && "const" in kind ? [`"${String(kind.const)}"`] : []));
    return [`${at} must be one of ${words.join(", ")}`];
  }
  if (issue.code === "invalid_type") return [`${at} must be ${KINDS[issue.expected] ?? issue.expected}`];
  if (issue.code === "invalid_value")
    return [`${at} must be ${issue.values.map((each) => `"${String(each)}"`).join(" or ")}`];
  return [`${at} ${issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`];
}

/** A key is shown where settings are named so, or where a name of your own belongs that looks like one: a secret may have been typed there. */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" || isName(path.slice(0, at), String(key)) ? String(key) : UNSHOWN))
    .join(".");
}

const UNSHOWN = "(a key)";

function isName(above: readonly PropertyKey[], key: string): boolean {
  const shapes = shapesAt(SHAPE, above);
  if (shapes.some(({ properties = {} }) => Object.hasOwn(properties, key))) return true;
  const isFree = shapes.some(({ additionalProperties }) => typeof additionalProperties === "object");
  return isFree && /^[\w./*-]{1,60}$/.test(key) && !key.split(/[./-]/).some(looksDrawn);
}

/** Letters and digits in turn, as tokens have them and names do not. */
function looksDrawn(part: string): boolean {
  return part.length > 12 && (part.match(/\d+/g) ?? []).length > 2;
}

/** How a secret is named, of which the file has only the place. */
function formOf({ path }: Issue): string {
  const last = path.at(-1);
  return last === "token" || last === "secret"
    ? `must say where it stands: {"variable": "NAME"} for a variable of the environment, or {"file": "path"} for a file next to this one`
    : "";
}

/** What was typed is shown only where it is nearly a known name, or names one elsewhere in the file. */
function unknownKey(path: readonly PropertyKey[], key: string): string {
  const at = placeOf(path);
  const names = [...new Set(shapesAt(SHAPE, path).flatMap(({ properties = {} }) => Object.keys(properties)))];
  const alike = nearest(key.toLowerCase(), names, Math.max(1, Math.floor(key.length / 3)));
  const below = (name: string) => (at === "" ? name : `${at}.${name}`);
  if (alike !== undefined) return `${below(key)} is not known; did you mean ${alike}?`;
  const known = names.length === 0 ? "" : `; known here: ${names.join(", ")}`;
  return `${below(UNSHOWN)} is not known${known}`;
}

/** All that a place may hold: of a union each of its forms. */
function shapesAt(shape: Shape, path: readonly PropertyKey[]): Shape[] {
  const forms = [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  const [first, ...rest] = path;
  if (first === undefined) return forms;
  return forms.flatMap(({ properties, additionalProperties, items }) => {
    const below = typeof first === "number" ? items : (properties?.[String(first)] ?? additionalProperties);
    return typeof below === "object" ? shapesAt(below, rest) : [];
  });
}

function valueAt(written: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    written,
  );
}
