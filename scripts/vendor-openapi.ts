// Writes simulator/schema-data/*.json: the part of GitHub's own OpenAPI descriptions that the simulator serves, as JSON Schema.
// The packages are too large to depend on (hundreds of megabytes unpacked), so a pinned version is packed into a temporary
// folder, reduced and thrown away. The same pins give the same bytes: run it with `node scripts/vendor-openapi.ts`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVED_EVENTS, SERVED_OPERATIONS } from "../simulator/served.ts";
import { reduceRest, reduceWebhooks } from "./reduce-openapi.ts";

const REST = { name: "@octokit/openapi", version: "23.0.2", license: "MIT" };
const WEBHOOKS = { name: "@octokit/openapi-webhooks", version: "12.1.0", license: "MIT" };
const MEMBER = "package/generated/api.github.com.json";
const LARGEST_DESCRIPTION = 512 * 1024 * 1024;

function readDescription(source: typeof REST, folder: string): unknown {
  const packed = execFileSync("npm", ["pack", "--silent", `${source.name}@${source.version}`], { cwd: folder });
  const archive = join(folder, packed.toString().trim());
  const text = execFileSync("tar", ["-xzOf", archive, MEMBER], { maxBuffer: LARGEST_DESCRIPTION });
  return JSON.parse(text.toString());
}

function write(file: string, value: unknown): void {
  const text = `${JSON.stringify(value)}\n`;
  writeFileSync(new URL(`../simulator/schema-data/${file}`, import.meta.url), text);
  console.log(`${file}: ${Math.round(text.length / 1024)} KiB`);
}

const folder = mkdtempSync(join(tmpdir(), "forge-openapi-"));
try {
  write("rest.json", { source: REST, ...reduceRest(readDescription(REST, folder), SERVED_OPERATIONS) });
  write("webhooks.json", { source: WEBHOOKS, ...reduceWebhooks(readDescription(WEBHOOKS, folder), SERVED_EVENTS) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
