import { z } from "zod";
import { nearestSetting } from "./nearest-setting.ts";

/** One thing that the schema does not accept, in words. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  /** It is the key that is wrong, not the value. */
  readonly atKey: boolean;
  readonly message: string;
}

export type SettingIssue = z.core.$ZodIssue;

/** What is special about one file of settings: how its places are shown, and what helps who writes it. */
export interface Dialect {
  /** A place as a sentence has it, such as `review.max_comments`. */
  readonly named: (path: readonly PropertyKey[]) => string;
  /** What the value has to be, in the file's own words; undefined: the usual ones. */
  readonly demand?: (issue: SettingIssue, value: unknown) => string | undefined;
  /** Follows a complaint about the type of a value; `usual` is the default. */
  readonly example?: (issue: z.core.$ZodIssueInvalidType, value: unknown, usual: unknown) => string;
}

/** The part of a JSON Schema that names settings. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly default?: unknown;
  readonly const?: unknown;
}

/** More would not help to correct a file. */
const MOST = 20;

const KINDS: Readonly<Record<string, string>> = {
  boolean: "`true` or `false`",
  int: "a whole number",
  number: "a number",
  string: "text",
  array: "a list",
  object: "a map of settings",
  record: "a map",
};

/** Says what a schema has against what was written, a sentence for each place; unknown names come with the nearest known one. */
export function explainSettings(
  schema: z.ZodType,
  dialect: Dialect,
): (error: z.ZodError, data: unknown) => Complaint[] {
  let shape: Shape | undefined;
  return (error, data) => {
    // Only where something is wrong: to write the schema down takes as long as all the rest.
    shape ??= z.toJSONSchema(schema, { io: "input" }) as Shape;
    const known = shape;
    return error.issues.flatMap((issue) => explain(issue, data, known, dialect)).slice(0, MOST);
  };
}

/** Whether the schema itself has this name at this place: keys of a map are the choice of who writes the file, so it has none of them. */
export function settingNames(schema: z.ZodType): (path: readonly PropertyKey[], key: string) => boolean {
  let shape: Shape | undefined;
  return (path, key) => {
    shape ??= z.toJSONSchema(schema, { io: "input" }) as Shape;
    return namesAt(shape, path).includes(key);
  };
}

function explain(issue: SettingIssue, data: unknown, shape: Shape, dialect: Dialect): Complaint[] {
  const { path } = issue;
  const { named } = dialect;
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, MOST)
      .map((key) => ({ path: [...path, key], atKey: true, message: unknownSetting(path, key, shape, named) }));
  }
  if (issue.code === "invalid_key") {
    const [inner] = issue.issues;
    if (inner && inner.code !== "too_small")
      return [{ path, atKey: true, message: ended(`${named(path)} ${inner.message}`) }];
    return [{ path, atKey: true, message: `${named(path.slice(0, -1))} has an entry without a name.` }];
  }
  return [{ path, atKey: false, message: ended(`${named(path)} ${demand(issue, data, shape, dialect)}`) }];
}

function demand(issue: SettingIssue, data: unknown, shape: Shape, dialect: Dialect): string {
  const { path } = issue;
  const value = valueAt(data, path);
  const special = dialect.demand?.(issue, value);
  const isMissing = value === undefined && path.length > 0;
  if (isMissing) return special === undefined ? "is missing" : `is missing; it ${special}`;
  if (special !== undefined) return special;
  if (value === null) return "has no value: give it one, or leave the line out";
  switch (issue.code) {
    case "invalid_type": {
      const usual = shapesAt(shape, path).find((each) => each.default !== undefined)?.default;
      return `must be ${KINDS[issue.expected] ?? issue.expected}${dialect.example?.(issue, value, usual) ?? ""}`;
    }
    case "invalid_value": {
      const words = issue.values.map(String);
      const alike = typeof value === "string" ? nearestSetting(value, words) : undefined;
      return `must be ${alternatives(words)}${alike === undefined ? "" : `. Did you mean \`${alike}\`?`}`;
    }
    case "invalid_union": {
      const kinds = shapesAt(shape, path.slice(0, -1)).map((each) => each.properties?.[String(path.at(-1))]?.const);
      const words = kinds.flatMap((kind) => (kind === undefined ? [] : [String(kind)]));
      return words.length === 0 ? "has none of the forms that are allowed" : `must be ${alternatives(words)}`;
    }
    case "too_big":
      return issue.origin === "array"
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case "too_small":
      if (issue.origin !== "number") return "must not be empty";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    default:
      return issue.message;
  }
}

/** A sentence, which ends with a full stop unless it is a question. */
function ended(sentence: string): string {
  return sentence.endsWith("?") ? sentence : `${sentence}.`;
}

function unknownSetting(path: readonly PropertyKey[], key: string, shape: Shape, named: Dialect["named"]): string {
  const place = named([...path, key]);
  if (/[^\P{Zs} ]/u.test(key)) return `${place} has a space in it that is no plain one. Use plain ones.`;
  const siblings = namesAt(shape, path);
  const alike = nearestSetting(key, siblings);
  const likely = alike === undefined ? elsewhere(shape, key, []) : [...path, alike];
  const hint = likely
    ? `Did you mean ${named(likely)}?`
    : `Known here: ${siblings.map((name) => `\`${name}\``).join(", ")}.`;
  return `${place} is not a known setting. ${hint}`;
}

/** The setting of this very name at another place: the usual mistake is a wrong indentation. */
function elsewhere(shape: Shape, name: string, path: readonly string[]): string[] | undefined {
  for (const [key, below] of Object.entries(shape.properties ?? {})) {
    if (key === name) return [...path, key];
    const deeper = elsewhere(below, name, [...path, key]);
    if (deeper) return deeper;
  }
  return undefined;
}

/** The names that settings have at a place, in the schema's order. */
function namesAt(shape: Shape, path: readonly PropertyKey[]): string[] {
  return [...new Set(shapesAt(shape, path).flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** All that a place may hold: of a union each of its forms. */
function shapesAt(shape: Shape, path: readonly PropertyKey[]): Shape[] {
  const forms = [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  const [first, ...rest] = path;
  if (first === undefined) return forms;
  return forms.flatMap(({ properties = {}, additionalProperties, items }) => {
    const name = String(first);
    const below =
      typeof first === "number" ? items : Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof below === "object" ? shapesAt(below, rest) : [];
  });
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    data,
  );
}

function alternatives(values: readonly string[]): string {
  const quoted = values.map((each) => `\`${each}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}
