import { z } from "zod";
import { RepoConfig } from "../../domain/repo-config.ts";
import { exampleOf, groupAdvice, nearestSetting } from "./setting-advice.ts";

/** One thing that the schema does not accept, in words. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  /** It is the key that is wrong, not the value. */
  readonly atKey: boolean;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** The part of a JSON Schema that names settings. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly default?: unknown;
}

const SHAPE = z.toJSONSchema(RepoConfig, { io: "input" }) as Shape;

/** More would not help to mend the file. */
const MOST = 20;

/** What the schema has against a configuration; unknown names come with the nearest known one. */
export function complaintsOf(error: z.ZodError, data: unknown): Complaint[] {
  return error.issues.flatMap((issue) => explain(issue, data)).slice(0, MOST);
}

function explain(issue: Issue, data: unknown): Complaint[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, MOST)
      .map((key) => ({ path: [...path, key], atKey: true, message: unknownSetting(path, key) }));
  }
  if (issue.code === "invalid_key") {
    const unusable = issue.issues.find(({ code }) => code === "custom");
    if (unusable) return [{ path, atKey: true, message: `${named(path)} ${unusable.message}.` }];
    return [{ path, atKey: true, message: `${named(path.slice(0, -1))} has an entry without a name.` }];
  }
  return [{ path, atKey: false, message: ended(`${named(path)} ${demand(issue, valueAt(data, path))}`) }];
}

function demand(issue: Issue, value: unknown): string {
  if (value === undefined && issue.path.length > 0) return "is missing";
  if (value === null) return "has no value: give it one, or leave the line out";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? issue.expected}${typeAdvice(issue, value)}`;
    case "invalid_value": {
      const words = issue.values.map(String);
      const alike = typeof value === "string" ? nearestSetting(value, words) : undefined;
      const hint = alike === undefined ? "" : `. Did you mean \`${alike}\`?`;
      return `must be ${alternatives(words.map((each) => `\`${each}\``))}${hint}`;
    }
    case "too_big":
      return issue.origin === "array"
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case "too_small":
      return issue.origin === "number" ? `must be at least ${issue.minimum}` : "must not be empty";
    case "invalid_format":
      return issue.path.at(-1) === "workflow"
        ? "must be the path of a workflow, such as `.github/workflows/deploy.yml`"
        : "must be small letters, digits and dashes, begin with a letter, and have at most 30 characters";
    default:
      return issue.message;
  }
}

/** How the value is written right: an example, as it follows the complaint. */
function typeAdvice({ expected, path }: z.core.$ZodIssueInvalidType, value: unknown): string {
  if (expected === "object" || expected === "record") return groupAdvice(value);
  const key = path.findLast((part) => typeof part === "string");
  const written = exampleOf(String(key), expected, value, path[0] === "tools");
  if (written !== "" || typeof path.at(-1) === "number") return typeof path.at(-1) === "number" ? "" : written;
  const usual = shapeAt(path)?.default;
  return typeof usual === "number" || typeof usual === "string" ? `, such as \`${usual}\`` : "";
}

/** A sentence, which ends with a full stop unless it is a question. */
function ended(sentence: string): string {
  return sentence.endsWith("?") ? sentence : `${sentence}.`;
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: "`true` or `false`",
  int: "a whole number",
  number: "a number",
  string: "text",
  array: "a list",
  object: "a map of settings",
  record: "a map",
};

function unknownSetting(path: readonly PropertyKey[], key: string): string {
  if (/[^\P{Zs} ]/u.test(key))
    return `${named([...path, key])} has a space in it that YAML does not know. Use plain ones.`;
  const siblings = Object.keys(shapeAt(path)?.properties ?? {});
  const alike = nearestSetting(key, siblings);
  const likely = alike === undefined ? elsewhere(SHAPE, key, []) : [...path, alike];
  const hint = likely
    ? `Did you mean ${named(likely)}?`
    : `Known here: ${siblings.map((name) => `\`${name}\``).join(", ")}.`;
  return `${named([...path, key])} is not a known setting. ${hint}`;
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

function shapeAt(path: readonly PropertyKey[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (shape, key) => (typeof key === "number" ? shape?.items : shape?.properties?.[String(key)]),
    SHAPE,
  );
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** `tools.analysers[0].name` */
function named(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The file";
  const text = path
    .map((key, at) =>
      typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key).replaceAll("`", "'")}`,
    )
    .join("");
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}

function alternatives(values: readonly string[]): string {
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
