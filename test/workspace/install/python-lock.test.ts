import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packagePlans, type Wanted } from "../../../src/workspace/install/package-plan.ts";

type Files = Readonly<Record<string, string>>;

function planOf(files: Files, registries = ["pypi.org"]) {
  const plans = packagePlans(new Map(Object.entries(files)), "2026-01-31", registries);
  return plans.find(({ kind }) => kind !== "nothing");
}

/** What pip is told, a line each, with how many hashes there are instead of the hashes. */
function linesOf(files: Files): string[] {
  const plan = planOf(files);
  if (plan?.kind !== "install") throw new Error(plan?.kind === "impossible" ? plan.reason : "nothing to install");
  return (plan.requirements ?? "")
    .trim()
    .split("\n")
    .map((line) => `${line.split(" --hash=")[0]} #${line.split(" --hash=").length - 1}`);
}

const fixture = (kind: "uv" | "poetry") => ({
  "pyproject.toml": readFileSync(`fixtures/projects/python/${kind}/pyproject.toml`, "utf8"),
  [`${kind}.lock`]: readFileSync(`fixtures/projects/python/${kind}/${kind}.lock`, "utf8"),
});

const HASH = `sha256:${"a".repeat(64)}`;
const REGISTRY = 'source = { registry = "https://pypi.org/simple" }';
const WHEELS = `wheels = [{ url = "https://files.example/x-1-py3-none-any.whl", hash = "${HASH}" }]`;
/** A lock of uv: a project that needs what is named, and the packages. */
function uv(needs: string, ...packages: string[]): string {
  const root = `[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [${needs}]\n`;
  return ["version = 1\n", root, ...packages.map((each) => `[[package]]\n${each}\n`)].join("\n");
}
const named = (name: string, version = "1", more = "") =>
  `name = "${name}"\nversion = "${version}"\n${REGISTRY}\n${WHEELS}\n${more}`;

describe("what pip is told of a lock file", () => {
  it("uv: what the project and its tests need, in one version each, by hashes, on their conditions", () => {
    expect(linesOf(fixture("uv"))).toEqual([
      "click==8.3.2 #2",
      "colorama==0.4.6 ; (sys_platform == 'win32') #2",
      "exceptiongroup==1.3.1 ; (python_full_version < '3.11') #2",
      "iniconfig==2.3.0 #2",
      "packaging==26.0 #2",
      "pluggy==1.6.0 #2",
      "pygments==2.20.0 #2",
      "pytest==9.0.2 #2",
      "typing-extensions==4.15.0 ; (python_full_version < '3.11') #2",
    ]);
  });

  it("Poetry: the same; an extra that nobody asked for stays out, and a group that is optional", () => {
    expect(linesOf(fixture("poetry"))).toEqual([
      expect.stringMatching(/^cffi==2\.0\.0 ; \(.*python_version < '0'\) #5$/),
      "click==8.3.2 #2",
      `colorama==0.4.6 ; (platform_system == "Windows") or (sys_platform == "win32") #2`,
      `exceptiongroup==1.3.1 ; (python_version == "3.10") #2`,
      "iniconfig==2.3.0 #2",
      "packaging==26.0 #2",
      "pluggy==1.6.0 #2",
      expect.stringMatching(/^pycparser==3\.0 ; \(.*python_version < '0'\) #2$/),
      "pygments==2.20.0 #2",
      "pytest==9.0.2 #2",
      `typing-extensions==4.15.0 ; (python_version == "3.10") #2`,
    ]);
  });

  it("Poetry before 2.0: groups, extras and versions of Python are followed from the manifest", () => {
    const entry = (name: string, more = "") =>
      `[[package]]\nname = "${name}"\nversion = "1.0"\nfiles = [{file = "x-1-py3-none-any.whl", hash = "${HASH}"}]\n${more}\n`;
    const wants =
      'colorama = {version = "*", markers = "sys_platform == \'win32\'"}\nsocks = {version = "*", optional = true, markers = "extra == \'proxy\'"}';
    const lock = [
      entry("Http-Client", `[package.dependencies]\n${wants}\n[package.extras]\nproxy = ["socks (>=1.0)"]`),
      ...["colorama", "socks", "backport", "pytest", "sphinx", "gauge"].map((name) => entry(name)),
      '[metadata]\nlock-version = "2.0"\n',
    ];
    const manifest = `[tool.poetry]
name = "app"
version = "2.1"
[tool.poetry.dependencies]
python = "^3.8"
http_client = {version = "^1", extras = ["proxy"]}
backport = {version = "*", python = "~3.8 || 3.9"}
gauge = {version = "*", optional = true}
[tool.poetry.extras]
test = ["gauge"]
[tool.poetry.dev-dependencies]
pytest = "^1"
[tool.poetry.group.docs]
optional = true
[tool.poetry.group.docs.dependencies]
sphinx = "*"
`;
    const from38 = "python_full_version >= '3.8' and python_full_version < '3.9'";
    expect(linesOf({ "poetry.lock": lock.join("\n"), "pyproject.toml": manifest })).toEqual([
      "Http-Client==1.0 #1",
      `backport==1.0 ; ((${from38}) or (python_full_version == '3.9.*')) #1`,
      "colorama==1.0 ; (sys_platform == 'win32') #1",
      "gauge==1.0 #1",
      "pytest==1.0 #1",
      "socks==1.0 ; (python_version >= '0') #1",
    ]);
  });

  it("takes each version where it is meant, an extra with what it needs, and the shorter of two ways", () => {
    const needs = `{ name = "a", extra = ["x"] }, { name = "b", marker = "os_name == 'nt'" }, { name = "v", version = "1", marker = "python_version < '3.9'" }, { name = "v", version = "2", marker = "python_version >= '3.9'" }`;
    const lock = uv(
      needs,
      named(
        "a",
        "1",
        'dependencies = [{ name = "b", marker = "os_name == \'nt\'" }, { name = "c" }]\n[package.optional-dependencies]\nx = [{ name = "d" }]',
      ),
      named("b", "1", `dependencies = [{ name = "c", marker = "sys_platform == 'win32'" }]`),
      ...["c", "d", "never"].map((name) => named(name)),
      named("v"),
      named("v", "2"),
    );
    expect(linesOf({ "uv.lock": lock })).toEqual([
      "a==1 #1",
      "b==1 ; (os_name == 'nt') #1",
      "c==1 #1",
      "d==1 #1",
      "v==1 ; (python_version < '3.9') #1",
      "v==2 ; (python_version >= '3.9') #1",
    ]);
  });

  it("leaves out what no registry here has, or what would have to be built, and says so", () => {
    const other = (name: string, source: string) =>
      `name = "${name}"\nversion = "1"\nsource = { ${source} }\n${WHEELS}`;
    const lock = uv(
      ["a", "git", "url", "index", "sources"].map((name) => `{ name = "${name}" }`).join(","),
      named("a"),
      other("git", 'git = "https://user:secret@git.example/x?rev=1#2"'),
      other("url", 'url = "https://files.example/x.whl"'),
      other("index", 'registry = "https://wheels.example/cpu"'),
      `name = "sources"\nversion = "1"\n${REGISTRY}\nsdist = { url = "x", hash = "${HASH}" }`,
    );
    const plan = planOf({ "uv.lock": lock });
    expect(plan).toMatchObject({ requirements: `a==1 --hash=${HASH}\n` });
    expect((plan as Wanted).notes).toEqual([
      "Not installed: uv.lock takes git from a git repository, which would have to be built.",
      "Not installed: uv.lock takes url from files.example, which is none of the registries that are allowed here.",
      "Not installed: uv.lock takes index from wheels.example, which is none of the registries that are allowed here.",
      "Not installed: uv.lock has sources as sources alone, which would have to be built.",
    ]);
    expect((planOf({ "uv.lock": lock }, ["wheels.example"]) as Wanted).requirements).toContain("index==1");
  });

  it("falls back on requirement files where a lock cannot be read, and says so", () => {
    const files = { "uv.lock": "version = 9\n", "requirements.txt": "flask\n" };
    expect(planOf(files)).toMatchObject({
      requirements: "flask\n",
      notes: [
        "Python's packages were installed from requirement files: uv.lock is not in the form that is known here.",
      ],
    });
    expect(planOf({ "uv.lock": "[[[" })).toEqual({
      kind: "impossible",
      reason: "uv.lock is not in the form that is known here",
    });
  });

  it("does not choose between groups that exclude each other", () => {
    const conflicts = 'conflicts = [[{ package = "app", group = "dev" }, { package = "app", group = "test" }]]\n';
    expect(planOf({ "uv.lock": conflicts + uv('{ name = "a" }', named("a")) })).toMatchObject({
      reason: 'uv.lock says that "dev" and "test" exclude each other',
    });
  });

  it.each([
    ["name", named("a --index-url=x")],
    ["name", named("-r")],
    ["version", named("a", "1 --pre")],
    ["hash", named("a").replace(HASH, "sha256:1 --trusted-host=x")],
  ])("SEC-1: no %s becomes an option of pip", (_, entry) => {
    const name = /name = "(.*)"/.exec(entry)?.[1] ?? "";
    expect(planOf({ "uv.lock": uv(`{ name = "${name}" }`, entry) })).toEqual({
      kind: "impossible",
      reason: "uv.lock holds something that is no package by its name",
    });
  });

  it.each([
    "os_name == 'x' --pre",
    "-r x",
    "os_name == 'x' # y",
    "os_name == '$" + "{HOME}'",
    "os_name == 'x'\\\\n-r y",
  ])("SEC-1: no marker becomes an option of pip: %s", (marker) => {
    const lock = uv(`{ name = "a", marker = "${marker}" }`, named("a"));
    expect(planOf({ "uv.lock": lock })).toMatchObject({ kind: "impossible" });
  });

  it("SEC-1: ends on a lock in which everything needs everything, on ever other conditions", () => {
    const all = Array.from({ length: 40 }, (_, at) => `p${at}`);
    const needs = (from: string) =>
      all.map((name) => `{ name = "${name}", marker = "os_name == '${from}${name}'" }`).join(",");
    const lock = uv(needs("root"), ...all.map((name) => named(name, "1", `dependencies = [${needs(name)}]`)));
    expect(planOf({ "uv.lock": lock })).toMatchObject({ reason: "uv.lock has more conditions than can be followed" });
  });

  it("lays what the repository holds itself where Python looks last, and says its version", () => {
    const member = '[[package]]\nname = "shared-lib"\nversion = "0.2"\nsource = { editable = "libs/shared" }\n';
    const outside = '[[package]]\nname = "else"\nversion = "0.2"\nsource = { editable = "../else" }\n';
    const plan = planOf({ "uv.lock": `${uv('{ name = "a" }', named("a"))}\n${member}${outside}` }) as Wanted;
    const files = Object.fromEntries(plan.inputs);
    expect(Object.keys(files).sort()).toEqual([
      ".venv/forge/app-1.dist-info/METADATA",
      ".venv/forge/shared_lib-0.2.dist-info/METADATA",
      ".venv/forge/sitecustomize.py",
    ]);
    expect(files[".venv/forge/sitecustomize.py"]).toContain(
      'for place in ["/box/src","/box","/box/libs/shared/src","/box/libs/shared"]:',
    );
    expect(files[".venv/forge/app-1.dist-info/METADATA"]).toBe("Metadata-Version: 2.1\nName: app\nVersion: 1\n");
  });
});
