// Compiles a schema when it is first needed, and says in one line what is wrong with a value.
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import * as formats from "ajv-formats";
import type { Schema } from "./operations.ts";

/** Formats of GitHub's own, for which there is nothing to check. */
const UNCHECKED = [
  "repo.nwo",
  "timestamp",
  "permalink",
  "ssh-key",
  "ssh-key fingerprint",
  "email",
  "uri",
  "uri-template",
];
const ALTERNATIVES = new Set(["anyOf", "oneOf", "allOf", "if"]);
const MOST_ERRORS = 6;

/** Returns null when the value fits, else the first few reasons. */
export type Check = (key: string, schema: Schema, value: unknown) => string | null;

export function createCheck(schemas: Readonly<Record<string, Schema>>): Check {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    verbose: true,
    validateSchema: false,
    inlineRefs: false,
    // To compile takes twice as long with it, and nothing is checked often enough to gain that back.
    code: { optimize: false },
  });
  formats.default.default(ajv);
  for (const format of UNCHECKED) ajv.addFormat(format, true);
  ajv.addSchema({ $id: "github", schemas: withAbsoluteReferences(schemas) });
  const compiled = new Map<string, ValidateFunction>();
  return (key, schema, value) => {
    const validate = compiled.get(key) ?? ajv.compile(withAbsoluteReferences(schema) as Schema);
    compiled.set(key, validate);
    if (validate(value)) return null;
    const errors = (validate.errors ?? []).filter((error) => !isForgiven(error));
    return errors.length > 0 ? explain(errors) : null;
  };
}

/** Where GitHub itself does not keep to its description. */
const FORGIVEN: readonly { readonly keyword: string; readonly place: RegExp; readonly data?: string }[] = [
  // a comment on a whole file, and an outdated one, has no line, and an outdated one no position
  { keyword: "type", place: /\/((original_)?line|position)$/ },
  // the repository of a head is null once the fork was deleted
  { keyword: "type", place: /\/head\/repo$/ },
  // an App's own events are copied into payloads whose list of events is older
  { keyword: "enum", place: /\/(app|performed_via_github_app)\/events\/\d+$/ },
  // a run of a commit that was deployed under no other name has no branch
  { keyword: "type", place: /\/workflow_run\/head_branch$/ },
  // where a job waits for rules: https://docs.github.com/en/graphql/reference/enums#deploymentstatusstate
  { keyword: "enum", place: /(^|\/\d+)\/state$/, data: "waiting" },
  // "null" alone is described for what a run in deployment_status and deployment has
  { keyword: "type", place: /\/workflow_run\/head_commit$/ },
  // for a job, a deployment, and a pull request that are not there
  { keyword: "type", place: /^\/deployment$/ },
];

function isForgiven({ keyword, instancePath, data, params }: ErrorObject): boolean {
  // alternatives that cannot be told apart, such as the two kinds of error whose fields are all optional
  if (keyword === "oneOf" && params.passingSchemas !== null) return true;
  if (keyword === "type" && data !== null) return false;
  return FORGIVEN.some(
    (each) => each.keyword === keyword && each.place.test(instancePath) && (each.data ?? data) === data,
  );
}

function withAbsoluteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAbsoluteReferences);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [
    key,
    key === "$ref" && typeof child === "string" ? child.replace(/^#\//, "github#/") : withAbsoluteReferences(child),
  ]);
  return Object.fromEntries(entries);
}

function explain(errors: readonly ErrorObject[]): string {
  const leaves = errors.filter((error) => !ALTERNATIVES.has(error.keyword));
  return (leaves.length > 0 ? leaves : errors)
    .slice(0, MOST_ERRORS)
    .map((error) => `${error.instancePath || "/"} ${error.message} ${detail(error)}`.trimEnd())
    .join("; ");
}

function detail({ keyword, params }: ErrorObject): string {
  if (keyword === "enum") return JSON.stringify(params.allowedValues);
  return keyword === "additionalProperties" ? String(params.additionalProperty) : "";
}
