import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { withoutSecrets } from "../../src/app/examine.ts";
import { examineProgram, examineSources } from "../../src/app/examine-deploying.ts";
import { NO_SOURCES, type Sources } from "../../src/monitoring/open-sources.ts";
import { SourceSettings } from "../../src/monitoring/settings.ts";
import { serve } from "../monitoring/serve.ts";

async function examined(deployProgram: string | undefined, sources: Sources = NO_SOURCES) {
  const { what, state, detail } = await examineProgram(deployProgram ? { deployProgram } : {});
  const found: Record<string, string> = { [what]: `${state}: ${detail}` };
  for await (const source of examineSources({ sources })) found[source.what] = `${source.state}: ${source.detail}`;
  return found;
}

it("CLI-3: doctor says whether the program that deploys can be run, and that nothing is set up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "deploy-step");
  expect(await examined(undefined)).toEqual({
    "deploy program": "off: none is set up; `way: program` in a forge.yml cannot deploy",
    sources: "off: none are set up; Forge watches no deployment",
  });
  expect((await examined(program))["deploy program"]).toBe(`wrong: ${program} does not exist`);
  expect((await examined(folder))["deploy program"]).toBe(`wrong: ${folder} is no file`);
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o644);
  expect((await examined(program))["deploy program"]).toBe(`wrong: ${program} may not be run`);
  chmodSync(program, 0o755);
  expect((await examined(program))["deploy program"]).toMatch(/^ok: /);
});

it("CLI-3, MON-1: doctor asks each source: a wrong address, a refused token, an unknown metric and an unhealthy service are told apart", async () => {
  const asked: string[] = [];
  const prometheus = await serve((request, response, body) => {
    if (request.headers.authorization !== "Bearer right") return response.writeHead(401).end();
    const promql = new URLSearchParams(body).get("query") ?? "";
    asked.push(promql);
    const has = promql === "vector(1)" || promql.includes("http_requests_total");
    const result = has ? [{ metric: {}, value: [Date.now() / 1000, "1"] }] : [];
    return response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result } }));
  });
  const sick = await serve((_, response) => response.writeHead(503).end());
  const token = { variable: "TOKEN" };
  const written = SourceSettings.parse({
    repositories: {
      "acme/good": { production: { prometheus: { url: prometheus, token, names: { labels: { job: "shop" } } } } },
      "acme/named": { staging: { prometheus: { url: prometheus, token, names: { requests: "other_total" } } } },
      "acme/closed": { production: { prometheus: { url: prometheus } } },
      "acme/sick": { production: { health: [{ url: `${sick}/health` }, { url: "http://127.0.0.1:9/health" }] } },
    },
    doors: { bugs: { kind: "sentry", secret: token, projects: {} } },
  });
  const found = await examined(undefined, { ...written, secretAt: () => "right", secrets: [] });
  expect(found).toMatchObject({
    "source acme/good production: Prometheus": `ok: ${prometheus} has http_requests_total by version`,
    "source acme/named staging: Prometheus": `warning: ${prometheus} answers, and has no other_total with the label version: it knows no such series`,
    "source acme/closed production: Prometheus": expect.stringMatching(/^wrong: .*401/),
    "source acme/sick production: health": expect.stringMatching(
      /^wrong: http:\/\/127\.0\.0\.1:9\/health: it could not be reached/,
    ),
    feedback: "ok: taken at /api/feedback/bugs",
  });
  expect(asked).toContain('count(http_requests_total{job="shop",version!=""})');
});

it("CLI-3, SEC-6: all sources are asked before one has answered, and what an address asks is not shown", async () => {
  const waiting: (() => void)[] = [];
  const slow = await serve((_, response) => {
    waiting.push(() => response.end("{}"));
    if (waiting.length === 3) for (const answer of waiting) answer();
  });
  const health = ["/a?key=hunter2", "/b", "/c"].map((path) => ({ url: `${slow}${path}` }));
  const written = SourceSettings.parse({ repositories: { "acme/shop": { production: { health } } } });
  const details: string[] = [];
  const sources = { ...written, secretAt: () => "", secrets: [] };
  for await (const { state, detail } of examineSources({ sources })) details.push(`${state}: ${detail}`);
  expect(details).toEqual(["/a?…", "/b", "/c"].map((path) => `ok: ${slow}${path} answers 200`));
});

it("SEC-6: of what an examination found, the secrets that Forge knows are taken out", async () => {
  const found = { what: "source", state: "ok", detail: "http://shop/hook/sesame-open-77 answers 200" } as const;
  const shown = await Array.fromAsync(withoutSecrets(["sesame-open-77"], [found]));
  expect(shown).toEqual([{ ...found, detail: "http://shop/hook/[redacted] answers 200" }]);
});
