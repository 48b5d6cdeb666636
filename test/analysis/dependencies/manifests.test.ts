import { describe, expect, it } from "vitest";
import { compareManifest } from "../../../src/analysis/dependencies/compare-manifest.ts";
import { isUnreadManifest, unreadManifests } from "../../../src/analysis/dependencies/unread-manifests.ts";

function compare(name: string, text: string, locks: Parameters<typeof compareManifest>[1] = [], oldText?: string) {
  const found = compareManifest({ name, text, oldText }, locks);
  if ("fault" in found) return found.fault;
  return {
    exact: found.exact.map((one) => `${one.ecosystem} ${one.name} ${one.version} at ${one.line}`),
    ranges: found.ranges.map(({ name: of, wanted }) => `${of} ${wanted}`.trim()),
  };
}
const npm = (manifest: object) => `${JSON.stringify(manifest, null, 2)}\n`;

describe("REV-8: files of packages that are not read", () => {
  it.each([
    [
      "environment.yml",
      "environment-dev.yml",
      "ci/environment_py311.yaml",
      "go.work.sum",
      "mix.exs",
      "Package.swift",
      "Package.resolved",
      "bun.lockb",
      "deno.jsonc",
      "pixi.lock",
      "Podfile",
    ],
    ["paket.lock", "mix.lock", "build.sbt", "conanfile.txt", "vcpkg.json", "flake.nix"],
  ])("%s and others are known by their names", (...paths) => {
    expect(paths.filter((path) => !isUnreadManifest(path))).toEqual([]);
  });

  it("are no sources, no settings and none that are read", () => {
    const others = [
      "src/setup.ts",
      "project.json",
      "environment.ts",
      "environments.yml",
      "gradle.properties",
      "package.json",
      "pom.xml",
    ].concat("build.gradle", "setup.py");
    expect(others.filter(isUnreadManifest)).toEqual([]);
  });

  it("are named, five at most", () => {
    expect(unreadManifests(["build.sbt"])).toBe("`build.sbt`: Forge does not read this kind");
    expect(unreadManifests(["a", "b", "c", "d", "e", "f"])).toBe(
      "`a`, `b`, `c`, `d`, `e`, 1 more: Forge does not read these kinds",
    );
  });
});

describe("REV-8: what manifests ask for", () => {
  it.each([
    [
      "package.json",
      npm({
        dependencies: { lodash: "4.17.4", "event-stream": "=3.3.6", left: "^4", b: "workspace:*", c: "npm:real@1.0.0" },
        peerDependencies: { react: ">=18" },
        overrides: { "@s/x": "2.0.0", y: { z: "1.0.0" } },
      }),
      ["npm lodash 4.17.4 at 3", "npm event-stream 3.3.6 at 4", "npm real 1.0.0 at 7", "npm @s/x 2.0.0 at 13"],
      ["left ^4", "react >=18"],
    ],
    [
      "pyproject.toml",
      '[build-system]\nrequires = ["setuptools"]\n[project]\ndependencies = ["Flask==1.0", "six>=1.2; python_version > \'3\'"]\n[project.optional-dependencies]\nx = ["a_b [c] == 2.0"]\n[tool.poetry.dependencies]\npython = "^3.9"\nd = "1.2.3"\ne = "^1.2"\nf = { version = "==3.0.0", extras = ["g"] }\nh = { path = "../h" }\n[dependency-groups]\ndev = ["i==9", { include-group = "x" }]\n',
      ["PyPI flask 1.0 at 4", "PyPI a-b 2.0 at 6", "PyPI i 9 at 14", "PyPI d 1.2.3 at 9", "PyPI f 3.0.0 at 11"],
      ["six >=1.2", "setuptools", "e ^1.2"],
    ],
    [
      "Pipfile",
      '[packages]\na = "==1.0"\nb = "*"\n[dev-packages]\nc = {version = "==2.0"}\n',
      ["PyPI a 1.0 at 2", "PyPI c 2.0 at 5"],
      ["b *"],
    ],
    [
      "setup.cfg",
      "[options]\ninstall_requires =\n  a==1.0\n  b>=2\npackages = find:\n[options.extras_require]\nx = c==3.0\n",
      ["PyPI a 1.0 at 3", "PyPI c 3.0 at 7"],
      ["b >=2"],
    ],
    [
      "requirements.in",
      "# all\na==1.0  # why\nb\n-r other.in\ngit+https://host.internal/c.git\n",
      ["PyPI a 1.0 at 2"],
      ["b"],
    ],
    [
      "Cargo.toml",
      '[dependencies]\na = "=1.2.3"\nb = "1.2.3"\nc = { version = "=2.0.0", package = "real" }\nd = { path = "d" }\n[target.x.dev-dependencies]\ne = { git = "https://host.internal/e" }\n',
      ["crates.io a 1.2.3 at 2", "crates.io real 2.0.0 at 4"],
      ["b 1.2.3", "e from git"],
    ],
    [
      "Gemfile",
      "gem 'rails', '5.0.0'\ngem \"rack\", '~> 2.0', require: false\ngem 'own', path: '../own'\ngem 'any'\n",
      ["RubyGems rails 5.0.0 at 1"],
      ["rack ~> 2.0", "any"],
    ],
    [
      "composer.json",
      npm({ require: { php: ">=8", "ext-json": "*", "Monolog/monolog": "1.0.0" }, "require-dev": { "a/b": "^2" } }),
      ["Packagist monolog/monolog 1.0.0 at 5"],
      ["a/b ^2"],
    ],
    [
      "pom.xml",
      `<project>\n<properties><v>2.14.1</v></properties>\n<parent><groupId>p</groupId><artifactId>q</artifactId><version>1</version></parent>\n<dependencies>\n<dependency><groupId>org.log</groupId>\n<artifactId>core</artifactId><version>\${v}</version></dependency>\n<dependency><groupId>g</groupId><artifactId>managed</artifactId></dependency><dependency><groupId>org.log</groupId><artifactId>core</artifactId></dependency>\n<dependency><groupId>g</groupId><artifactId>range</artifactId><version>[1,2)</version></dependency>\n<dependency><groupId>g</groupId><artifactId>local</artifactId><version>1</version><scope>system</scope></dependency>\n</dependencies>\n<build><plugins><plugin><artifactId>exec</artifactId><version>3.1.0</version></plugin></plugins></build></project>\n`,
      ["Maven p:q 1 at 3", "Maven org.log:core 2.14.1 at 6", "Maven org.apache.maven.plugins:exec 3.1.0 at 11"],
      ["g:managed", "g:range [1,2)"],
    ],
    [
      "App.csproj",
      '<Project>\n<ItemGroup>\n<PackageReference Include="A.B" Version="12.0.1" />\n<PackageReference Include="C"><Version>[2.0]</Version></PackageReference>\n<PackageReference Include="D" Version="3.*" />\n<PackageReference Include="E" /></ItemGroup>\n</Project>\n',
      ["NuGet A.B 12.0.1 at 3", "NuGet C 2.0 at 4"],
      ["D 3.*", "E"],
    ],
    ["packages.config", '<packages>\n<package id="A" version="1.0.0" />\n</packages>\n', ["NuGet A 1.0.0 at 2"], []],
    [
      "Directory.Packages.props",
      '<Project><ItemGroup>\n<PackageVersion Include="A" Version="1.0.0" />\n<PackageVersion Include="B" Version="$(B)" />\n</ItemGroup></Project>\n',
      ["NuGet A 1.0.0 at 2"],
      ["B $(B)"],
    ],
    [
      "pubspec.yaml",
      "name: own\ndependencies:\n  flutter:\n    sdk: flutter\n  http: 0.13.0\n  path: ^1.8.0\n  own_b:\n    path: ../b\ndev_dependencies:\n  any_c:\n  d:\n    version: 1.0.0\n",
      ["Pub http 0.13.0 at 5", "Pub d 1.0.0 at 11"],
      ["path ^1.8.0", "any_c"],
    ],
    [
      "pnpm-workspace.yaml",
      'packages:\n  - a/*\ncatalog:\n  left-pad: 1.3.0\ncatalogs:\n  old:\n    wide: npm:lodash@4.17.4\n    r: ^1\noverrides:\n  "a@1>odd@^2": 2.0.1\n  gone: "-"\n  same: $left-pad\n',
      ["npm left-pad 1.3.0 at 4", "npm lodash 4.17.4 at 7", "npm odd 2.0.1 at 10"],
      ["r ^1"],
    ],
    [
      "deno.json",
      npm({ imports: { a: "npm:lodash@4.17.4", b: "npm:@s/x@^1/sub", c: "jsr:@std/path@1", d: "./d.ts" } }),
      ["npm lodash 4.17.4 at 3"],
      ["@s/x ^1", "jsr:@std/path 1"],
    ],
    [
      "build.gradle",
      "plugins {\n  id 'java'\n  id 'a.b' version '1.0'\n}\next.v = '2.0'\nrepositories { maven { url 'https://packages.internal/' } }\ndependencies {\n  implementation 'g:a:1.2.3'\n  testImplementation group: 'g', name: 'b', version: '1.0'\n  api \"g:c:$v\"\n  api \"g:d:$unknown\"\n  runtimeOnly 'org.bom:managed'\n  compileOnly 'g:e:1.+'\n  implementation project(':own')\n  // implementation 'g:old:1.0'\n}\napply from: 'https://scripts.internal/x.gradle'\ndependsOn 'core:api:jar'\n",
      ["Maven g:a 1.2.3 at 8", "Maven g:b 1.0 at 9", "Maven g:c 2.0 at 10"],
      [
        ...["plugin a.b 1.0", "packages from https://packages.internal/", "g:d $unknown", "org.bom:managed"],
        ...["g:e 1.+", "script https://scripts.internal/x.gradle"],
      ],
    ],
    [
      "build.gradle.kts",
      'val v = "3.1"\nplugins { kotlin("jvm") version "1.9.0" }\ndependencies {\n  implementation("g:a:1.2.3@aar")\n  api(libs.fine)\n  testImplementation("g:b:$v")\n  implementation("g:c:1-SNAPSHOT")\n}\n',
      ["Maven g:a 1.2.3 at 4", "Maven g:b 3.1 at 6"],
      ["plugin kotlin jvm 1.9.0", "g:c 1-SNAPSHOT"],
    ],
    [
      "libs.versions.toml",
      '[versions]\nv = "1.0"\n[libraries]\na = { module = "g:a", version.ref = "v" }\nb = "g:b:2.0"\nc = { group = "g", name = "c", version = { require = "[1,2)" } }\n[plugins]\np = { id = "x.y", version.ref = "v" }\n',
      ["Maven g:a 1.0 at 4", "Maven g:b 2.0 at 5"],
      ["g:c [1,2)", "plugin x.y 1.0"],
    ],
    [
      "libs.versions.toml",
      '[versions]\na = { ref = "a" }\nb = { ref = "c" }\nc = "1.0"\n[libraries]\na = { module = "g:a", version.ref = "a" }\nb = { module = "g:b", version.ref = "b" }\n',
      [],
      ["g:a", "g:b"],
    ],
    [
      "setup.py",
      'deps = [\n  "a>=1",\n  "b==2.0",  # why\n]\nsetup(\n  version="1.0",\n  install_requires=deps,\n  extras_require={"dev": ["c==3"], "docs": docs()},\n  tests_require=read(),\n)\n',
      ["PyPI b 2.0 at 3", "PyPI c 3 at 8"],
      ["a >=1", "extras_require docs", "tests_require read"],
    ],
    [
      "setup.py",
      'REQS=["a==1"]\nREQS += ["b==2"]\n# REQS too\nREQS.append("c==3")\nif x:\n    REQS = REQS + more()\nsetup(\n  install_requires=REQS,\n)\n',
      ["PyPI a 1 at 1", "PyPI b 2 at 2", "PyPI c 3 at 4"],
      ["install_requires REQS =", "install_requires REQS.append", "install_requires REQS more"],
    ],
    [
      "setup.py",
      'kw={"install_requires":["a==1"]}\nkw["extras_require"] = EXTRAS\nkw["tests_require"].append("b==2")\nEXTRAS: dict = {"x": ["c==3"]}\nsetup(**kw)\n',
      ["PyPI a 1 at 1", "PyPI b 2 at 3", "PyPI c 3 at 4"],
      [
        'install_requires kw={"install_requires":["a==1"]}',
        'tests_require kw["tests_require"].append("b==2")',
        'extras_require kw["extras_require"] = EXTRAS',
      ],
    ],
    [
      "setup.py",
      'install_requires = ["a==1"]\nsetup(\n    install_requires=install_requires,\n)\n',
      ["PyPI a 1 at 1"],
      [],
    ],
    [
      "Gemfile",
      'gem("a"); gem "b","6.6"\ngroup(:x) { gem %q<c>, "1.0" }\ngem "d",\n  "2.0" # gem "no"\ngem name, "1"\ngem "e#{1}"\ngem "e" "vil"\nx.gem = "f"\ngem "g", ">= 1", :path => "."\n',
      ["RubyGems b 6.6 at 1", "RubyGems c 1.0 at 2", "RubyGems d 2.0 at 3"],
      ["a", 'gem name, "1"', 'gem "e#{1}"', 'gem "e" "vil"'],
    ],
    [
      "my.gemspec",
      's.add_dependency %q<a>\ns.add_runtime_dependency(%q<b>.freeze, ["~> 2.0", "< 3"])\ns.add_dependency(*more)\n',
      [],
      ["a", "b ~> 2.0, < 3", "add_dependency *more)"],
    ],
    [
      "my.gemspec",
      's.add_dependency "a", "1.0"\ns.add_development_dependency("b", "~> 2")\n',
      ["RubyGems a 1.0 at 1"],
      ["b ~> 2"],
    ],
  ])("%s: exact versions, and the others", (name, text, exact, ranges) => {
    expect(compare(name, text)).toEqual({ exact, ranges });
  });

  it("leaves out what was there before, and what a lock file holds", () => {
    const before = npm({ dependencies: { old: "^1", moved: "^1" } });
    const now = npm({ dependencies: { old: "^1", moved: "^2", held: "^1", fresh: "1.0.0" } });
    const lock = { name: "yarn.lock", text: '# yarn lockfile v1\n\nheld@^1:\n  version "1.0.1"\n' };
    expect(compare("package.json", now, [lock], before)).toEqual({
      exact: ["npm fresh 1.0.0 at 6"],
      ranges: ["moved ^2"],
    });
  });

  it.each([
    [
      "build.gradle",
      "dependencies {\n  api 'g:a:1.+'\n",
      "}\ntasks.register('x') { doLast { println 'a:b' } }\nversion = '2.0'\n",
    ],
    ["setup.py", "setup(install_requires=read(), ", 'version="2.0", entry_points={"a": ["b=c:d"]})\n'],
    ["Gemfile", "gem 'a'\n", "ruby '3.3'\n# gem 'b'\n"],
    ["pyproject.toml", '[project]\ndependencies = ["a"]\n', 'version = "2"\n[tool.black]\nline-length = 88\n'],
    ["composer.json", '{"require":{"a/b":"^1"}', ',"scripts":{"test":"phpunit"}}'],
    [
      "pom.xml",
      "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies>",
      "<version>2</version><properties><java.version>21</java.version></properties></project>",
    ],
    [
      "App.csproj",
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="A" /></ItemGroup>',
      "<PropertyGroup><Nullable>enable</Nullable></PropertyGroup></Project>",
    ],
    ["package.json", '{"dependencies":{"a":"^1"}', ',"version":"2.0.0","scripts":{"test":"vitest"}}'],
    ["product-requirements.txt", "", "The system adds up prices.\n"],
  ])("of %s other lines ask for nothing", (name, before, more) => {
    const ends: Record<string, string> = {
      "composer.json": "}",
      "package.json": "}",
      "pom.xml": "</project>",
      "App.csproj": "</Project>",
    };
    expect(compare(name, before + more, [], before + (ends[name] ?? ""))).toEqual({ exact: [], ranges: [] });
  });

  it("SEC-8: of a list in setup.py that stands before very long texts again and again, what is too much is named as not read", () => {
    const places = (count: number) => `a += [${"'b==1', ".repeat(6_000)}]\n`.repeat(count);
    const rangesOf = (count: number) => {
      const found = compare("setup.py", `a = ['c==1']\n${places(count)}setup(install_requires=a)\n`);
      return typeof found === "string" ? [] : found.ranges;
    };
    expect(rangesOf(2)).not.toContainEqual(expect.stringContaining("…"));
    expect(rangesOf(8)).toContainEqual(expect.stringContaining("a …"));
  });

  it("says of a text that cannot be read that it cannot", () => {
    expect(compare("package.json", "{")).toBe("it is no JSON");
    expect(compare("Cargo.toml", "[")).toBe("it is no TOML");
    expect(compare("pubspec.yaml", "a: [")).toBe("it is no YAML");
    expect(compare("pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><project/>')).toBe("it is no XML");
    expect(compare("App.csproj", "text")).toBe("it is no XML");
  });
});
