import { describe, expect, it } from "vitest";
import { dependencies } from "../../../src/analysis/analysers/dependencies.ts";
import type { AdvisorySource } from "../../../src/analysis/dependencies/advisory-source.ts";
import { createOsvSource } from "../../../src/analysis/dependencies/osv-source.ts";
import type { ReadingRound } from "../../../src/analysis/reader/reading-round.ts";
import { analyse, readerContext, sourceFile } from "../change-of.ts";
import { osvAnswers, startAdvisoryServer } from "./advisory-server.ts";

type Entry = Readonly<Record<string, unknown>>;

function lock(packages: Readonly<Record<string, Entry>>, root: Entry = {}): string {
  const named = Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]));
  return `${JSON.stringify({ lockfileVersion: 3, packages: { "": root, ...named } }, null, 2)}\n`;
}
const from = (host: string, name: string, version: string): Entry => ({
  version,
  resolved: `https://${host}/${name}/-/${name}-${version}.tgz`,
  integrity: `sha512-${name}${version}`,
});

async function look(files: Parameters<typeof analyse>[0], advisories?: AdvisorySource) {
  const result = await analyse(files, { analysers: [dependencies], ...(advisories ? { advisories } : {}) });
  const told = result.observations.map(
    ({ file, line, rule, severity }) => `${file}:${line} ${severity} ${rule.slice("dependencies/".length)}`,
  );
  const layer = result.coverage.layers.find((one) => one.layer === "security")!;
  return { ...result, told, layer };
}

const KNOWN = [
  {
    id: "GHSA-1",
    name: "left",
    versions: ["1.0.0"],
    record: {
      summary: "Bad",
      database_specific: { severity: "HIGH" },
      affected: [{ ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "1.0.5" }] }] }],
    },
  },
  {
    id: "GHSA-2",
    name: "left",
    versions: ["1.0.0"],
    record: {
      summary: "Worse",
      database_specific: { severity: "CRITICAL" },
      affected: [{ ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "1.0.9" }] }] }],
    },
  },
  { id: "GHSA-3", name: "old", versions: ["1.0.0"], record: { summary: "Known before" } },
];
const old = lock({ old: from("registry.internal", "old", "1.0.0") });
const now = lock({ old: from("registry.internal", "old", "1.0.0"), left: from("registry.internal", "left", "1.0.0") });

describe("dependencies", () => {
  it("REV-1: one finding for a vulnerable package that the change adds, with the version that mends it all", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const { observations, told, layer } = await look({ "package-lock.json": [now, old] }, createOsvSource(server.url));
    expect(told).toEqual(["package-lock.json:10 critical vulnerable"]);
    expect(observations[0]).toMatchObject({
      source: "security",
      message: "left 1.0.0 has 2 known vulnerabilities: Worse (GHSA-2).",
      why: "Fixed in 1.0.9.",
      evidence: "GHSA-2, GHSA-1",
      confidence: 0.9,
    });
    expect(layer.state).toBe("ran");
    expect(
      server.received
        .flatMap(({ body }) => (body as { queries?: { package: { name: string } }[] } | undefined)?.queries ?? [])
        .map((query) => query.package.name),
    ).toEqual(["left"]);
  });

  it("REV-8, GH-11a: a manifest without a lock file: exact versions are looked up, the others named, and it is not green", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const manifest = (dependencies: object) => `${JSON.stringify({ name: "own", dependencies }, null, 2)}\n`;
    const lookUp = (files: Parameters<typeof analyse>[0]) => look(files, createOsvSource(server.url));
    const { told, layer } = await lookUp({
      "package.json": manifest({ left: "1.0.0", lodash: "^4" }),
      "parts/a/package.json": manifest({ left: "1.0.0", own: "^1.0.0" }),
    });
    expect(told).toEqual(["package.json:4 critical vulnerable", "parts/a/package.json:4 critical vulnerable"]);
    expect(layer).toMatchObject({
      state: "partly",
      reason: "dependencies: not checked: `lodash ^4`: no lock file that Forge reads has it",
    });
    const list = await lookUp({ "requirements.txt": "left==1.0.0\nflask>=2\n" });
    expect(list.layer.reason).toBe("dependencies: not checked: `flask >=2`: no lock file that Forge reads has it");
    const managed = Array.from(
      { length: 92 },
      (_, at) => `<dependency><groupId>g</groupId><artifactId>a${at}</artifactId></dependency>`,
    );
    const pom = await lookUp({
      "pom.xml": `<project><dependencies>\n${managed.join("\n")}\n</dependencies></project>\n`,
    });
    const few = "`g:a0`, `g:a1`, `g:a2`, `g:a3`, `g:a4`, 87 more";
    expect(pom.layer.reason).toBe(`dependencies: not checked: ${few}: what asks for them does not say their versions`);
    const locked = await lookUp({
      "parts/a/package.json": manifest({ left: "^1.0.0" }),
      "package-lock.json": lock({ left: from("registry.npmjs.org", "left", "1.0.6") }),
    });
    expect([locked.layer.state, locked.told]).toEqual(["ran", []]);
    const unread = {
      "build.sbt": "a\n",
      "mix.exs": ["a\n", "a\nb\n"],
      "pom.xml": "<project/>\n",
    } as const;
    const named = "`build.sbt`: Forge does not read this kind";
    const asked = await lookUp(unread);
    expect(asked.layer).toMatchObject({ state: "partly", reason: `dependencies: not checked: ${named}` });
    expect(asked.coverage.notes).toEqual([]);
    expect((await look(unread)).coverage.notes).toEqual([`Known vulnerabilities: not checked in ${named}.`]);
    // Nobody is asked about anything here, and the review says so once.
    const unasked = await look({ "package.json": manifest({ left: "1.0.0", lodash: "^4" }) });
    expect(unasked.layer.state).toBe("ran");
    expect(unasked.coverage.packages).toEqual({ asked: 0, unasked: [{ why: "unconfigured", count: 2 }] });
    expect(unasked.coverage.notes).toEqual([]);
  });

  it("REV-8: lists that only another list makes lists are read, and what constraints bind is looked up", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const tree = {
      "app/requirements.txt": "-r ../deps/prod.pip\n-c ../deps/pins\n",
      ...{ "deps/pins": "left==1.0.0\nflask==2.0\n", "deps/prod.pip": "a==1\n", "notes.txt": "left==1.0.0\n" },
    };
    const readOthers = async (paths: readonly string[]) =>
      new Map(paths.map((path) => [path, Buffer.from(tree[path as keyof typeof tree])]));
    const lookUp = async (files: Parameters<typeof analyse>[0]) => {
      const analysers = [dependencies];
      const change = { analysers, paths: Object.keys(tree), readOthers, advisories: createOsvSource(server.url) };
      const { observations, coverage } = await analyse(files, change);
      const { reason } = coverage.layers.find((one) => one.layer === "security")!;
      return { told: observations.map(({ file, line, rule }) => `${file}:${line} ${rule}`), reason, coverage };
    };
    const pinned = await lookUp({ "deps/prod.pip": ["a==1\nleft==1.0.0\n!\n", tree["deps/prod.pip"]] });
    expect(pinned.told).toEqual(["deps/prod.pip:2 dependencies/vulnerable"]);
    const reason = "line 3 names no package that Forge can read; the other lines were compared";
    expect(pinned.coverage.uncovered).toMatchObject([{ path: "deps/prod.pip", reason }]);
    const bound = await lookUp({
      "app/requirements.txt": [`${tree["app/requirements.txt"]}left\nflask>=2\nb\n`, tree["app/requirements.txt"]],
    });
    expect(bound.told).toEqual(["app/requirements.txt:3 dependencies/vulnerable"]);
    expect(bound.reason).toBe("dependencies: not checked: `b`: no lock file that Forge reads has it");
    expect(bound.coverage.packages).toEqual({ asked: 2, unasked: [{ why: "range", count: 1 }] });
    const prose = await lookUp({ "notes.txt": ["left==1.0.0\nright==2\n", tree["notes.txt"]] });
    expect([prose.told, prose.coverage.packages]).toEqual([[], undefined]);
  });

  it("REV-8: counts what it asked about, and what it did not, by the reason", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const packages = {
      ...{ left: from("registry.internal", "left", "1.0.6"), right: from("registry.npmjs.org", "right", "1.0.0") },
      ...{ own: { resolved: "parts/own", link: true }, forked: { version: "1.0.0", resolved: "github:a/forked#01" } },
      far: { version: "1.0.0", resolved: "https://files.example/far.tgz" },
    };
    const files: Parameters<typeof look>[0] = {
      ...{
        "package-lock.json": [lock(packages), lock({})] as const,
        "sub/requirements.txt": "flask>=2\nleft==1.0.0\n!\n",
      },
      ...{ "build.sbt": "a\n", "old/package-lock.json": "<<<<<<< HEAD\n" },
      "pom.xml":
        "<project><dependencies><dependency><artifactId>a</artifactId></dependency></dependencies></project>\n",
    };
    const { coverage } = await look(files, createOsvSource(server.url));
    const unasked = {
      ...{ git: 1, url: 1, link: 1, range: 1, unsaid: 1, lines: 1, files: 2 },
    };
    const counts = Object.entries(unasked).map(([why, count]) => ({ why, count }));
    expect(coverage.packages).toMatchObject({ asked: 3, mirrored: 1 });
    expect(coverage.packages?.unasked).toEqual(expect.arrayContaining(counts));
    expect(coverage.packages?.unasked).toHaveLength(counts.length);
    await using silent = await startAdvisoryServer(() => 503);
    const { coverage: failed } = await look({ "package-lock.json": [now, old] }, createOsvSource(silent.url));
    const detail = "the advisory service did not answer (status 503)";
    expect(failed.packages).toEqual({ asked: 0, unasked: [{ why: "unanswered", count: 1, detail }] });
  });

  it("stands on the line of the manifest where that is part of the change", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const manifest = (dependencies: object) => `${JSON.stringify({ name: "shop", dependencies }, null, 2)}\n`;
    const files = {
      "web/package.json": [manifest({ left: "1.0.0" }), manifest({})],
      "web/package-lock.json": [now.replace('"": {}', '"": {"dependencies": {"left": "1.0.0"}}'), old],
    } as const;
    expect((await look(files, createOsvSource(server.url))).told).toEqual(["web/package.json:4 critical vulnerable"]);
  });

  it("GH-11a: says not checked, never none, when the service does not answer", async () => {
    await using server = await startAdvisoryServer(() => 503);
    const { told, layer, coverage } = await look({ "package-lock.json": [now, old] }, createOsvSource(server.url));
    expect(told).toEqual([]);
    expect(layer).toMatchObject({
      state: "partly",
      reason: "dependencies: 1 package added or changed not checked: the advisory service did not answer (status 503)",
      tools: [],
    });
    expect(coverage.notes).toEqual([]);
  });

  it("GH-11a: says so where no service is configured, and asks for nothing where nothing was added", async () => {
    const { layer, coverage } = await look({ "package-lock.json": [now, old] });
    const packages = { asked: 0, unasked: [{ why: "unconfigured", count: 1 }] };
    expect([layer.state, coverage.notes, coverage.packages]).toEqual(["ran", [], packages]);
    await using server = await startAdvisoryServer(() => 503);
    expect((await look({ "package-lock.json": [old, now] }, createOsvSource(server.url))).layer.state).toBe("ran");
    expect(server.received).toEqual([]);
  });

  it("REV-1: a hash that changed under the same version is critical; a weaker kind of hash is a warning", async () => {
    const changed = now.replace('"sha512-left1.0.0"', '"sha512-else"');
    expect((await look({ "package-lock.json": [changed, now] })).told).toEqual([
      "package-lock.json:13 critical integrity-changed",
    ]);
    expect((await look({ "package-lock.json": [now.replace('"sha512-left1.0.0"', '"sha1-else"'), now] })).told).toEqual(
      ["package-lock.json:13 warning integrity-weaker"],
    );
    const sum = (hash: string) => `github.com/a/b v1.0.0 h1:${hash}=\n`;
    expect((await look({ "go.sum": [sum("abc"), sum("def")] })).told).toEqual(["go.sum:1 critical integrity-changed"]);
  });

  it("REV-1: new install scripts, hosts, and packages that come from elsewhere are pointed out", async () => {
    const base = { a: from("registry.internal", "a", "1.0.0") };
    const files = (packages: Record<string, Entry>) =>
      ({ "package-lock.json": [lock({ ...base, ...packages }), lock(base)] }) as const;
    expect(
      (await look(files({ b: { ...from("registry.internal", "b", "1.0.0"), hasInstallScript: true } }))).told,
    ).toEqual(["package-lock.json:10 warning install-script"]);
    expect((await look(files({ b: from("elsewhere.internal", "b", "1.0.0") }))).told).toEqual([
      "package-lock.json:10 warning registry-changed",
    ]);
    expect(
      (await look(files({ b: { version: "1.0.0", resolved: "git+ssh://git@host.internal/b.git#01" } }))).told,
    ).toEqual(["package-lock.json:10 warning git-source"]);
    expect(
      (await look(files({ b: { version: "1.0.0", resolved: "http://registry.internal/b/-/b-1.0.0.tgz" } }))).told,
    ).toEqual(["package-lock.json:10 warning plain-http"]);
  });

  it("an install script that was there before, and those of a first lock file, are no news", async () => {
    const script = (version: string) =>
      lock({ b: { ...from("registry.npmjs.org", "b", version), hasInstallScript: true } });
    expect((await look({ "package-lock.json": [script("1.0.1"), script("1.0.0")] })).told).toEqual([]);
    expect((await look({ "package-lock.json": script("1.0.0") })).told).toEqual([]);
  });

  it("REV-1: a lock file out of step with its manifest is told at the manifest's line", async () => {
    const manifest = (range: string) => `${JSON.stringify({ dependencies: { left: range } }, null, 2)}\n`;
    const files = {
      "package.json": [manifest("^2.0.0"), manifest("^1.0.0")],
      "package-lock.json": [lock({}, { dependencies: { left: "^1.0.0" } }), lock({})],
    } as const;
    const { observations, told } = await look(files);
    expect(told).toEqual(["package.json:3 warning out-of-step"]);
    expect(observations[0]?.message).toBe("left is wanted as ^2.0.0, and package-lock.json has it as ^1.0.0.");
    const yarn = '# yarn lockfile v1\n\nleft@^1.0.0:\n  version "1.0.0"\n';
    expect(
      (await look({ "package.json": [manifest("^2.0.0"), manifest("^1.0.0")], "yarn.lock": [`${yarn}\n`, yarn] })).told,
    ).toEqual(["package.json:3 warning out-of-step"]);
    const pnpm = (range: string) =>
      `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      left:\n        specifier: ${range}\n        version: 1.0.0\n\npackages:\n`;
    expect(
      (
        await look({
          "package.json": [manifest("^2.0.0"), manifest("^1.0.0")],
          "pnpm-lock.yaml": [pnpm("^1.5.0"), pnpm("^1.0.0")],
        })
      ).told,
    ).toEqual(["package.json:3 warning out-of-step"]);
    expect(
      (
        await look({
          "package.json": [manifest("^2.0.0"), manifest("^1.0.0")],
          "pnpm-lock.yaml": [pnpm("^2.0.0"), pnpm("^1.0.0")],
        })
      ).told,
    ).toEqual([]);
  });

  it("REV-8: a package of the workspace and a lock file above it that the change leaves alone", async () => {
    const manifest = (name: string, range: string) =>
      `${JSON.stringify({ name, dependencies: { left: range } }, null, 2)}\n`;
    const text = lock(
      { left: from("registry.npmjs.org", "left", "1.0.0") },
      { dependencies: { left: "^1.0.0" }, workspaces: ["packages/*"] },
    );
    const member = { name: "own", dependencies: { left: "^1.0.0" } };
    const whole = JSON.stringify({
      ...JSON.parse(text),
      packages: { ...JSON.parse(text).packages, "packages/own": member },
    });
    const tree = {
      "package.json": `${JSON.stringify({ name: "shop", workspaces: ["packages/*"], dependencies: { left: "^1.0.0" } })}\n`,
      "package-lock.json": whole,
      "packages/own/package.json": manifest("own", "^2.0.0"),
      "examples/x/package.json": manifest("x", "^2.0.0"),
    };
    const told = async (files: readonly (keyof typeof tree)[]) => {
      const readMany = async (paths: readonly string[]) =>
        new Map(paths.map((path) => [path, Buffer.from(tree[path as keyof typeof tree])]));
      const context = { ...readerContext(), tree: { paths: Object.keys(tree), readMany } };
      const { observations } = await dependencies.analyse(
        files.map((path) => sourceFile(path, tree[path])),
        context,
      );
      return observations.filter(({ rule }) => rule === "dependencies/out-of-step");
    };
    const message = "left is wanted as ^2.0.0 by packages/own, and package-lock.json has it as ^1.0.0.";
    const place = { file: "packages/own/package.json", line: 4, message };
    expect(await told(["packages/own/package.json", "examples/x/package.json"])).toMatchObject([place]);
    expect(await told(["package-lock.json"])).toMatchObject([{ ...place, file: "package-lock.json", line: 1 }]);
    expect(await told(["package.json", "examples/x/package.json"])).toEqual([]);
  });

  it("REV-8: reports the hash of another manifest at the manifest, and notes what it cannot judge", async () => {
    const composer = (require: string) => `{"require":{"a/b":"${require}"}}\n`;
    const lock = (time: string) => `{"content-hash":"0","packages":[],"packages-dev":[],"time":"${time}"}\n`;
    const uv = (version: string) => `version = 1\n\n[[package]]\nname = "a"\nversion = "${version}"\n`;
    const { observations, told, coverage } = await look({
      ...{ "composer.json": [composer("2"), composer("1")], "composer.lock": [lock("2"), lock("1")] },
      ...{ "pyproject.toml": ['[project]\nname = "a"\n', ""], "uv.lock": [uv("2"), uv("1")] },
    });
    expect(told).toEqual(["composer.json:1 warning out-of-step"]);
    const message = "composer.lock was written for another composer.json: the hash that it repeats is not of this one.";
    expect(observations[0]?.message).toBe(message);
    const note = "Not checked: whether `uv.lock` is in step with `pyproject.toml`, as Forge cannot judge that.";
    expect(coverage.notes).toEqual([note]);
  });

  it("a lock file that cannot be read is a gap", async () => {
    const { layer, coverage } = await look({ "package-lock.json": "<<<<<<< HEAD\n" });
    expect(layer.state).toBe("partly");
    expect(coverage.uncovered).toMatchObject([{ path: "package-lock.json", gap: true }]);
    expect(coverage.uncovered[0]?.reason).toContain("its packages were not compared: it is not JSON");
  });

  it("GH-11a: says not checked of a lock file that the reading process gives up on, and goes on with the next", async () => {
    // Escaped in the answer it is longer than an answer can be.
    const endless = `# yarn lockfile v1\n\na@^1.0.0:\n  version ${"\u0001".repeat(1_200_000)}\n`;
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const { told, layer, coverage } = await look(
      { "a/yarn.lock": endless, "package-lock.json": [now, old] },
      createOsvSource(server.url),
    );
    expect(told).toEqual(["package-lock.json:10 critical vulnerable"]);
    expect(layer.state).toBe("partly");
    const [uncovered] = coverage.uncovered.filter(({ path }) => path === "a/yarn.lock");
    expect(uncovered?.gap).toBe(true);
    expect(uncovered?.reason).toContain("its packages were not checked: it gave more results than can be kept");
  });

  it("REV-8: a long lock file is read once, which says what it holds, and that a line is not of one", async () => {
    const text = lines(400, (at) => `[[package]]\nname = "p${at}"\nversion = "1.0.0"\n`);
    const { coverage } = await look({ "poetry.lock": `${text}\n[build]\nx = "y"\n` });
    const reason = "called a lock file, and line 1602 is not of one";
    expect(coverage.uncovered).toEqual([{ path: "poetry.lock", reason, gap: true }]);
    expect(coverage.packages?.unasked).toEqual([
      { why: "unconfigured", count: 400 },
      { why: "lines", count: 1 },
    ]);
    const plain = await look({ "poetry.lock": [`${text}\n`, text], "pyproject.toml": "[project]\n" });
    expect([plain.coverage.uncovered, plain.coverage.packages]).toEqual([[], undefined]);
  });

  it("counts all of 60,000 packages, and says that only the first were asked about", async () => {
    await using server = await startAdvisoryServer(osvAnswers(KNOWN));
    const text = lines(60_000, (at) => `p${at}==1.0.0`);
    const { layer, coverage } = await look({ "requirements.txt": text }, createOsvSource(server.url));
    const why = "only the first 5000 packages were asked for";
    expect(layer.reason).toBe(`dependencies: 60000 packages added or changed not checked: ${why}`);
    expect(coverage.packages).toEqual({ asked: 5_000, unasked: [{ why: "limit", count: 55_000 }] });
    expect(coverage.notes).toEqual([]);
  });

  it.each<[string, (version: string) => string]>([
    ["package-lock.json", (version) => lock(Object.fromEntries(names(60).map((name) => [name, { version }])))],
    [
      "pnpm-lock.yaml",
      (version) =>
        `lockfileVersion: '9.0'\n\npackages:\n\n${lines(60, (at) => `  p${at}@${version}:\n    resolution: {integrity: sha512-a}\n`)}`,
    ],
    [
      "Cargo.lock",
      (version) => lines(60, (at) => `[[package]]\nname = "p${at}"\nversion = "${version}"\nsource = "registry+a"\n`),
    ],
  ])("SEC-1: a child process reads and compares %s, never the main thread", async (path, text) => {
    // Without a diff of the two, which is not looked at here.
    const file = { ...sourceFile(path, "\n"), text: text("1.0.1"), oldText: text("1.0.0") };
    const asked: unknown[] = [];
    // An answer that reading these files never gives: the analyser tells what the child says.
    const answer = {
      signals: [],
      drifts: [],
      ...{ count: 12_345, mirrored: 0, elsewhere: {} },
      suspects: [{ ecosystem: "npm", name: "p", version: "1.0.1", line: 1, endLine: 1 }] as const,
    };
    const round: ReadingRound = {
      read: async ({ task, files }) => {
        asked.push([task, files[0]?.text === file.text]);
        return new Map(files.map(({ id }) => [id, answer]));
      },
      leave: () => undefined,
    };
    const context = readerContext();
    const told = await dependencies.analyse([file], { ...context, round });
    expect(told.packages?.unasked).toEqual([{ why: "unconfigured", count: 12_345 }]);
    expect(asked).toEqual([["locks", true]]);
    // What was compared before the files were classified is not read again.
    const compared = new Map([[path, { ...answer, count: 54_321 }]]);
    const first = await dependencies.analyse([file], { ...context, round, compared });
    expect(first.packages?.unasked).toEqual([{ why: "unconfigured", count: 54_321 }]);
    expect(asked).toHaveLength(1);
    const read = await dependencies.analyse([file], context);
    expect(read.packages?.unasked).toEqual([{ why: "unconfigured", count: 60 }]);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `p${at}`);
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
}
