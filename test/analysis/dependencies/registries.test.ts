import { describe, expect, it } from "vitest";
import { dependencies } from "../../../src/analysis/analysers/dependencies.ts";
import type { Ecosystem } from "../../../src/analysis/dependencies/advisory-source.ts";
import { chooseAdvisories } from "../../../src/analysis/dependencies/choose-advisories.ts";
import { PUBLIC_ADDRESSES, readRegistryAddresses } from "../../../src/analysis/dependencies/registry-addresses.ts";
import { createRegistrySource } from "../../../src/analysis/dependencies/registry-source.ts";
import { packageLookups } from "../../../src/github/words/check/package-lookups.ts";
import { analyse } from "../change-of.ts";
import { osvAnswers, startAdvisoryServer } from "./advisory-server.ts";

const signal = new AbortController().signal;
const ALL = Object.keys(readRegistryAddresses(PUBLIC_ADDRESSES)!) as Ecosystem[];

/** Registries that have these paths, behind one address, with an advisory service that knows nothing. */
function startRegistries(known: readonly string[], silent = 404) {
  const osv = osvAnswers([]);
  return startAdvisoryServer((request) => {
    if (request.path.startsWith("/v1/")) return osv(request);
    return known.includes(request.path) ? {} : silent;
  });
}

/** The files of the head, of which some belong to no analyzer of packages. */
function headOf(files: Parameters<typeof analyse>[0]) {
  const texts = new Map(Object.entries(files).map(([path, sides]) => [path, Buffer.from([sides].flat()[0] as string)]));
  const readOthers = async (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (texts.has(path) ? [[path, texts.get(path)!] as const] : [])));
  return { paths: [...texts.keys()], readOthers };
}

async function look(files: Parameters<typeof analyse>[0], known: readonly string[], silent?: number) {
  await using server = await startRegistries(known, silent);
  const registries = Object.fromEntries(ALL.map((one) => [one, server.url]));
  const advisories = chooseAdvisories({ osvUrl: server.url, registries })!;
  const result = await analyse(files, { analysers: [dependencies], advisories, ...headOf(files) });
  const found = result.observations.filter(({ rule }) => rule === "dependencies/unknown-package");
  return {
    found,
    told: found.map(({ file, line, severity, message }) => `${file}:${line} ${severity} ${message}`),
    counts: result.coverage.packages?.registries,
    said: packageLookups(result.coverage.packages!).split(". ").slice(-2).join(". "),
    asked: server.received.map(({ path }) => path).filter((path) => !path.startsWith("/v1/")),
  };
}

const manifest = (wanted: object) => `${JSON.stringify({ name: "own", dependencies: wanted }, null, 2)}\n`;
const lock = (...entries: (readonly [name: string, host: string])[]) => {
  const packages = entries.map(([name, host]) => [
    `node_modules/${name}`,
    {
      version: "1.0.0",
      resolved: `https://${host}/${name}/-/${name.split("/").at(-1)}-1.0.0.tgz`,
      integrity: "sha512-a",
    },
  ]);
  return `${JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...Object.fromEntries(packages) } }, null, 2)}\n`;
};

describe("REV-8: whether a package that a change adds exists", () => {
  it("is asked of its registry, and a name that is not there is a finding where it is written", async () => {
    const { found, told, counts, said } = await look(
      { "package.json": [manifest({ lodash: "^4.0.0", "lodash-helper-pro": "^1.0.0" }), manifest({})] },
      ["/lodash", "/npm"],
    );
    expect(told).toEqual(["package.json:5 warning The npm registry has no package named lodash-helper-pro."]);
    expect(found[0]!.why).toBe(
      "The name may be misspelled or made up. Anybody can publish a package under it, and installations would run that code. If it comes from a registry of your own, name that registry in a settings file of the repository.",
    );
    expect(counts).toEqual({ asked: 2, missing: 1, unasked: [] });
    expect(said).toContain("Registries were asked whether 2 packages exist: 1 does not.");
  });

  it("weighs more where a lock file says that it comes from there", async () => {
    const added = lock(["left", "registry.npmjs.org"], ["@made/up", "registry.npmjs.org"]);
    const { told } = await look({ "package-lock.json": [added, lock()] }, ["/left", "/npm"]);
    expect(told).toEqual(["package-lock.json:10 error The npm registry has no package named @made/up."]);
  });

  it.each<[Ecosystem, string, string, string, string]>([
    ["PyPI", "requirements.txt", "Flask_Made.Up==1.0\nrequests==2.0\n", "/simple/requests/", "/simple/flask-made-up/"],
    ["crates.io", "Cargo.toml", '[dependencies]\nserde = "1"\nmade_up = "1"\n', "/se/rd/serde", "/ma/de/made_up"],
    [
      "RubyGems",
      "Gemfile",
      'source "https://rubygems.org"\ngit_source(:github) { |name| "https://github.com/#{name}.git" }\ngem "rails"\ngem "made-up"\n',
      "/info/rails",
      "/info/made-up",
    ],
    [
      ...(["Packagist", "composer.json"] as const),
      `${JSON.stringify({ require: { php: "^8", "ext-json": "*", "psr/cache": "^3", "made/up": "^1" } }, null, 2)}\n`,
      ...(["/p2/psr/cache.json", "/p2/made/up.json"] as const),
    ],
    [
      ...(["NuGet", "a.csproj"] as const),
      '<Project>\n<ItemGroup>\n<PackageReference Include="Serilog" Version="3.0.0" />\n<PackageReference Include="Made.Up" Version="1.0.0" />\n</ItemGroup>\n</Project>\n',
      ...(["/v3-flatcontainer/serilog/index.json", "/v3-flatcontainer/made.up/index.json"] as const),
    ],
    [
      "Pub",
      "pubspec.yaml",
      "dependencies:\n  http: ^1.0.0\n  made_up: ^1.0.0\n",
      "/api/packages/http",
      "/api/packages/made_up",
    ],
  ])("is asked of %s", async (ecosystem, file, text, there, absent) => {
    const known = ["/simple/pip/", "/li/bc/libc", "/info/rake", "/p2/psr/log.json", "/api/packages/path"];
    const { told, asked } = await look({ [file]: text }, [
      ...[there, ...known, "/v3-flatcontainer/newtonsoft.json/index.json"],
    ]);
    expect(asked.slice(0, 2).toSorted(), ecosystem).toEqual([there, absent].toSorted());
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/made.?up\.$/i);
  });

  it("is not asked of what may come from elsewhere, and the summary says so", async () => {
    const wanted = manifest({ inner: "^1.0.0" });
    const cases: [Parameters<typeof analyse>[0], string][] = [
      [{ "package.json": [wanted, manifest({})], ".npmrc": "registry=https://npm.corp.example/\n" }, "private"],
      [{ "package.json": [wanted, manifest({})], ".npmrc": "registry=$OURS\n" }, "private"],
      [{ "package.json": [manifest({ inner: "git+https://git.corp.example/a.git" }), manifest({})] }, "private"],
      [{ "package-lock.json": [lock(["inner", "npm.corp.example"]), lock()] }, "private"],
      [
        { "a/package.json": [wanted, manifest({})], "package-lock.json": lock(["other", "npm.corp.example"]) },
        "private",
      ],
      [
        {
          "package.json": [wanted, manifest({})],
          "yarn.lock":
            '# yarn lockfile v1\n\n\nother@1:\n  version "1.0.0"\n  resolved "https://npm.corp.example/other/-/other-1.0.0.tgz#00"\n',
        },
        "private",
      ],
      [{ "package-lock.json": [lock(["@jsr/inner", "npm.jsr.io"]), lock()] }, "private"],
      [{ "package.json": [manifest({ "@corp/inner": "^1.0.0" }), manifest({})] }, "scope"],
      [{ "a/requirements.txt": "--extra-index-url https://pip.corp.example/simple\ninner==1.0\n" }, "private"],
      [
        { "requirements.txt": "inner==1.0\n", "pip.conf": "[global]\nindex-url = https://pip.corp.example\n" },
        "private",
      ],
      [{ "Cargo.toml": '[dependencies]\ninner = { version = "1", registry = "corp" }\n' }, "private"],
      [{ Gemfile: 'source "https://gems.corp.example"\ngem "inner"\n' }, "private"],
      [{ "Cargo.toml": '[dependencies]\ninner = { git = "https://git.corp.example/a" }\n' }, "private"],
      [{ Gemfile: 'source "https://rubygems.org"\ngem "inner", github: "corp/inner"\n' }, "private"],
      [{ Gemfile: 'source "https://rubygems.org"\ngem "inner", source: "https://gems.corp.example"\n' }, "private"],
      [{ "pyproject.toml": '[project]\nname = "In_ner"\ndependencies = ["in-ner[all]>=1"]\n' }, "private"],
      [{ "pyproject.toml": '[tool.poetry.dependencies]\ninner = { url = "https://corp.example/a.whl" }\n' }, "private"],
      [{ "app/requirements.txt": "inner>=1\n", "libs/inner/main.py": "" }, "private"],
      [{ "composer.json": '{\n"repositories": [],\n"require": {"corp/inner": "^1"}\n}\n' }, "private"],
      [{ "go.mod": "module own\n\ngo 1.22\n\nrequire corp.example/inner v1.0.0\n" }, "ecosystem"],
    ];
    for (const [files, why] of cases) {
      const { told, counts, asked } = await look(files, []);
      expect({ told, asked, why: counts?.unasked.map((one) => one.why) }, JSON.stringify(files)).toEqual({
        ...{ told: [], asked: [], why: [why] },
      });
    }
    const { said } = await look(cases[0]![0], []);
    expect(said).toBe(
      "Registries were not asked whether any package exists. Not asked about: 1 package that may come from a private registry or another place.",
    );
  });

  it("says nothing of names when the registry fails, or knows nobody", async () => {
    const files = { "package.json": [manifest({ inner: "^1.0.0" }), manifest({})] } as const;
    const failing = await look(files, [], 503);
    expect(failing.told).toEqual([]);
    expect(failing.said).toContain("1 package: the registry of npm gave no answer (status 503).");
    const strange = await look(files, []);
    expect(strange.told).toEqual([]);
    expect(strange.said).toContain("the registry of npm gave no answer (it does not know npm either)");
    expect(strange.counts).toMatchObject({ asked: 0, missing: 0 });
  });

  it("is asked once an hour for each name, and for 500 names of a change", async () => {
    await using server = await startRegistries(["/npm"]);
    let now = 0;
    const source = createRegistrySource({ npm: server.url }, () => now);
    const names = Array.from({ length: 510 }, (_, at) => ({ ecosystem: "npm" as const, name: `made-up-${at}` }));
    expect((await source.query(names, signal)).missing).toHaveLength(500);
    expect(server.received).toHaveLength(501);
    await source.query(names.slice(0, 500), signal);
    expect(server.received).toHaveLength(501);
    now = 3_600_001;
    await source.query(names.slice(0, 1), signal);
    expect(server.received).toHaveLength(503);
  });

  it("is asked of configured addresses alone", () => {
    expect(ALL).toEqual(["npm", "PyPI", "crates.io", "RubyGems", "Packagist", "NuGet", "Pub"]);
    expect(readRegistryAddresses("npm=http://127.0.0.1:4873")).toEqual({ npm: "http://127.0.0.1:4873" });
    for (const wrong of ["npm", "Go=https://proxy.golang.org", "npm=ftp://x", "https://registry.npmjs.org"])
      expect(readRegistryAddresses(wrong), wrong).toBeUndefined();
    expect(chooseAdvisories({ registries: { npm: "http://127.0.0.1:1" } })).toBeUndefined();
  });
});
