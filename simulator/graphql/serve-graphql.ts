// GraphQL on GitHub's public schema, so that a query which GitHub would refuse is refused here. Few resolvers are real.
import { readFileSync } from "node:fs";
import { buildSchema, execute, type GraphQLSchema, parse, validate } from "graphql";
import { Problem } from "../problem.ts";
import { bodyOf, type Call } from "../rest/call.ts";
import type { World } from "../world.ts";
import { mutations } from "./mutations.ts";
import { queries } from "./queries.ts";

const PUBLISHED = new URL("../schema-data/schema.graphql", import.meta.url);
let schema: GraphQLSchema | null = null;

interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export async function serveGraphql(world: World, call: Call): Promise<Response> {
  const caller = call.get("caller");
  if (caller.kind !== "installation" && caller.kind !== "user") throw new Problem(401, "Requires authentication");
  // the schema takes a moment to build, so only those who ask wait for it
  schema ??= buildSchema(readFileSync(PUBLISHED, "utf8"), { assumeValid: true });
  const { query, variables, operationName } = bodyOf<GraphqlRequest>(call);
  const wrong = problemsOf(schema, query);
  if (wrong.length > 0) {
    const operation = call.get("facts").operation ?? "graphql";
    for (const detail of wrong) world.referee?.report({ where: "request", operation, detail, fatal: true });
    return call.json({ errors: wrong.map((message) => ({ message })) });
  }
  const rootValue = { ...queries(world, caller), ...mutations(world, caller) };
  const result = await execute({
    schema,
    document: parse(query),
    rootValue,
    ...(variables ? { variableValues: variables } : {}),
    ...(operationName ? { operationName } : {}),
  });
  const errors = result.errors?.map((error) => ({
    type: error.extensions.type ?? "UNPROCESSABLE",
    path: error.path,
    message: error.message,
  }));
  return call.json({ ...(result.data === undefined ? {} : { data: result.data }), ...(errors ? { errors } : {}) });
}

function problemsOf(known: GraphQLSchema, query: string): string[] {
  try {
    return validate(known, parse(query)).map((error) => error.message);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
