import { describe, expect, it } from "vitest";
import type { PackageVersion } from "../../../src/analysis/dependencies/advisory-source.ts";
import { chooseAdvisories } from "../../../src/analysis/dependencies/choose-advisories.ts";
import { compareVersions, satisfies } from "../../../src/analysis/dependencies/compare-versions.ts";
import { cvssScore } from "../../../src/analysis/dependencies/cvss.ts";
import { createNpmBulkSource } from "../../../src/analysis/dependencies/npm-bulk-source.ts";
import { createOsvSource } from "../../../src/analysis/dependencies/osv-source.ts";
import { osvAnswers, startAdvisoryServer } from "./advisory-server.ts";

const npm = (name: string, version: string): PackageVersion => ({ ecosystem: "npm", name, version });
const signal = new AbortController().signal;
const range = (name: string, ...events: object[]) => ({
  affected: [{ package: { ecosystem: "npm", name }, ranges: [{ type: "SEMVER", events }] }],
});

const KNOWN = [
  {
    id: "GHSA-aaaa-bbbb-cccc",
    name: "left",
    versions: ["1.0.0"],
    record: {
      summary: "Left  goes\nright",
      severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
      ...range("left", { introduced: "0" }, { fixed: "1.0.9" }, { introduced: "2.0.0" }, { fixed: "2.0.4" }),
    },
  },
  { id: "GHSA-dddd-eeee-ffff", name: "left", versions: ["1.0.0"], record: { withdrawn: "2026-01-01T00:00:00Z" } },
  { id: "MAL-2026-1", name: "evil", versions: ["0.0.1"], record: { summary: "Malicious code in evil" } },
  {
    id: "GO-2026-1",
    name: "github.com/a/b",
    versions: ["1.2.0"],
    record: { database_specific: { severity: "HIGH" }, details: "First line\nsecond" },
  },
];

describe("a service with the interface of OSV", () => {
  it("REV-1: gives severity, summary and the version that mends each advisory", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const source = createOsvSource(server.url);
    const packages = [
      npm("left", "1.0.0"),
      npm("fine", "1.0.0"),
      npm("evil", "0.0.1"),
      { ecosystem: "Go", name: "github.com/a/b", version: "v1.2.0" } as const,
    ];
    expect(await source.query(packages, signal)).toEqual({
      advisories: [
        {
          package: packages[0],
          id: "GHSA-aaaa-bbbb-cccc",
          severity: "critical",
          summary: "Left goes right",
          fixed: "1.0.9",
        },
        { package: packages[2], id: "MAL-2026-1", severity: "critical", summary: "Malicious code in evil" },
        { package: packages[3], id: "GO-2026-1", severity: "error", summary: "First line" },
      ],
    });
    expect(server.received[0]).toEqual({
      path: "/v1/querybatch",
      body: {
        queries: [
          { package: { name: "left", ecosystem: "npm" }, version: "1.0.0" },
          { package: { name: "fine", ecosystem: "npm" }, version: "1.0.0" },
          { package: { name: "evil", ecosystem: "npm" }, version: "0.0.1" },
          { package: { name: "github.com/a/b", ecosystem: "Go" }, version: "1.2.0" },
        ],
      },
    });
    const before = server.received.length;
    await source.query(packages.slice(0, 2), signal);
    expect(server.received.length).toBe(before);
  });

  it("asks a thousand at a time and reads every page", async () => {
    let pages = 0;
    await using server = await startAdvisoryServer(({ path, body }) => {
      if (path !== "/v1/querybatch") return { id: path.split("/").at(-1), summary: "x" };
      const { queries } = body as { queries: { page_token?: string; package: { name: string } }[] };
      return {
        results: queries.map(({ page_token: token, package: { name } }) => {
          if (name !== "many") return {};
          pages += 1;
          return token ? { vulns: [{ id: "B-2" }] } : { vulns: [{ id: "A-1" }], next_page_token: "next" };
        }),
      };
    });
    const packages = [npm("many", "1.0.0"), ...Array.from({ length: 1_500 }, (_, at) => npm(`p${at}`, "1.0.0"))];
    const { advisories, unchecked } = await createOsvSource(server.url).query(packages, signal);
    expect([advisories.map(({ id }) => id), unchecked, pages]).toEqual([["A-1", "B-2"], undefined, 2]);
    const sizes = server.received
      .filter(({ path }) => path === "/v1/querybatch")
      .map(({ body }) => (body as { queries: unknown[] }).queries.length);
    expect(sizes).toEqual([1_000, 1, 501]);
  });

  it.each([
    ["a failing service", 503, "the advisory service did not answer (status 503)"],
    ["a web page", "<html>", "the advisory service did not answer (the answer was not JSON)"],
    ["another service", { hello: 1 }, "the advisory service did not answer (its answer has another form)"],
    ["too few results", { results: [] }, "the advisory service did not answer (its answer has another form)"],
  ])("GH-11a: says that %s was no answer", async (_, answer, unchecked) => {
    await using server = await startAdvisoryServer(() => answer);
    expect(await createOsvSource(server.url).query([npm("a", "1.0.0")], signal)).toEqual({
      ...{ advisories: [], unchecked, unanswered: [npm("a", "1.0.0")] },
    });
  });

  it("GH-11a: says so when nobody is there, and when the review is stopped", async () => {
    const { url } = await startAdvisoryServer(() => ({})).then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    const { unchecked } = await createOsvSource(url).query([npm("a", "1.0.0")], signal);
    expect(unchecked).toBe("the advisory service did not answer (it could not be reached)");
    await using hanging = await startAdvisoryServer(() => "hang");
    const stopped = await createOsvSource(hanging.url).query([npm("a", "1.0.0")], AbortSignal.timeout(50));
    expect(stopped.unchecked).toMatch(/^the advisory service did not answer/);
  });

  it("an advisory that cannot be read is still told", async () => {
    await using server = await startAdvisoryServer(({ path }) =>
      path === "/v1/querybatch" ? { results: [{ vulns: [{ id: "X-1" }] }] } : 500,
    );
    expect(await createOsvSource(server.url).query([npm("a", "1.0.0")], signal)).toMatchObject({
      advisories: [{ id: "X-1", severity: "warning" }],
      unchecked: "the advisory service did not answer (status 500)",
    });
  });
});

describe("an npm registry", () => {
  it("REV-1: gives what npm audit would", async () => {
    await using server = await startAdvisoryServer(({ body }) =>
      "left" in (body as object)
        ? {
            left: [
              {
                id: 1,
                url: "https://x.internal/GHSA-aaaa-bbbb-cccc",
                title: "T",
                severity: "moderate",
                vulnerable_versions: ">=1.0.0 <1.0.9 || <0.5.0",
              },
            ],
          }
        : {},
    );
    const source = createNpmBulkSource(`${server.url}/`);
    const packages = [
      npm("left", "1.0.0"),
      npm("left", "1.1.0"),
      { ecosystem: "Go", name: "x", version: "v1.0.0" } as const,
    ];
    expect(await source.query(packages, signal)).toEqual({
      advisories: [
        { package: packages[0], id: "GHSA-aaaa-bbbb-cccc", severity: "warning", summary: "T", fixed: "1.0.9" },
      ],
    });
    expect(server.received).toEqual([
      { path: "/-/npm/v1/security/advisories/bulk", body: { left: ["1.0.0", "1.1.0"] } },
    ]);
  });

  it("is asked for npm's packages where OSV gives no answer", async () => {
    await using osv = await startAdvisoryServer(() => 503);
    await using registry = await startAdvisoryServer(() => ({
      a: [{ id: 7, title: "T", severity: "high", vulnerable_versions: "<2" }],
    }));
    const source = chooseAdvisories({ osvUrl: osv.url, npmRegistryUrl: registry.url })!;
    expect(await source.query([npm("a", "1.0.0")], signal)).toMatchObject({
      advisories: [{ id: "7", severity: "error", fixed: "2" }],
    });
    const mixed = await source.query([npm("a", "1.0.0"), { ecosystem: "PyPI", name: "x", version: "1" }], signal);
    expect([mixed.advisories.length, mixed.unchecked]).toEqual([1, "the advisory service did not answer (status 503)"]);
    expect(chooseAdvisories({})).toBeUndefined();
  });
});

describe("versions", () => {
  it.each([
    [
      "npm",
      [
        "0.9.0",
        "1.0.0-1",
        "1.0.0-alpha.2",
        "1.0.0-alpha.10",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "v1.0.10",
        "2.0.0-0",
        "2.0.0",
      ],
    ],
    ["Go", ["v0.0.0-20200101000000-aaaaaaaaaaaa", "v1.0.0-0.20200101000000-aaaaaaaaaaaa", "v1.0.0", "1.2.0"]],
    ["crates.io", ["1.0.0-beta.9", "1.0.0-beta.11", "1.0.0", "1.0.1"]],
    ["PyPI", ["1.0.dev1", "1.0a2", "1.0a10", "1.0rc1", "1.0", "1.0.post1", "1.2b1", "1.2", "1!0.1"]],
    ["RubyGems", ["1.0.0-1", "1.0.0.rc1", "1.0.0", "1.0.0.1", "1.0.10"]],
  ] as const)("REV-1: of %s are ordered by its own rules, pre-releases first", (ecosystem, ordered) => {
    expect(ordered.toReversed().sort((a, b) => compareVersions(ecosystem, a, b))).toEqual(ordered);
  });

  it("REV-1: that no rule knows are compared by their numbers", () => {
    expect(compareVersions("npm", "1.2", "1.2.0")).toBe(0);
    expect(compareVersions("npm", "2.0.0b1", "2")).toBeLessThan(0);
    expect(compareVersions("PyPI", "2-custom", "10-custom")).toBeLessThan(0);
  });

  it("REV-1: pre-releases of a vulnerable version are vulnerable, and so is what cannot be read", () => {
    expect(satisfies("1.5.0", ">= 1.0.0 < 2.0.0")).toBe(true);
    expect(satisfies("2.0.0-0", ">=1.0.0 <2.0.0")).toBe(true);
    expect(satisfies("1.0.0-1", "<1.0.0")).toBe(true);
    expect(satisfies("2.0.0", ">=1.0.0 <2.0.0 || =2.1.0")).toBe(false);
    expect(satisfies("file:..", "<2.0.0")).toBe(true);
    expect(satisfies("1.0.0", "whatever")).toBe(true);
  });

  it("CVSS 3 scores as the calculator of its authors", () => {
    const vectors: [string, number | undefined][] = [
      ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8],
      ["CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1],
      ["CVSS:3.0/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:N/A:N", 2.5],
      ["CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H", 9.9],
      ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0],
      ["CVSS:4.0/AV:N", undefined],
    ];
    for (const [vector, score] of vectors) expect(cvssScore(vector), vector).toBe(score);
  });
});
