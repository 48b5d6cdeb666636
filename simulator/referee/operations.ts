// Which operation of GitHub's description a request is.
import { readFileSync } from "node:fs";

export type Schema = boolean | { readonly [key: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly bodyRequired: boolean;
  readonly responses: Readonly<Record<string, Schema | null>>;
}

export interface Description {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface WebhookDescription {
  readonly events: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface Match {
  readonly operation: Operation;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Files that scripts/vendor-openapi.ts writes. */
export function readDescription<T>(file: "rest.json" | "webhooks.json"): T {
  return JSON.parse(readFileSync(new URL(`../schema-data/${file}`, import.meta.url), "utf8")) as T;
}

/** These stand for paths with slashes in them. */
const SLASHED = /^(ref|basehead|branch|name)$/;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
  readonly operation: Operation;
}

/** The operation of a method and path; null when none is served. */
export type FindOperation = (method: string, path: string) => Match | null;

export function createMatcher({ operations }: Description): FindOperation {
  const routes = Object.entries(operations)
    .map(([name, operation]) => routeOf(name, operation))
    // the most literal template first: /pulls/comments/{id} before /pulls/{number}/comments
    .sort((one, other) => other.literals - one.literals);
  return (method, path) => {
    // the root of a repository's contents is asked for with an empty path
    const whole = path.endsWith("/contents") ? `${path}/` : path;
    for (const route of routes) {
      const found = route.method === method ? route.pattern.exec(whole) : null;
      if (!found) continue;
      const values = route.names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]);
      return { operation: route.operation, arguments: Object.fromEntries(values) };
    }
    return null;
  };
}

function routeOf(name: string, operation: Operation): Route {
  const [method = "", template = ""] = name.split(" ");
  const names: string[] = [];
  const segments = template.split("/").map((segment) => {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter === undefined) return segment.replace(/[.+*?^$()[\]]/g, "\\$&");
    names.push(parameter);
    if (parameter === "path") return "(.*)";
    return SLASHED.test(parameter) ? "(.+)" : "([^/]+)";
  });
  const literals = segments.filter((segment) => !segment.startsWith("(")).length;
  return { method, pattern: new RegExp(`^${segments.join("/")}$`), names, literals, operation };
}
