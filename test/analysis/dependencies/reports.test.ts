import { describe, expect, it } from "vitest";
import { compareLockFile } from "../../../src/analysis/child/compare-lock-file.ts";
import { classifyFile } from "../../../src/analysis/classify-file.ts";
import { compareVersions } from "../../../src/analysis/dependencies/compare-versions.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";
import { changedFile } from "../change-of.ts";

/** What a new lock file has asked about, and what is said of it. */
function compare(name: string, text: string, manifest?: object, oldText?: string) {
  const lock = {
    name,
    ...(manifest ? { steps: { manifests: [{ folder: "", text: JSON.stringify(manifest, null, 2) }], place: {} } } : {}),
  };
  const result = compareLockFile({ id: 0, text, lock, ...(oldText === undefined ? {} : { oldText }) });
  if ("fault" in result) throw new Error(result.fault);
  return {
    asked: result.suspects.map((one) => `${one.name} ${one.version} at ${one.line}`),
    signals: result.signals.map(({ rule, package: of }) => `${rule} ${of.name}`),
    drifts: result.drifts.map(({ name: of, wanted, locked }) => `${of} ${wanted} ${locked}`),
    strange: result.strange,
  };
}

function classified(name: string, text: string) {
  return classifyFile(changedFile(name, text), Buffer.from(text));
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe("REV-8: lock files as public reports have them", () => {
  const OF_PNPM = `---
lockfileVersion: '9.0'
importers:
  .:
    packageManagerDependencies:
      pnpm: {specifier: 11.0.3, version: 11.0.3}
packages:
  pnpm@11.0.3:
    resolution: {integrity: sha512-AAAA==}
`;
  const ofProject = (integrity: string) => `---
lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      evil-lib:
        specifier: 1.0.0
        version: 1.0.0
      left-pad:
        specifier: ^1.3.0
        version: 1.3.0
      lodash:
        specifier: 4.17.20
        version: 4.17.20
packages:
  evil-lib@https://host.internal/evil-lib.tgz:
    resolution: {tarball: https://host.internal/evil-lib.tgz}
    version: 1.0.0
  left-pad@1.3.0:
    resolution: {integrity: sha512-BBBB==}
  lodash@4.17.20:
    resolution: {integrity: ${integrity}}
`;
  const MANIFEST = { dependencies: { "left-pad": "^1.3.0", lodash: "4.17.20", "evil-lib": "1.0.0" } };

  it("R1: both documents of pnpm-lock.yaml are read", () => {
    const text = OF_PNPM + ofProject("sha512-CCCC==");
    expect(compare("pnpm-lock.yaml", text, MANIFEST)).toEqual({
      asked: ["pnpm 11.0.3 at 8", "left-pad 1.3.0 at 28", "lodash 4.17.20 at 30"],
      signals: ["url-source evil-lib"],
      drifts: [],
      strange: undefined,
    });
    expect(classified("pnpm-lock.yaml", text)).toMatchObject({ compared: true, gap: false });
    const changed = compare("pnpm-lock.yaml", text, MANIFEST, OF_PNPM + ofProject("sha512-DDDD=="));
    expect(changed.signals).toEqual(["integrity-changed lodash"]);
    const other = { dependencies: { ...MANIFEST.dependencies, lodash: "4.17.21" } };
    expect(compare("pnpm-lock.yaml", text, other).drifts).toEqual(["lodash 4.17.21 4.17.20"]);
  });

  it("R2: what overrides and resolutions force is no drift, and another version is", () => {
    const wanted = { dependencies: { "is-positive": "^3.0.0" } };
    const pnpm = `lockfileVersion: '9.0'\n\noverrides:\n  is-positive: 3.1.0\n\nimporters:\n\n  .:\n    dependencies:\n      is-positive:\n        specifier: 3.1.0\n        version: 3.1.0\n\npackages:\n\n  is-positive@3.1.0:\n    resolution: {integrity: sha512-a}\n`;
    expect(
      compare("pnpm-lock.yaml", pnpm, { ...wanted, pnpm: { overrides: { "is-positive": "3.1.0" } } }).drifts,
    ).toEqual([]);
    // Since pnpm 10 they are in another file; the lock file repeats them.
    expect(compare("pnpm-lock.yaml", pnpm, wanted).drifts).toEqual([]);
    const newer = { ...wanted, pnpm: { overrides: { "is-positive": "3.2.0" } } };
    expect(compare("pnpm-lock.yaml", pnpm, newer).drifts).toEqual(["is-positive ^3.0.0 3.1.0"]);
    const yarn = `__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"is-positive@npm:3.1.0":\n  version: 3.1.0\n  resolution: "is-positive@npm:3.1.0"\n  checksum: 10c0/abcdef\n  languageName: node\n  linkType: hard\n`;
    const resolved = { ...wanted, resolutions: { "is-positive": "3.1.0" } };
    expect(compare("yarn.lock", yarn, resolved).drifts).toEqual([]);
    expect(compare("yarn.lock", yarn, wanted).drifts).toEqual(["is-positive ^3.0.0 undefined"]);
  });

  it("R3: an alias in package-lock.json of version 1 is asked about by its own name", () => {
    const resolved = "https://registry.npmjs.org/lodash/-/lodash-4.17.20.tgz";
    const wide = { version: "npm:lodash@4.17.20", resolved };
    const left = { version: "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz" };
    const lock = json({ lockfileVersion: 1, dependencies: { wide, "left-pad": left } });
    expect(compare("package-lock.json", lock, { dependencies: { wide: "npm:lodash@^4.17.0" } })).toMatchObject({
      asked: ["lodash 4.17.20 at 4", "left-pad 1.3.0 at 8"],
      drifts: [],
    });
  });

  it("R4: what replace puts in place in go.mod is asked about", () => {
    const mod = `module example.com/shop

go 1.22

require (
	github.com/gogo/protobuf v1.3.1
	golang.org/x/text v0.3.2 // indirect
	k8s.io/client-go v0.20.0
	github.com/pkg/errors v0.9.1
)

exclude github.com/pkg/errors v0.9.0

replace github.com/gogo/protobuf => github.com/gogo/protobuf v1.3.2

replace (
	golang.org/x/text => github.com/somebody/text v0.3.0
	k8s.io/client-go => ./staging/client-go
	github.com/pkg/errors v0.8.0 => github.com/other/errors v1.0.0
)
`;
    expect(compare("go.mod", mod)).toEqual({
      asked: [
        "github.com/gogo/protobuf v1.3.2 at 14",
        "github.com/somebody/text v0.3.0 at 17",
        "github.com/pkg/errors v0.9.1 at 9",
        "github.com/other/errors v1.0.0 at 19",
      ],
      signals: [],
      drifts: [],
      strange: undefined,
    });
    expect(compare("go.mod", `${mod}system(x)\n`).strange).toBe(21);
  });

  it("R5: a gem for several platforms is one package", () => {
    const lock =
      "GEM\n  remote: https://rubygems.org/\n  specs:\n    nokogiri (1.13.3-x86_64-linux)\n      racc (~> 1.4)\n    nokogiri (1.13.3-arm64-darwin)\n      racc (~> 1.4)\n    nokogiri (1.13.3)\n    racc (1.6.0)\n";
    expect(compare("Gemfile.lock", lock).asked).toEqual(["nokogiri 1.13.3 at 4", "racc 1.6.0 at 9"]);
    expect(compareVersions("RubyGems", "1.13.3-x86_64-linux", "1.13.3")).toBe(0);
    expect(compareVersions("RubyGems", "1.13.2-java", "1.13.3")).toBeLessThan(0);
  });

  it("R6: shapes that package managers write are read", () => {
    const gems = (rest: string) => `GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.0.0)\n\n${rest}`;
    const bundler =
      "PLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack\n\nCHECKSUMS\n  rack (3.0.0) sha256=0a1b\n\nRUBY VERSION\n";
    const plugin = "PLUGIN SOURCE\n  remote: https://host.internal/p\n  type: git\n  specs:\n    own-plugin (0.1)\n\n";
    const key = `@acme/base@1.0.0(${"@aws-sdk/client-number-0@3.1107.0".repeat(40)})`;
    const texts = {
      "a/Gemfile.lock": `${plugin}${gems(`${bundler}  ruby 4.0.5\n\nBUNDLED WITH\n  4.0.3\n`)}`,
      "b/Gemfile.lock": gems(`${bundler}   ruby 3.2.4 (truffleruby 24.1.0)\n\nBUNDLED WITH\n   2.5.9\n`),
      "poetry.lock": `[[package]]\nname = "flask"\nversion = "3.0.0"\ndescription = """\nA framework; it is small.\nFor everybody."""\noptional = false\n\n[metadata]\nlock-version = "2.1"\n`,
      "pnpm-lock.yaml": `lockfileVersion: '9.0'\n\npackages:\n\n  '@acme/base@1.0.0':\n    resolution: {integrity: sha512-a}\n\nsnapshots:\n\n  ? '${key}'\n  : dependencies:\n      a: 1.0.0\n`,
    };
    for (const [path, text] of Object.entries(texts)) {
      expect(classified(path, text), path).toMatchObject({ compared: true, gap: false });
      expect(compare(path.replace(/^.*\//, ""), text).asked, path).toHaveLength(1);
    }
  });

  it("R7: a list in the folder requirements is read as requirements.txt is", () => {
    const text =
      "-r common.txt\nflask==2.0.0 \\\n    --hash=sha256:0a1b\nevil @ git+https://github.com/example/evil@main\n";
    expect(lockFileOf("requirements/base.txt")).toBe(lockFileOf("requirements.txt"));
    expect(compare("requirements/base.txt", text)).toEqual({
      asked: ["flask 2.0.0 at 2"],
      signals: ["git-source evil"],
      drifts: [],
      strange: undefined,
    });
    expect(compare("requirements/base.txt", `${text}the system has to work\n`).strange).toBe(5);
    expect(compare("requirements/notes.txt", "The system has to work.\n")).toMatchObject({
      asked: [],
      strange: undefined,
    });
  });

  it("R8: exact versions of a manifest without a lock file are asked about, and ranges named", () => {
    const dependencies = { lodash: "4.17.4", "event-stream": "3.3.6", "node-serialize": "0.0.4", left: "^1.0.0" };
    const result = compareLockFile({ id: 0, text: json({ dependencies }), lock: { name: "package.json", locks: [] } });
    expect(result).toMatchObject({
      suspects: [
        { name: "lodash", version: "4.17.4", line: 3 },
        { name: "event-stream", version: "3.3.6", line: 4 },
        { name: "node-serialize", version: "0.0.4", line: 5 },
      ],
      unlocked: [{ name: "left", wanted: "^1.0.0" }],
    });
  });

  it("R9: Yarn 1 with keys in quotes is read", () => {
    const text = `# yarn lockfile v1\n\n\n"left-pad@^1.3.0", "left-pad@~1.3.0":\n  "version" "1.3.0"\n  "resolved" "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#abc"\n  "integrity" "sha512-abc=="\n  "dependencies":\n    "a" "^1.0.0"\n`;
    expect(classified("yarn.lock", text)).toMatchObject({ compared: true, gap: false });
    expect(compare("yarn.lock", text, { dependencies: { "left-pad": "~1.3.0" } })).toMatchObject({
      asked: ["left-pad 1.3.0 at 4"],
      drifts: [],
    });
  });
});
