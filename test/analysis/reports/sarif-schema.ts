import { Ajv } from "ajv";

/**
 * What the OASIS schema of SARIF 2.1.0 (errata 01) demands of the members that Forge writes: types, required members, choices and least
 * values. Members that Forge does not write are refused here, so a contributor who adds one looks it up first. The review of the shops is
 * checked against the official schema too, in test/cli/shops.full.test.ts.
 */
const text = { type: "string" } as const;
const level = { enum: ["none", "note", "warning", "error"] } as const;
const position = { type: "integer", minimum: 1 } as const;
const bag = { type: "object", properties: { tags: { type: "array", uniqueItems: true, items: text } } } as const;

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) {
  return { type: "object", properties, required, additionalProperties: false };
}

function list(items: unknown, more: Readonly<Record<string, unknown>> = {}) {
  return { type: "array", items, ...more };
}

const message = object({ text }, ["text"]);
const artifactLocation = object({ uri: { type: "string", pattern: "^[A-Za-z0-9%/._~-]+$" }, uriBaseId: text });
const region = object(
  { startLine: position, startColumn: position, endLine: position, endColumn: position },
  // One of three that it may have; Forge counts lines.
  ["startLine"],
);
const rule = object(
  {
    id: text,
    name: text,
    help: object({ text, markdown: text }, ["text"]),
    helpUri: { type: "string", pattern: "^https://[^ ]+$" },
    shortDescription: message,
    fullDescription: message,
    defaultConfiguration: object({ level }),
    properties: bag,
  },
  ["id"],
);
const replacement = object({ deletedRegion: region, insertedContent: object({ text }) }, ["deletedRegion"]);
const change = object({ artifactLocation, replacements: list(replacement, { minItems: 1 }) }, [
  "artifactLocation",
  "replacements",
]);
const step = object({
  location: object({
    physicalLocation: object({ artifactLocation, region }, ["artifactLocation"]),
    message,
  }),
});
const threadFlow = object({ locations: list(step, { minItems: 1 }) }, ["locations"]);
const result = object(
  {
    ruleId: text,
    ruleIndex: { type: "integer", minimum: -1 },
    level,
    message,
    locations: list(object({ physicalLocation: object({ artifactLocation, region }, ["artifactLocation"]) })),
    partialFingerprints: { type: "object", additionalProperties: text },
    rank: { type: "number", minimum: -1, maximum: 100 },
    codeFlows: list(object({ threadFlows: list(threadFlow, { minItems: 1 }) }, ["threadFlows"])),
    fixes: list(object({ artifactChanges: list(change, { minItems: 1, uniqueItems: true }) }, ["artifactChanges"])),
    properties: bag,
  },
  ["message"],
);
const run = object(
  {
    tool: object(
      { driver: object({ name: text, version: text, rules: list(rule, { uniqueItems: true }) }, ["name"]) },
      ["driver"],
    ),
    columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
    originalUriBaseIds: { type: "object", additionalProperties: object({ description: message }) },
    invocations: list(
      object(
        {
          executionSuccessful: { type: "boolean" },
          toolExecutionNotifications: list(object({ level, message }, ["message"])),
        },
        ["executionSuccessful"],
      ),
    ),
    results: list(result),
  },
  ["tool"],
);

/** Says whether a log is valid; `errors` of it says why not. */
export const isSarif = new Ajv({ allErrors: true }).compile(
  object({ $schema: text, version: { const: "2.1.0" }, runs: list(run) }, ["version", "runs"]),
);
