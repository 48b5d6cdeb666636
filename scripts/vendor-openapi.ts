// Writes simulator/schema-data/: the part of GitHub's own OpenAPI descriptions that the simulator serves, as JSON Schema, and its GraphQL schema.
// The packages are too large to depend on (hundreds of megabytes unpacked), so a pinned version is packed into a temporary
// folder, reduced and thrown away. The same pins give the same bytes: run it with `node scripts/vendor-openapi.ts`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, print, stripIgnoredCharacters, visit } from "graphql";
import { SERVED_EVENTS, SERVED_OPERATIONS } from "../simulator/served.ts";
import { reduceRest, reduceWebhooks } from "./reduce-openapi.ts";

const REST = { name: "@octokit/openapi", version: "23.0.2", license: "MIT" };
const WEBHOOKS = { name: "@octokit/openapi-webhooks", version: "12.1.0", license: "MIT" };
const GRAPHQL = { name: "@octokit/graphql-schema", version: "15.26.1", license: "MIT" };
const MEMBER = "package/generated/api.github.com.json";
const LARGEST_DESCRIPTION = 512 * 1024 * 1024;

function readMember(source: typeof REST, member: string, folder: string): string {
  const packed = execFileSync("npm", ["pack", "--silent", `${source.name}@${source.version}`], { cwd: folder });
  const archive = join(folder, packed.toString().trim());
  return execFileSync("tar", ["-xzOf", archive, member], { maxBuffer: LARGEST_DESCRIPTION }).toString();
}

function readDescription(source: typeof REST, folder: string): unknown {
  return JSON.parse(readMember(source, MEMBER, folder));
}

/** GitHub's whole GraphQL schema, a query against anything of which is checked, without its descriptions. */
function reduceGraphql(text: string): string {
  const bare = visit(parse(text), {
    enter: (node) => ("description" in node && node.description ? { ...node, description: undefined } : undefined),
  });
  return `# ${GRAPHQL.name} ${GRAPHQL.version}\n${bare.definitions.map((definition) => stripIgnoredCharacters(print(definition))).join("\n")}`;
}

function write(file: string, value: unknown): void {
  const text = `${typeof value === "string" ? value : JSON.stringify(value)}\n`;
  writeFileSync(new URL(`../simulator/schema-data/${file}`, import.meta.url), text);
  console.log(`${file}: ${Math.round(text.length / 1024)} KiB`);
}

const folder = mkdtempSync(join(tmpdir(), "forge-openapi-"));
try {
  write("rest.json", { source: REST, ...reduceRest(readDescription(REST, folder), SERVED_OPERATIONS) });
  write("webhooks.json", { source: WEBHOOKS, ...reduceWebhooks(readDescription(WEBHOOKS, folder), SERVED_EVENTS) });
  write("schema.graphql", reduceGraphql(readMember(GRAPHQL, "package/schema.graphql", folder)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
