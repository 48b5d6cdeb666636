// Keeps the named operations and webhooks of an OpenAPI description with every schema they reach, as plain JSON Schema.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const ANNOTATIONS = new Set([
  "default",
  "deprecated",
  "description",
  "discriminator",
  "example",
  "examples",
  "externalDocs",
  "nullable",
  "readOnly",
  "title",
  "writeOnly",
  "xml",
]);
const KEYS_OF_A_SCHEMA = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "properties"];

/** What the referee reads of the REST description. */
export interface ReducedRest {
  operations: JsonObject;
  schemas: JsonObject;
}

/** What the referee reads of the webhook description. */
export interface ReducedWebhooks {
  events: JsonObject;
  schemas: JsonObject;
}

/** Reduces to operations named as "GET /repos/{owner}/{repo}". Throws when one of them does not exist. */
export function reduceRest(description: unknown, operations: readonly string[]): ReducedRest {
  const root = object(description as Json);
  const components = object(root.components);
  const reduced: JsonObject = {};
  for (const name of operations) {
    const [method = "", path = ""] = name.split(" ");
    const item = object(root.paths)[path];
    const operation = item && object(item)[method.toLowerCase()];
    if (!operation) throw new Error(`no operation ${name} in the description`);
    reduced[name] = reduceOperation(object(operation), object(item), components);
  }
  return { operations: reduced, schemas: reachable(reduced, components) };
}

/** Reduces to webhooks named as "pull-request-opened". Throws when one of them does not exist. */
export function reduceWebhooks(description: unknown, events: readonly string[]): ReducedWebhooks {
  const root = object(description as Json);
  const reduced: JsonObject = {};
  for (const name of events) {
    const hook = object(root.webhooks)[name];
    if (!hook) throw new Error(`no webhook ${name} in the description`);
    reduced[name] = jsonSchemaOf(object(object(hook).post).requestBody);
  }
  return { events: reduced, schemas: reachable(reduced, object(root.components)) };
}

function reduceOperation(operation: JsonObject, item: JsonObject, components: JsonObject): JsonObject {
  const parameters = [...list(item.parameters), ...list(operation.parameters)].map((each) => {
    const parameter = followed(object(each), components);
    return {
      name: parameter.name ?? "",
      in: parameter.in ?? "",
      required: parameter.required ?? false,
      schema: jsonSchema(parameter.schema ?? {}),
    };
  });
  const responses = Object.entries(object(operation.responses)).map(([status, response]) => [
    status,
    jsonSchemaOf(followed(object(response), components)),
  ]);
  return {
    id: operation.operationId ?? "",
    parameters,
    body: operation.requestBody ? jsonSchemaOf(operation.requestBody) : null,
    bodyRequired: operation.requestBody ? (object(operation.requestBody).required ?? false) : false,
    responses: Object.fromEntries(responses),
  };
}

function jsonSchemaOf(carrier: Json | undefined): Json {
  const content = object(object(carrier).content);
  const json = content["application/json"];
  return json ? jsonSchema(object(json).schema ?? {}) : null;
}

function followed(value: JsonObject, components: JsonObject): JsonObject {
  if (typeof value.$ref !== "string") return value;
  const [kind = "", name = ""] = value.$ref.split("/").slice(2);
  return object(object(components[kind])[name]);
}

function reachable(start: Json, components: JsonObject): JsonObject {
  const all = object(components.schemas);
  const found: JsonObject = {};
  const waiting = referencesIn(start);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in found) continue;
    found[name] = jsonSchema(all[name] ?? {});
    waiting.push(...referencesIn(found[name] ?? null));
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function referencesIn(value: Json): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");
}

/** OpenAPI 3.0 writes null as `nullable`; a property may share its name with a keyword, so the two are told apart. */
function jsonSchema(value: Json, keysAreNames = false): Json {
  if (Array.isArray(value)) return value.map((each) => jsonSchema(each));
  if (value === null || typeof value !== "object") return value;
  const result: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (!keysAreNames && (ANNOTATIONS.has(key) || key.startsWith("x-"))) continue;
    if (!keysAreNames && key === "$ref" && typeof child === "string")
      result.$ref = child.replace("#/components/schemas/", "#/schemas/");
    else if (!keysAreNames && (key === "enum" || key === "required")) result[key] = child;
    else result[key] = jsonSchema(child, !keysAreNames && key === "properties");
  }
  if (!keysAreNames && isUserAndEnterprise(value)) {
    result.anyOf = result.allOf ?? [];
    delete result.allOf;
  }
  return !keysAreNames && value.nullable === true ? orNull(result) : result;
}

/** The account of an installation in `GET /app/installations` is described as both at once, which nothing can be; elsewhere as either. */
function isUserAndEnterprise(schema: JsonObject): boolean {
  const titles = list(schema.allOf).map((part) => object(part).title);
  return titles.length === 2 && titles.includes("Simple User") && titles.includes("Enterprise");
}

function orNull(schema: JsonObject): Json {
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  const empty = !KEYS_OF_A_SCHEMA.some((key) => key in schema);
  return empty ? schema : { anyOf: [schema, { type: "null" }] };
}

function object(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
