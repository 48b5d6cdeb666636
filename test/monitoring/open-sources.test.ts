import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openSources } from "../../src/monitoring/open-sources.ts";

const folder = mkdtempSync(join(tmpdir(), "forge-sources-"));
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(sources: object): string[] {
  const path = join(folder, "sources.json");
  writeFileSync(path, JSON.stringify(sources));
  try {
    openSources(path, {});
    return [];
  } catch (error) {
    return [...(error as Error).message.matchAll(/^ {2}- (.*)$/gm)].map(([, problem = ""]) => problem);
  }
}
const place = `must say where it stands: {"variable": "NAME"} for a variable of the environment, or {"file": "path"} for a file next to this one`;

it.each<[string, object, string[]]>([
  [
    "a repository without its owner",
    { repositories: { parcels: {} } },
    ["repositories.parcels: this name must be owner/name"],
  ],
  [
    "a third environment",
    { repositories: { "a/b": { integration: {} } } },
    ["repositories.a/b.(a key) is not known; known here: staging, production"],
  ],
  [
    "a key that is nearly known",
    { repositories: { "a/b": { staging: { prometheus: { uri: "http://x" } } } } },
    [
      "repositories.a/b.staging.prometheus.url is missing",
      "repositories.a/b.staging.prometheus.uri is not known; did you mean url?",
    ],
  ],
  [
    "a secret in the file",
    { repositories: { "a/b": { staging: { prometheus: { url: "http://x", token: "abc" } } } } },
    [`repositories.a/b.staging.prometheus.token ${place}`],
  ],
  [
    "one address where a list stands",
    { repositories: { "a/b": { staging: { health: { url: "http://x" } } } } },
    ["repositories.a/b.staging.health must be a list in [ ]"],
  ],
  [
    "a number for a name",
    { repositories: { "a/b": { staging: { prometheus: { url: "http://x", names: { requests: 3 } } } } } },
    ["repositories.a/b.staging.prometheus.names.requests must be a text"],
  ],
  [
    "an address that is none",
    { repositories: { "a/b": { staging: { prometheus: { url: "shop:9090" } } } } },
    ["repositories.a/b.staging.prometheus.url must be an http or https address"],
  ],
  [
    "an unknown sender",
    { doors: { a: { kind: "sentri" } } },
    [`doors.a.kind must be one of "sentry", "alertmanager", "grafana", "plain"`],
  ],
  [
    "a wrong target",
    { doors: { a: { kind: "plain", projects: { "*": { repository: "a/b", environment: "prod" } } } } },
    [`doors.a.secret is missing; it ${place}`, `doors.a.projects.*.environment must be "staging" or "production"`],
  ],
  ["a name at the top", { door: {} }, ["door is not known; did you mean doors?"]],
  [
    "a secret for a key",
    {
      repositories: {
        "a/b": { staging: { prometheus: { url: "http://x", headers: { "Authorization: Bearer hunter2": "" } } } },
      },
    },
    ["repositories.a/b.staging.prometheus.headers.(a key): this name must be the name of a header"],
  ],
  [
    "a token for a key",
    { repositories: { "a/b": { hunter2hunter2: {} } }, doors: { k9f3q27xb5m1z8: { kind: "sentri" } } },
    [
      "repositories.a/b.(a key) is not known; known here: staging, production",
      'doors.(a key).kind must be one of "sentry", "alertmanager", "grafana", "plain"',
    ],
  ],
  [
    "a secret in capitals for the name of its variable",
    {
      repositories: {
        "a/b": { staging: { prometheus: { url: "http://x", token: { variable: "AKIAHUNTER2HUNTER2XX" } } } },
      },
    },
    ["repositories.a/b.staging.prometheus.token: the variable that it names is missing or empty"],
  ],
  [
    "a secret for the name of its variable",
    { repositories: { "a/b": { staging: { prometheus: { url: "http://x", token: { variable: "ghp_hunter2" } } } } } },
    ["repositories.a/b.staging.prometheus.token: the variable that it names is missing or empty"],
  ],
])("CLI-3, MON-1: of %s in the file of sources it says what is allowed", (_, sources, problems) => {
  expect(problemsOf(sources).toSorted()).toEqual(problems.toSorted());
});

it("SEC-6: where the file of sources is no JSON, it says the place, and never what was typed there", () => {
  const path = join(folder, "broken.json");
  writeFileSync(path, '{\n  "token": ghp_hunter2\n}');
  expect(() => openSources(path, {})).toThrow("it is not JSON: check its quotes, commas and brackets");
  expect(() => openSources(path, {})).not.toThrow("hunter2");
  writeFileSync(path, '{\n  "token": "ghp_hunter2"\n  "url": ""\n}');
  expect(() => openSources(path, {})).toThrow("it is not JSON: see line 3 column 3");
});
