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
  ["a repository without its owner", { repositories: { parcels: {} } }, ["`repositories.(key 1)` must be owner/name."]],
  [
    "a third environment",
    { repositories: { "a/b": { integration: {} } } },
    ["`repositories.(key 1).(key 1)` is not a known setting. Known here: `staging`, `production`."],
  ],
  [
    "a key that is nearly known",
    { repositories: { "a/b": { staging: { prometheus: { uri: "http://x" } } } } },
    [
      "`repositories.(key 1).staging.prometheus.url` is missing.",
      "`repositories.(key 1).staging.prometheus.(key 1)` is not a known setting. Did you mean `repositories.(key 1).staging.prometheus.url`?",
    ],
  ],
  [
    "a secret in the file",
    { repositories: { "a/b": { staging: { prometheus: { url: "http://x", token: "abc" } } } } },
    [`\`repositories.(key 1).staging.prometheus.token\` ${place}.`],
  ],
  [
    "one address where a list stands",
    { repositories: { "a/b": { staging: { health: { url: "http://x" } } } } },
    ["`repositories.(key 1).staging.health` must be a list in [ ]."],
  ],
  [
    "a number for a name",
    { repositories: { "a/b": { staging: { prometheus: { url: "http://x", names: { requests: 3 } } } } } },
    ["`repositories.(key 1).staging.prometheus.names.requests` must be text."],
  ],
  [
    "an address that is none",
    { repositories: { "a/b": { staging: { prometheus: { url: "shop:9090" } } } } },
    ["`repositories.(key 1).staging.prometheus.url` must be an http or https address."],
  ],
  [
    "an unknown sender",
    { doors: { a: { kind: "sentri" } } },
    ["`doors.(key 1).kind` must be `sentry`, `alertmanager`, `grafana` or `plain`."],
  ],
  [
    "a wrong target",
    { doors: { a: { kind: "plain", projects: { "*": { repository: "a/b", environment: "prod" } } } } },
    [
      `\`doors.(key 1).secret\` is missing; it ${place}.`,
      "`doors.(key 1).projects.(key 1).environment` must be `staging` or `production`.",
    ],
  ],
  ["a name at the top", { door: {} }, ["`(key 1)` is not a known setting. Did you mean `doors`?"]],
  [
    "a secret for a key",
    {
      repositories: {
        "a/b": { staging: { prometheus: { url: "http://x", headers: { "Authorization: Bearer hunter2": "" } } } },
      },
    },
    ["`repositories.(key 1).staging.prometheus.headers.(key 1)` must be the name of a header."],
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

it("SEC-6: neither a secret of capitals in place of a variable's name nor one in place of a key is shown", () => {
  const token = { variable: "SWORDFISH7742" };
  const watched = { prometheus: { url: "http://x", token }, health: [{ url: "http://x", token }] };
  expect(problemsOf({ repositories: { "a/b": { staging: watched } } })).toEqual([
    "repositories.a/b.staging.prometheus.token: the variable that it names is missing or empty",
    "repositories.a/b.staging.health.0.token: the variable that it names is missing or empty",
  ]);
  const typed = { staging: { SWORDFISH7742: "", prometheus: { url: "http://x", SWORDFISH7742: 1 } } };
  const repositories = { "SWORDFISH/7742": typed, SWORDFISH7742: {} };
  const problems = problemsOf({ repositories, doors: { SWORDFISH7742: 1 }, SWORDFISH7742: 1 });
  expect(problems).toHaveLength(5);
  expect(problems.join("\n")).not.toContain("SWORDFISH");
});
