import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareLockFile } from "../../../src/analysis/child/compare-lock-file.ts";
import { compareLocks } from "../../../src/analysis/dependencies/compare-locks.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";
import type { LockedPackage } from "../../../src/analysis/dependencies/locked-package.ts";

function compare(name: string, text: string, oldText?: string) {
  const result = compareLockFile({ id: 0, text, lock: { name }, ...(oldText === undefined ? {} : { oldText }) });
  if ("fault" in result) throw new Error(result.fault);
  return result;
}
const told = (name: string, text: string, oldText?: string) =>
  compare(name, text, oldText).signals.map(({ rule, severity, package: { line } }) => `${line} ${severity} ${rule}`);

type Entry = Readonly<Record<string, unknown>>;
const npm = (packages: Readonly<Record<string, Entry>>) =>
  `${JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages } }, null, 2)}\n`;
const entry = (resolved: string, integrity?: string, version = "4.17.21") => ({ version, resolved, integrity });
const PUBLIC = "https://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz";
const EVIL = "https://evil.example/lodash.tgz";
const lodash = (resolved: string, integrity?: string) => npm({ "node_modules/lodash": entry(resolved, integrity) });
const twice = (resolved: string, integrity: string) =>
  npm({
    "node_modules/lodash": entry(PUBLIC, "sha512-a"),
    "node_modules/x/node_modules/lodash": entry(resolved, integrity),
  });
const left = (resolved: string) => npm({ "node_modules/left-pad": entry(resolved, "sha512-a", "1.3.0") });
const pnpm = (resolution: string, key = "left-pad@1.3.0") =>
  `lockfileVersion: '9.0'\n\npackages:\n\n  ${key}:\n    resolution: {${resolution}}\n`;
const bun = (...fields: readonly unknown[]) =>
  `{\n  "lockfileVersion": 1,\n  "packages": {\n    "left-pad": ${JSON.stringify(fields)},\n  },\n}\n`;
const berry = (resolution: string, version = "1.3.0", more = "checksum: 10c0/a") =>
  `__metadata:\n  version: 8\n\n"left-pad@npm:^1.0.0":\n  version: ${version}\n  resolution: "${resolution}"\n  ${more}\n  linkType: hard\n`;
const uv = (source: string) => `version = 1\n\n[[package]]\nname = "idna"\nversion = "3.7"\nsource = { ${source} }\n`;
const cargo = (source: string) =>
  `version = 3\n\n[[package]]\nname = "time"\nversion = "0.1.42"\nsource = "${source}"\n`;
const yarn = (resolved: string, integrity = "  integrity sha512-a\n") =>
  `# yarn lockfile v1\n\n\nleft-pad@^1.0.0:\n  version "1.3.0"\n  resolved "${resolved}"\n${integrity}`;
const LEFT = "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz";
const REGISTRY = "::__archiveUrl=https%3A%2F%2Fevil.example%2Fleft-pad%2F-%2Fleft-pad-1.3.0.tgz";
const ARCHIVE = "::__archiveUrl=https%3A%2F%2Fevil.example%2Fleft-pad.tgz";

/** What the change is, the name of the file, its text, the text before, and the signals. */
const CASES: readonly (readonly [string, string, string, string | undefined, readonly string[]])[] = [
  ...(
    [
      ["an archive of its own", lodash(EVIL, "sha512-b"), lodash(PUBLIC, "sha512-a"), "5 critical source-changed"],
      ["with the same hash", lodash(EVIL, "sha512-a"), lodash(PUBLIC, "sha512-a"), "5 warning source-changed"],
      [
        "a repository",
        lodash("git+ssh://git@host.internal/evil/lodash.git#abc"),
        lodash(PUBLIC, "sha512-a"),
        "5 error source-changed",
      ],
      ["a repository by its short name", lodash("evil/lodash"), lodash(PUBLIC, "sha512-a"), "5 error source-changed"],
      ["a name", lodash("npm:evil@1.0.0"), lodash(PUBLIC, "sha512-a"), "5 error source-changed"],
      ["no hash", lodash(PUBLIC), lodash(PUBLIC, "sha512-a"), "5 warning integrity-missing"],
      ["a weaker hash", lodash(PUBLIC, "sha1-a"), lodash(PUBLIC, "sha512-a"), "5 warning integrity-weaker"],
      ["an unknown hash", lodash(PUBLIC, "sha999-a"), lodash(PUBLIC, "sha512-a"), "5 warning integrity-weaker"],
      [
        "a second hash",
        lodash(PUBLIC, "sha512-a sha512-b"),
        lodash(PUBLIC, "sha512-a"),
        "5 critical integrity-changed",
      ],
      ["a second entry", twice(EVIL, "sha512-b"), lodash(PUBLIC, "sha512-a"), "10 critical source-changed"],
      [
        "a second entry with another hash",
        twice(PUBLIC, "sha512-b"),
        lodash(PUBLIC, "sha512-a"),
        "10 critical integrity-changed",
      ],
      [
        "another hash of an archive",
        lodash(EVIL, "sha512-b"),
        lodash(EVIL, "sha512-a"),
        "5 critical integrity-changed",
      ],
      [
        "plain HTTP",
        lodash(PUBLIC.replace("https", "HTTP"), "sha512-a"),
        lodash(PUBLIC, "sha512-a"),
        "5 warning plain-http",
      ],
      [
        "a user that looks like a host",
        left("https://registry.npmjs.org@evil.example/left-pad/-/left-pad-1.3.0.tgz"),
        npm({ "node_modules/a": entry("https://registry.npmjs.org/a/-/a-4.17.21.tgz") }),
        "5 warning registry-changed",
      ],
      ["capital letters", left("HTTPS://evil.example/x.tgz"), npm({}), "5 warning url-source"],
      [
        "another package of the registry",
        left("https://registry.npmjs.org/evil/-/evil-1.0.0.tgz"),
        npm({}),
        "5 critical other-archive",
      ],
      [
        "another version of the package",
        left("https://registry.npmjs.org/left-pad/-/left-pad-1.0.0.tgz"),
        npm({}),
        "5 critical other-archive",
      ],
      [
        "another registry of the same host",
        left("https://host.internal/evil/left-pad/-/left-pad-1.3.0.tgz"),
        left("https://host.internal/own/left-pad/-/left-pad-1.3.0.tgz"),
        "5 warning registry-changed",
      ],
      [
        "another archive of the same source",
        npm({ "node_modules/z": entry("https://other.example/z.tgz", "sha512-b", "2.0.0") }),
        npm({ "node_modules/z": entry("https://host.internal/z.tgz", "sha512-a", "1.0.0") }),
        "5 warning url-source",
      ],
    ] as const
  ).map(([what, text, old, signal]) => [`npm: ${what}`, "package-lock.json", text, old, [signal]] as const),
  [
    "pnpm: an archive of its own",
    "pnpm-lock.yaml",
    pnpm(`integrity: sha512-b, tarball: ${EVIL}`),
    pnpm("integrity: sha512-a"),
    ["5 critical source-changed"],
  ],
  [
    "pnpm: another registry",
    "pnpm-lock.yaml",
    pnpm("integrity: sha512-a, tarball: https://evil.example/left-pad/-/left-pad-1.3.0.tgz"),
    pnpm("integrity: sha512-a"),
    ["5 warning registry-changed"],
  ],
  [
    "pnpm: a program for each platform",
    "pnpm-lock.yaml",
    pnpm(
      "type: variations, variants: [{resolution: {type: binary, url: https://evil.example/node.tgz, integrity: sha256-a}}]",
      "node@runtime:22.0.0",
    ),
    pnpm("integrity: sha512-a"),
    ["5 warning url-source"],
  ],
  [
    "bun: an archive",
    "bun.lock",
    bun("left-pad@1.3.0", "https://evil.example/left-pad.tgz", {}, "sha512-a"),
    bun("left-pad@1.3.0", "", {}, "sha512-a"),
    ["4 warning source-changed"],
  ],
  [
    "bun: another registry",
    "bun.lock",
    bun("left-pad@1.3.0", "https://evil.example/left-pad/-/left-pad-1.3.0.tgz", {}, "sha512-a"),
    undefined,
    ["4 warning registry-changed"],
  ],
  [
    "Yarn: another registry in a new file",
    "yarn.lock",
    berry(`left-pad@npm:1.3.0${REGISTRY}`),
    undefined,
    ["4 warning registry-changed"],
  ],
  [
    "Yarn: an archive with its key in other signs",
    "yarn.lock",
    berry(`left-pad@npm:1.3.0${ARCHIVE.replace("__", "%5F_")}`),
    berry("left-pad@npm:1.3.0"),
    ["4 warning source-changed"],
  ],
  [
    "Yarn 1: another package",
    "yarn.lock",
    yarn("https://registry.yarnpkg.com/evil/-/evil-1.0.0.tgz"),
    undefined,
    ["4 critical other-archive"],
  ],
  [
    "Yarn 1: another hash behind the address",
    "yarn.lock",
    yarn(`${LEFT}#${"b".repeat(40)}`, ""),
    yarn(`${LEFT}#${"a".repeat(40)}`, ""),
    ["4 critical integrity-changed"],
  ],
  [
    "uv: an archive of its own",
    "uv.lock",
    uv('url = "https://evil.example/idna.whl"'),
    uv('registry = "https://pypi.org/simple"'),
    ["3 error source-changed"],
  ],
  [
    "Cargo: a repository",
    "Cargo.lock",
    cargo("git+https://host.internal/evil/time#0123"),
    cargo("registry+https://github.com/rust-lang/crates.io-index"),
    ["3 error source-changed"],
  ],
];

describe("a package from elsewhere", () => {
  it.each(CASES)("REV-1: %s", (_what, name, text, old, signals) => {
    expect(told(name, text, old)).toEqual(signals);
  });

  it("REV-1: says in words where the package comes from", () => {
    const { signals } = compare("package-lock.json", lodash("evil/lodash"), lodash(PUBLIC, "sha512-a"));
    expect(signals[0]).toMatchObject({
      message:
        "lodash 4.17.21 comes from a git repository now, not from the registry as before. Its version is the same.",
      why: "No hash shows that the content is the same. Keep it only if the project means to install it from there.",
    });
  });

  it("REV-8: looks up what is fetched, and names a line that says something else", () => {
    const other = compare("yarn.lock", berry("left-pad@npm:1.0.0"));
    expect(other.suspects).toMatchObject([{ name: "left-pad", version: "1.0.0" }]);
    const soft = compare(
      "yarn.lock",
      berry("left-pad@npm:1.3.0", "1.3.0", "languageName: node").replace("hard", "soft"),
    );
    expect(soft.suspects).toMatchObject([{ name: "left-pad", version: "1.3.0" }]);
    const returned = compare("package-lock.json", lodash(PUBLIC, "sha512-a"), lodash(EVIL, "sha512-b"));
    expect(returned.suspects).toMatchObject([{ name: "lodash", version: "4.17.21" }]);
  });

  it.each([
    ["package-lock.json", npm({ "node_modules/x": { resolved: EVIL } }), 5],
    ["package-lock.json", lodash("1.0.0"), 5],
    ["yarn.lock", berry("left-pad@npm:1.0.0"), 4],
    ["yarn.lock", berry("evil@npm:1.3.0"), 4],
    ["pnpm-lock.yaml", pnpm(`type: other, url: ${EVIL}`), 6],
  ])("REV-8: a line of %s that no program writes is named", (name, text, strange) => {
    expect(lockFileOf(name)!.read(text)).toMatchObject({ strange });
  });

  it.each(["package-lock.json", "bun.lock"])("GH-11a: a list in the place of the packages of %s is a fault", (name) => {
    expect(lockFileOf(name)!.read('{"lockfileVersion": 1, "packages": []}')).toHaveProperty("fault");
    expect(lockFileOf(name)!.read('{"lockfileVersion": 1}')).toMatchObject({ packages: [] });
  });

  it.each([
    ["GitHub", "https://api.github.com/repos/a/b/zipball/01", "https://codeload.github.com/a/b/legacy.zip/01"],
    ["GitLab", "https://gitlab.com/api/v4/projects/a%2Fb/repository/archive.zip?sha=01", "https://gitlab.com/a/b.git"],
    ["Bitbucket", "https://bitbucket.org/a/b/get/01.zip", "https://bitbucket.org/a/b.git"],
  ])("REV-1: Composer: %s is as usual, and a branch that goes on there comes from no other place", (_, url, same) => {
    const lock = (version: string, at: string) =>
      JSON.stringify({ packages: [{ name: "a/b", version, dist: { url: at }, source: { type: "git", url: same } }] });
    expect(told("composer.lock", lock("1.0.0", url), lock("0.9.0", url))).toEqual([]);
    for (const from of [url, same]) {
      expect(told("composer.lock", lock("dev-main", from.replace("01", "02")), lock("dev-main", url))).toEqual([]);
    }
    const elsewhere = lock("dev-main", url.replace("/a/b", "/evil/b").replace("a%2Fb", "evil%2Fb"));
    expect(told("composer.lock", elsewhere, lock("dev-main", url))).toEqual(["1 error source-changed"]);
  });

  it.each<[string, (hashes: readonly string[]) => string, readonly string[]]>([
    [
      "poetry.lock",
      (hashes) =>
        `[[package]]\nname = "a"\nversion = "1.0"\nfiles = [\n${hashes.map((hash) => `    {file = "${hash}.whl", hash = "sha256:${hash}"},\n`).join("")}]\n`,
      ["1 warning integrity-changed"],
    ],
    [
      "requirements.txt",
      (hashes) =>
        `a==1.0 ; python_version >= "3.8" \\\n${hashes.map((hash) => `    --hash=sha256:${hash}`).join(" \\\n")}\n    # via b\nc==2.0 --hash=sha256:77\n`,
      ["1 warning integrity-changed"],
    ],
    [
      "requirements/base.txt",
      (hashes) => `a==1.0 ${hashes.map((hash) => `--hash sha256:${hash}`).join(" ")}\n`,
      ["1 warning integrity-changed"],
    ],
  ])(
    "REV-1: one hash among several of %s is replaced; a list that grows or shrinks is none of it",
    (name, lock, replaced) => {
      const before = lock(["01", "02", "03"]);
      expect(told(name, lock(["01", "02", "99"]), before)).toEqual(replaced);
      expect(told(name, lock(["01", "02", "03", "04"]), before)).toEqual([]);
      expect(told(name, lock(["01", "02"]), before)).toEqual([]);
    },
  );

  it("REV-1, REV-8: what package-lock.json of version 2 has for npm 6 alone is compared and asked about as well", () => {
    const entry = (version: string, change: object = {}) => ({
      version,
      resolved: `https://registry.npmjs.org/a/-/a-${version}.tgz`,
      integrity: "sha512-01",
      ...change,
    });
    const git = "git+ssh://git@github.com/s/g.git#0123";
    const lock = (older: object) =>
      JSON.stringify({
        lockfileVersion: 2,
        packages: {
          "": { dependencies: { a: "1", g: git, own: "file:own" } },
          "node_modules/a": entry("1.0.0"),
          "node_modules/g": { version: "2.0.0", resolved: git },
          "node_modules/wide": entry("4.0.0", {
            name: "lodash",
            resolved: "https://registry.npmjs.org/lodash/-/lodash-4.0.0.tgz",
          }),
          "node_modules/own": { resolved: "own", link: true },
        },
        dependencies: {
          a: entry("1.0.0"),
          g: { version: git, from: git },
          wide: {
            version: "npm:lodash@4.0.0",
            resolved: "https://registry.npmjs.org/lodash/-/lodash-4.0.0.tgz",
            integrity: "sha512-01",
          },
          own: { version: "file:own" },
          ...older,
        },
      });
    const read = (text: string) => lockFileOf("package-lock.json")!.read(text);
    expect(read(lock({}))).toMatchObject({ packages: { length: 4 } });
    expect(read(lock({ evil: entry("1.0.0") }))).toMatchObject({ packages: { 4: { name: "evil", version: "1.0.0" } } });
    expect(told("package-lock.json", lock({ a: entry("1.0.0", { integrity: "sha512-99" }) }), lock({}))).toEqual([
      "1 critical integrity-changed",
    ]);
    expect(
      told("package-lock.json", lock({ a: entry("1.0.0", { resolved: "https://evil.example/a.tgz" }) }), lock({})),
    ).toEqual(["1 warning source-changed"]);
  });

  it("REV-1: looks at each entry as often, however many of them have one name", () => {
    const readsOf = (count: number) => {
      let reads = 0;
      const many = (major: number) =>
        Array.from({ length: count }, (_, at) => {
          const place = { line: at, endLine: at, installScript: major === 2 };
          const one: LockedPackage = {
            ecosystem: "npm",
            name: "a",
            version: `${major}.0.${at}`,
            source: "git",
            ...place,
          };
          return new Proxy(one, {
            get(target, field, receiver) {
              reads += 1;
              return Reflect.get(target, field, receiver) as unknown;
            },
          });
        });
      compareLocks(many(1), many(2));
      return reads;
    };
    expect(readsOf(400) / readsOf(100)).toBeLessThan(5);
  });
});

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}.txt`, import.meta.url), "utf8");

describe("usual changes", () => {
  const is = (resolved: string, version: string, more: Entry = {}) =>
    npm({ "node_modules/@s/is": { version, resolved, integrity: `sha512-${version}`, ...more } });
  const at = (registry: string, version: string) => `${registry}/@s/is/-/is-${version}.tgz`;
  const NPM = "https://registry.npmjs.org";
  const git = (commit: string) => is(`git+ssh://git@github.com/s/is.git#${commit}`, "1.0.0", { integrity: undefined });
  const required = (commit: string) => `is @ git+https://github.com/s/is.git@${commit}\n`;

  it.each<readonly [string, string, string, string, readonly string[]]>([
    ["a new version", "package-lock.json", is(at(NPM, "1.0.1"), "1.0.1"), is(at(NPM, "1.0.0"), "1.0.0"), []],
    [
      "a mirror",
      "package-lock.json",
      is("https://mirror.internal/npm/@s/is/download/@s/is-1.0.0.tgz?cache=0", "1.0.0"),
      is(at(NPM, "1.0.0"), "1.0.0"),
      ["5 warning registry-changed"],
    ],
    [
      "a registry that writes names in other signs",
      "package-lock.json",
      is("https://host.internal/npm/%40s%2Fis/-/1.0.1/is-1.0.1.tgz", "1.0.1"),
      is("https://host.internal/npm/%40s%2Fis/-/1.0.0/is-1.0.0.tgz", "1.0.0"),
      [],
    ],
    [
      "a registry without names of files",
      "package-lock.json",
      is("https://npm.pkg.github.com/download/@s/is/1.0.1/0123", "1.0.1"),
      is("https://npm.pkg.github.com/download/@s/is/1.0.0/4567", "1.0.0"),
      [],
    ],
    ["another commit", "package-lock.json", git("0123"), git("4567"), []],
    ["another commit of Python", "requirements.txt", required("0123"), required("4567"), []],
    ["no address", "package-lock.json", is("", "1.0.0"), is(at(NPM, "1.0.0"), "1.0.0"), []],
    [
      "a package inside another one",
      "package-lock.json",
      is("", "1.0.0", { integrity: undefined, inBundle: true }),
      is(at(NPM, "1.0.0"), "1.0.0"),
      [],
    ],
    [
      "a new release outside the registry",
      "package-lock.json",
      is("https://gitlab.com/s/is/-/archive/v1.0.1/is-v1.0.1.tar.gz", "1.0.1"),
      is("https://gitlab.com/s/is/-/archive/v1.0.0/is-v1.0.0.tar.gz", "1.0.0"),
      [],
    ],
    [
      "a program that pnpm installs",
      "pnpm-lock.yaml",
      pnpm(
        "type: variations, variants: [{resolution: {type: binary, url: https://nodejs.org/download/release/v22.0.0/node.tgz, integrity: sha256-a}}]",
        "node@runtime:22.0.0",
      ),
      pnpm("integrity: sha512-a"),
      [],
    ],
    ["a stronger hash", "package-lock.json", lodash(PUBLIC, "sha512-a"), lodash(PUBLIC, "sha1-a"), []],
  ])("REV-1: %s", (_what, name, text, old, signals) => {
    expect(told(name, text, old)).toEqual(signals);
  });

  it.each([
    ["package-lock.json", ["npm-6", "npm-8", "npm-11"]],
    ["pnpm-lock.yaml", ["pnpm-7", "pnpm-8", "pnpm-9"]],
    ["yarn.lock", ["yarn-1", "yarn-3", "yarn-4"]],
    ["bun.lock", ["bun-1"]],
  ])("REV-1: no word about %s as programs write it, from one version to the next", (name, files) => {
    for (const [at, file] of files.entries()) {
      expect(told(name, recorded(file)), file).toEqual([]);
      expect(told(name, recorded(file), recorded(files[Math.max(0, at - 1)]!)), file).toEqual([]);
    }
  });
});
