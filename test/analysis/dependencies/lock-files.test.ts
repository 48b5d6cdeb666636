import { describe, expect, it } from "vitest";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";
import type { LockedPackage } from "../../../src/analysis/dependencies/locked-package.ts";

function read(path: string, text: string): LockedPackage[] {
  const reading = lockFileOf(path)!.read(text);
  if ("fault" in reading) throw new Error(reading.fault);
  if (reading.strange !== undefined) throw new Error(`line ${reading.strange}`);
  return [...reading.packages];
}
const short = (packages: readonly LockedPackage[]) =>
  packages.map(({ name, version, source, line, endLine }) => `${name} ${version} ${source} ${line}-${endLine}`);
const json = (value: unknown) => JSON.stringify(value, null, 2);
const HASH = `sha512-${"a".repeat(20)}`;

describe("lock files", () => {
  it("package-lock.json of versions 2 and 3: places, links, other names, git and scripts", () => {
    const text = json({
      name: "shop",
      lockfileVersion: 3,
      packages: {
        "": { dependencies: { a: "^1.0.0" } },
        "node_modules/a": {
          version: "1.2.3",
          resolved: "https://registry.internal/a/-/a-1.2.3.tgz",
          integrity: HASH,
          hasInstallScript: true,
        },
        "node_modules/a/node_modules/@s/b": { version: "2.0.0" },
        "node_modules/c": { resolved: "packages/c", link: true },
        "packages/c": { version: "0.0.1" },
        "node_modules/d": { name: "real-d", version: "1.0.0", resolved: "git+ssh://git@host.internal/d.git#0123" },
      },
    });
    const packages = read("web/package-lock.json", text);
    expect(short(packages)).toEqual([
      "a 1.2.3 registry 10-15",
      "@s/b 2.0.0 registry 16-18",
      "c packages/c link 19-22",
      "real-d 1.0.0 git 26-30",
    ]);
    expect(packages[0]).toMatchObject({ integrity: HASH, installScript: true, ecosystem: "npm" });
  });

  it("package-lock.json of version 1, packages inside packages", () => {
    const text = json({
      lockfileVersion: 1,
      dependencies: {
        a: { version: "1.0.0", dependencies: { b: { version: "1.0.0" } } },
        b: { version: "2.0.0" },
        c: { version: "github:x/c#0123" },
      },
    });
    expect(short(read("package-lock.json", text))).toEqual([
      "a 1.0.0 registry 4-11",
      "b 1.0.0 registry 7-9",
      "b 2.0.0 registry 12-14",
      "c github:x/c#0123 git 15-17",
    ]);
  });

  it("pnpm-lock.yaml of versions 5, 6 and 9", () => {
    const entry = "    resolution: {integrity: sha512-abc}\n    requiresBuild: true\n    dev: true\n\n";
    const five = `lockfileVersion: 5.4\n\npackages:\n\n  /a/1.0.0:\n${entry}  /@s/b/2.0.0_react@17.0.0:\n${entry}`;
    const six = `lockfileVersion: '6.0'\n\npackages:\n\n  /a@1.0.0:\n${entry}  /@s/b@2.0.0(react@17.0.0):\n${entry}`;
    const nine =
      "lockfileVersion: '9.0'\n\npackages:\n\n  a@1.0.0:\n    resolution: {integrity: sha512-abc}\n\n  '@s/b@2.0.0':\n    resolution: {integrity: sha512-abc}\n\n  c@https://codeload.host.internal/x/c/tar.gz/0123:\n    resolution: {tarball: https://codeload.host.internal/x/c/tar.gz/0123}\n    version: 1.0.0\n\nsnapshots:\n\n  a@1.0.0: {}\n";
    expect(short(read("pnpm-lock.yaml", five))).toEqual(["a 1.0.0 registry 5-8", "@s/b 2.0.0 registry 10-13"]);
    expect(short(read("pnpm-lock.yaml", six))).toEqual(["a 1.0.0 registry 5-8", "@s/b 2.0.0 registry 10-13"]);
    expect(read("pnpm-lock.yaml", six)[0]).toMatchObject({ integrity: "sha512-abc", installScript: true });
    expect(short(read("pnpm-lock.yaml", nine))).toEqual([
      "a 1.0.0 registry 5-6",
      "@s/b 2.0.0 registry 8-9",
      "c 1.0.0 git 11-13",
    ]);
  });

  it("yarn.lock of yarn 1 and of later ones", () => {
    const classic = `# yarn lockfile v1\n\n\n"@s/b@^2.0.0":\n  version "2.0.1"\n  resolved "https://registry.internal/@s/b/-/b-2.0.1.tgz#0123"\n  integrity ${HASH}\n\na@^1.0.0, a@~1.0.2:\n  version "1.0.3"\n\n"c@git+https://host.internal/c.git":\n  version "0.1.0"\n  resolved "git+https://host.internal/c.git#0123"\n`;
    expect(short(read("yarn.lock", classic))).toEqual([
      "@s/b 2.0.1 registry 4-7",
      "a 1.0.3 registry 9-10",
      "c 0.1.0 git 12-14",
    ]);
    expect(read("yarn.lock", classic)[0]?.integrity).toBe(HASH);
    const berry = `__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"@s/b@npm:^2.0.0":\n  version: 2.0.1\n  resolution: "@s/b@npm:2.0.1"\n  checksum: 10c0/abcdef\n  languageName: node\n  linkType: hard\n\n"shop@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "shop@workspace:."\n  linkType: soft\n`;
    expect(short(read("yarn.lock", berry))).toEqual(["@s/b 2.0.1 registry 5-10", "shop 0.0.0-use.local link 12-15"]);
  });

  it("Python: poetry, uv, Pipfile and requirements", () => {
    const poetry =
      '[[package]]\nname = "requests"\nversion = "2.19.0"\n\n[package.dependencies]\nidna = ">=2.5"\n\n[[package]]\nname = "shop"\nversion = "0.1"\n\n[package.source]\ntype = "git"\nurl = "https://host.internal/shop"\n\n[metadata]\n';
    expect(short(read("poetry.lock", poetry))).toEqual(["requests 2.19.0 registry 1-6", "shop 0.1 git 8-16"]);
    const uv =
      'version = 1\n\n[[package]]\nname = "idna"\nversion = "3.7"\nsource = { registry = "https://index.internal/simple" }\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\nsource = { virtual = "." }\n';
    expect(short(read("uv.lock", uv))).toEqual(["idna 3.7 registry 3-6", "shop 0.1.0 link 8-11"]);
    const pipfile = json({
      _meta: {},
      default: { Flask_Login: { version: "==0.5.0" } },
      develop: { x: { git: "https://host.internal/x", ref: "0123" } },
    });
    expect(short(read("Pipfile.lock", pipfile))).toEqual(["flask-login 0.5.0 registry 4-6", "x 0123 git 9-12"]);
    const requirements =
      "# what we need\nDjango==2.2.0  # old\nflask>=1\nx[y]==1.0 ; python_version > '3'\n-e git+https://host.internal/z.git#egg=z\n";
    expect(short(read("requirements-dev.txt", requirements))).toEqual([
      "django 2.2.0 registry 2-2",
      "x 1.0 registry 4-4",
      "z git+https://host.internal/z.git#egg=z git 5-5",
    ]);
  });

  it("Go, Rust and Ruby", () => {
    const mod =
      "module shop\n\ngo 1.22\n\nrequire github.com/a/b v1.0.0\n\nrequire (\n\tgithub.com/c/d v0.2.0 // indirect\n)\n";
    expect(short(read("go.mod", mod))).toEqual([
      "github.com/a/b v1.0.0 registry 5-5",
      "github.com/c/d v0.2.0 registry 8-8",
    ]);
    const sum = "github.com/a/b v1.0.0 h1:abc=\ngithub.com/a/b v1.0.0/go.mod h1:def=\n";
    expect(read("go.sum", sum)).toMatchObject([{ name: "github.com/a/b", integrity: "h1:abc=" }]);
    const cargo =
      'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n\n[[package]]\nname = "time"\nversion = "0.1.42"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "abc"\n\n[[package]]\nname = "x"\nversion = "1.0.0"\nsource = "git+https://host.internal/x#0123"\n';
    expect(short(read("Cargo.lock", cargo))).toEqual([
      "shop 0.1.0 link 3-5",
      "time 0.1.42 registry 7-11",
      "x 1.0.0 git 13-16",
    ]);
    const gems =
      "GIT\n  remote: https://host.internal/z\n  specs:\n    z (0.1)\n\nGEM\n  specs:\n    rack (2.0.1)\n      x (>= 1)\n\nDEPENDENCIES\n  rack\n";
    expect(short(read("Gemfile.lock", gems))).toEqual(["z 0.1 git 4-4", "rack 2.0.1 registry 8-8"]);
  });

  it("Composer, NuGet, Gradle, Dart and Bun", () => {
    const composer = json({
      packages: [
        { name: "monolog/monolog", version: "2.0.0", dist: { type: "zip", shasum: "0a1b" } },
        { name: "acme/own", version: "dev-main", dist: { type: "path" } },
      ],
      "packages-dev": [{ name: "acme/tool", version: "dev-main", dist: { type: "zip" } }],
    });
    expect(short(read("composer.lock", composer))).toEqual([
      "monolog/monolog 2.0.0 registry 4-4",
      "acme/own dev-main link 12-12",
      "acme/tool dev-main git 21-21",
    ]);
    const entry = { type: "Direct", requested: "[13.0.1, )", resolved: "13.0.1", contentHash: "ab==" };
    const frameworks = { "net8.0": { "A.B": entry, own: { type: "Project" } }, "net9.0": { "A.B": entry } };
    expect(short(read("packages.lock.json", json({ version: 1, dependencies: frameworks })))).toEqual([
      "A.B 13.0.1 registry 5-10",
    ]);
    const gradle =
      "# This is a file of Gradle.\norg.slf4j:slf4j-api:2.0.9=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n";
    expect(short(read("gradle.lockfile", gradle))).toEqual(["org.slf4j:slf4j-api 2.0.9 registry 2-2"]);
    expect(lockFileOf("gradle.lockfile")!.read(`${gradle}system(x)\n`)).toMatchObject({ strange: 4 });
    const dart =
      'packages:\n  http:\n    dependency: "direct main"\n    description:\n      name: http\n      sha256: "0a1b"\n      url: "https://pub.dev"\n    source: hosted\n    version: "1.2.0"\n  own:\n    dependency: "direct main"\n    description:\n      path: "../own"\n      relative: true\n    source: path\n    version: "0.0.1"\nsdks:\n  dart: ">=3.0.0 <4.0.0"\n';
    expect(short(read("pubspec.lock", dart))).toEqual(["http 1.2.0 registry 2-9", "own 0.0.1 link 10-16"]);
    const bun =
      '{\n  "lockfileVersion": 1,\n  "packages": {\n    "a": ["real@1.0.0", "", {}, "sha512-ab=="],\n    "b": ["b@github:x/b#0123", {}, "x-b-0123"],\n  },\n}\n';
    expect(short(read("bun.lock", bun))).toEqual(["real 1.0.0 registry 4-4", "b github:x/b#0123 git 5-5"]);
  });

  it("TOML in another form than programs print it, and what looks like a package within a text", () => {
    const other = "[[ package ]]\n'name' = 'time'\nversion = '0.1.42'\nsource = \"git+https://host.internal/t\" # x\n";
    expect(short(read("Cargo.lock", other))).toEqual(["time 0.1.42 git 1-1"]);
    const hidden =
      '[[package]]\nname = "a"\nversion = "1"\ntext = ' + `'''\n[[package]]\nname = "b"\nversion = "2"\n'''\n`;
    expect(short(read("poetry.lock", hidden))).toEqual(["a 1 registry 1-1"]);
    const url = '[[package]]\nname = "z"\nversion = "1"\nsource = { url = "https://host.internal/z.zip" }\n';
    expect(read("uv.lock", url)).toMatchObject([{ source: "url", address: "https://host.internal/z.zip" }]);
  });

  it("say what is wrong with a file that only has the name", () => {
    for (const path of ["package-lock.json", "Pipfile.lock", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock", "uv.lock"]) {
      expect(lockFileOf(path)!.read("<<<<<<< HEAD\n"), path).toHaveProperty("fault");
    }
  });
});
