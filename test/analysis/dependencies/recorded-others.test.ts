import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";
import { findForeignLine } from "../../../src/analysis/dependencies/lock-text.ts";
import { stepsOf } from "./steps-of.ts";

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}.txt`, import.meta.url), "utf8");

const POETRY = `[tool.poetry]
name = "shop"
version = "1.0.0"
description = ""
authors = []

[tool.poetry.dependencies]
python = "^3.8"
left-lib = "^1.3.0"
right-lib = { version = "^2.0.0", optional = true }
own = { path = "own" }

[tool.poetry.group.dev.dependencies]
odd-lib = "0.1.2"

[tool.poetry.extras]
more = ["right-lib"]

[[tool.poetry.source]]
name = "local"
url = "http://127.0.0.1:8808/simple"
default = true
`;
const CARGO = `[package]
name = "shop"
version = "1.0.0"
edition = "2021"

[dependencies]
left-lib = "1.3"
right = { package = "right-lib", version = "2" }
own = { path = "own" }
`;
const PIPFILE = `[[source]]
url = "http://127.0.0.1:8808/simple"
verify_ssl = false
name = "local"

[packages]
left-lib = "~=1.3"
right-lib = {version = ">=2", markers = "python_version >= '3.8'"}

[dev-packages]
odd-lib = "*"

[requires]
python_version = "3.11"
`;
const DENO = `{
  "imports": {
    "is-even": "npm:is-even@^1.0.0",
    "left-pad": "npm:left-pad@^1.3.0",
    "wide": "npm:lodash@4.17.20"
  }
}
`;
const dist = (url: string, reference: string, more: object = {}) => ({ type: "zip", url, reference, ...more });
const git = (url: string, reference: string) => ({ type: "git", url, reference });
const LEFT = dist("https://api.github.com/repos/acme/left/zipball/0a0a", "0a0a", { shasum: "" });
const ODD = dist("https://gitlab.com/api/v4/projects/acme%2Fodd/repository/archive.zip?sha=0c", "0c");
const LEFT_SOURCE = git("https://github.com/acme/left.git", "0a0a");
const BRANCH_SOURCE = git("https://github.com/acme/branch.git", "0b0b");
const of = (entry: object) => ({ type: "package", package: entry });
const COMPOSER = JSON.stringify({
  name: "acme/shop",
  require: { "acme/left": "^1.3", "acme/own": "1.0.0", "acme/branch": "dev-main" },
  "require-dev": { "acme/odd": "0.1.2" },
  repositories: [
    { "packagist.org": false },
    { type: "path", url: "own" },
    of({ name: "acme/left", version: "1.3.0", dist: LEFT, source: LEFT_SOURCE }),
    of({ name: "acme/branch", version: "dev-main", source: BRANCH_SOURCE }),
    of({ name: "acme/odd", version: "0.1.2", dist: ODD }),
  ],
});

/** The manifest, what is locked, and changes of the manifest with what the same program said: whether the lock file is in step. */
const CASES = [
  [
    "poetry.lock",
    "poetry-1",
    POETRY,
    ["left-lib 1.4.0 registry", "odd-lib 0.1.2 registry", "own 1.0.0 link", "right-lib 2.0.0 registry"],
    [
      ['left-lib = "^1.3.0"', 'left-lib = "^1.3.1"', false],
      ['odd-lib = "0.1.2"', "", false],
      ['version = "1.0.0"', 'version = "1.0.1"', true],
    ],
  ],
  [
    "Cargo.lock",
    "cargo-1",
    CARGO,
    [
      ...["left-lib 0.9.0 registry", "left-lib 1.3.0 registry", "own 1.0.0 link", "right-lib 2.0.0 registry"],
      "shop 1.0.0 link",
    ],
    [
      ['left-lib = "1.3"', 'left-lib = "1.4"', false],
      ['left-lib = "1.3"', 'left-lib = "1"', true],
      ["[dependencies]", '[dependencies]\nleft = { package = "left-lib", version = "0.9" }', false],
      ["[dependencies]", '[dependencies]\nodd-lib = "1"', false],
    ],
  ],
  [
    "composer.lock",
    "composer-2",
    COMPOSER,
    ["acme/branch dev-main git", "acme/left 1.3.0 registry", "acme/odd 0.1.2 registry", "acme/own 1.0.0 link"],
    [
      ['"^1.3"', '"^1.2"', false],
      ["acme/shop", "acme/store", false],
      ['"name":"acme/shop"', '"name":"acme/shop","description":"x"', true],
    ],
  ],
  [
    "Pipfile.lock",
    "pipenv-2022",
    PIPFILE,
    ["left-lib 1.4.0 registry", "odd-lib 0.1.2 registry", "right-lib 2.0.0 registry"],
    [
      ["~=1.3", "~=1.2", false],
      ['odd-lib = "*"', 'odd-lib = "==0.1.2"', false],
      ["3.11", "3.12", false],
      ["verify_ssl = false", "verify_ssl = true", false],
      ["[packages]", '[docs]\nodd-lib = "*"\n\n[packages]', false],
      ["[packages]", '[scripts]\nx = "y"\n\n[packages]', true],
      ["[packages]", "[pipenv]\nallow_prereleases = true\n\n[packages]", true],
      ["[packages]", "# a comment\n[packages]", true],
    ],
  ],
  [
    "deno.lock",
    "deno-2",
    DENO,
    [
      ...["@sindresorhus/is 4.6.0", "is-buffer 1.1.6", "is-even 1.0.0", "is-number 3.0.0", "is-number 6.0.0"],
      ...["is-odd 0.1.2", "is-odd 3.0.1", "is-positive 3.1.0", "kind-of 3.2.2", "left-pad 1.3.0", "lodash 4.17.20"],
    ].map((one) => `${one} registry`),
    [
      ["is-even@^1.0.0", "is-even@^0.1.0", false],
      ["lodash@4.17.20", "lodash@4.17.19", false],
      ["left-pad@^1.3.0", "left-pad@~1.3.0", false],
      ['"is-even": "npm:is-even@^1.0.0",', "", false],
      ['"imports": {', '"imports": { "k": "npm:kind-of@6.0.3",', false],
      ["is-even@^1.0.0", "is-even@1", true],
      ['"wide"', '"wider"', true],
      ["lodash@4.17.20", "lodash@4.17.20/fp", true],
    ],
  ],
] as const;

it.each(CASES)(
  "REV-8: a %s of the real program: its packages, and when it is out of step",
  (name, file, manifest, packages, changes) => {
    const text = recorded(file);
    expect(findForeignLine(name, text)).toBeUndefined();
    expect(packagesOf(name, text)).toEqual(packages);
    const steps = (wanted: string) => {
      const { drifts, isStale, isUnjudged } = stepsOf(wanted, name, text);
      expect(isUnjudged).toBeUndefined();
      return drifts.length === 0 && isStale === undefined;
    };
    expect(steps(manifest)).toBe(true);
    for (const [before, after, isInStep] of changes)
      expect(steps(manifest.replace(before, after)), after).toBe(isInStep);
  },
);

it("REV-8: lock files of Bundler and Go: their packages", () => {
  expect(findForeignLine("Gemfile.lock", recorded("bundler-2"))).toBeUndefined();
  expect(packagesOf("Gemfile.lock", recorded("bundler-2"))).toEqual([
    ...["left-lib 1.3.0 registry", "own 1.0.0 link", "right-lib 2.0.0 registry"],
  ]);
  expect(lockFileOf("go.mod")!.read(recorded("go-1-mod"))).not.toHaveProperty("strange");
  const fetched = ["example.com/fork v1.3.1 registry", "example.com/odd v0.1.2 registry"];
  expect(packagesOf("go.mod", recorded("go-1-mod"))).toEqual([...fetched, "example.com/own v0.0.0 link"]);
  expect(packagesOf("go.sum", recorded("go-1-sum"))).toEqual(fetched);
});

it("REV-8: what cannot be judged is said, and is no drift", () => {
  const project = '[project]\nname = "shop"\n';
  for (const [manifest, name, text] of [
    [project, "uv.lock", 'version = 1\n\n[[package]]\nname = "a"\nversion = "1"\n'],
    [`${POETRY}\n${project}`, "poetry.lock", recorded("poetry-1")],
    ['gem "a"\n', "Gemfile.lock", recorded("bundler-2")],
    ['{"require":{"1":"*"}}', "composer.lock", recorded("composer-2")],
    ['{"extra":{"x":1.5}}', "composer.lock", recorded("composer-2")],
    ["[workspace]\n", "Cargo.lock", recorded("cargo-1")],
  ] as const)
    expect(stepsOf(manifest, name, text), name).toEqual({ drifts: [], isUnjudged: true });
});

function packagesOf(name: string, text: string): string[] {
  const reading = lockFileOf(name)!.read(text);
  const packages = "fault" in reading ? [] : reading.packages;
  return packages.map((one) => `${one.name} ${one.version} ${one.source}`).sort();
}
