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
const PDM = `[project]
name = "shop"
version = "1.0.0"
requires-python = ">=3.8"
dependencies = ["left-lib~=1.3", "Even.Lib>=1; python_version >= '3.8'", "own @ file:///\${PROJECT_ROOT}/own"]

[project.optional-dependencies]
more = ["right-lib[extra]>=2,<3"]

[tool.pdm.dev-dependencies]
test = ["odd-lib==0.1.2"]

[tool.pdm.overrides]
right-lib = "2.0.0"

[[tool.pdm.source]]
name = "pypi"
url = "http://127.0.0.1:8808/simple"
verify_ssl = false
`;
const GEMFILE = `source "http://127.0.0.1:8809"

gem "left-lib", "~> 1.3.0"
gem "right-lib", ">= 1", "< 3", require: false
gem "own", path: "own"

group :test, :development do
  gem "even_lib", "2.9.0"
end
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
      ['left-lib = "^1.3.0"', 'left-lib = "^1.3"', false],
      ['left-lib = "^1.3.0"', 'left-lib = { version = "^1.3.0" }', false],
      ['python = "^3.8"', 'python = "^3.9"', false],
      ['{ path = "own" }', '{ path = "own", develop = true }', false],
      ["optional = true", "optional = false", false],
      ["group.dev", "group.test", false],
      ["[tool.poetry.group.dev.dep", "[tool.poetry.group.dev]\noptional = true\n\n[tool.poetry.group.dev.dep", false],
      ["more = [", "others = [", false],
      ["default = true", "secondary = true", false],
      ["authors = []", 'authors = ["A <a@example.com>"]', true],
      ["[tool.poetry.extras]", '# A note.\n[tool.poetry.scripts]\nx = "y:z"\n\n[tool.poetry.extras]', true],
    ],
  ],
  [
    "pdm.lock",
    "pdm-2",
    PDM,
    [
      ...["even-lib 1.0.0 registry", "left-lib 1.4.0 registry", "odd-lib 0.1.2 registry", "own 1.0.0 file"],
      ...["right-lib 2.0.0 registry", "right-lib 2.1.0 registry"],
    ],
    [
      ['name = "shop"', 'name = "store"', true],
      ['version = "1.0.0"', 'version = "1.0.1"', true],
      ['>=3.8"\ndep', '>=3.9"\ndep', false],
      ["left-lib~=1.3", "left-lib~=1.2", false],
      ["left-lib~=1.3", "left-lib ~= 1.3", false],
      ["Even.Lib>=1", "even-lib>=1", false],
      [">=2,<3", "<3,>=2", false],
      ["odd-lib==0.1.2", "odd-lib==0.2.0", false],
      ["test = [", "tests = [", false],
      ['right-lib = "2.0.0"', 'right-lib = "2.1.0"', false],
      ["verify_ssl = false", "verify_ssl = true", false],
      ["[tool.pdm.overrides]", '[tool.pdm.scripts]\nx = "y"\n\n[tool.pdm.overrides]', true],
      ["[tool.pdm.overrides]", "[tool.pdm]\nallow_prereleases = true\n\n[tool.pdm.overrides]", true],
      ["[tool.pdm.overrides]", '[tool.pdm.resolution]\nexclude-newer = "2024-01-01"\n\n[tool.pdm.overrides]', true],
      ["[project.optional", "# A note.\n[project.optional", true],
      ['"left-lib~=1.3", ', "", false],
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
    "Gemfile.lock",
    "bundler-2-groups",
    GEMFILE,
    [
      ...["even_lib 2.9.0 registry", "left-lib 1.3.0 registry", "odd-lib 0.1.2 registry", "own 1.0.0 link"],
      "right-lib 2.0.0 registry",
    ],
    [
      ['"~> 1.3.0"', '"~> 1.3"', false],
      ['"~> 1.3.0"', '"~> 1.4"', false],
      ['"~> 1.3.0"', '"~>1.3.0"', true],
      ['"~> 1.3.0"', '["~> 1.3.0"]', true],
      ['"~> 1.3.0"', '">= 0"', false],
      ['">= 1", "< 3"', '"< 3", ">= 1"', true],
      ['">= 1", "< 3"', '">= 1.0", "< 3.0"', true],
      ['">= 1", "< 3"', '">= 2", "< 3"', false],
      [", require: false", "", true],
      ['"2.9.0"', '"= 2.9.0"', true],
      ['"2.9.0"', '"2.9"', true],
      ['"2.9.0"', '"3.0.0.pre1"', false],
      ["group :test, :development do", "group :docs do", true],
      ['gem "left-lib", "~> 1.3.0"', "", false],
      ['gem "left-lib"', 'gem "odd-lib"\ngem "left-lib"', false],
      ['gem "left-lib"', "gem 'rake' # a comment\ngem \"left-lib\"", false],
      ['gem "own", path: "own"', 'gem "own"', false],
      ['gem "own", path: "own"', 'gem "own", "1.0.0", path: "own"', false],
      ['gem "own", path: "own"', 'gem "own", :path => "own"', true],
      ['gem "left-lib", "~> 1.3.0"', 'gem "left-lib",\n  "~> 1.3.0",\n  platforms: %i[ruby jruby]', true],
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
      // As Deno 2.9.6 says, too, of two ranges of which one is gone.
      ['"imports": {', '"imports": { "other": "npm:left-pad@1.2.0",', false],
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

it("REV-8: Deno's range that nothing imports any more is out of step, also next to another range of the package", () => {
  const lock = JSON.stringify({ version: "5", workspace: { dependencies: ["npm:is-odd@2", "npm:is-odd@3"] } });
  const drifts = (imports: object) => stepsOf(JSON.stringify({ imports }), "deno.lock", lock).drifts;
  expect(drifts({ a: "npm:is-odd@^3.0.0", b: "npm:is-odd@^2.0.0" })).toEqual([]);
  expect(drifts({ a: "npm:is-odd@^3.0.0" })).toEqual([{ name: "is-odd", locked: "npm:is-odd@2" }]);
  expect(drifts({ a: "npm:is-odd@4" })).toEqual([
    { name: "a", wanted: "npm:is-odd@4", locked: "npm:is-odd@2" },
    { name: "is-odd", locked: "npm:is-odd@3" },
  ]);
});

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
    [project, "pdm.lock", '[metadata]\ncontent_hash = "sha256:00"\n[metadata.lock_inputs]\nproject = {}\n'],
    ...[
      ...[
        'gem "a" if on_windows?',
        'gem "a", VERSION',
        'gem "a", ENV["A"]',
        "gemspec",
        'gem "a-#{1}"',
        'eval_gemfile "b"',
      ],
      ...["gems.each { |one| gem one }", 'gem "a", "~> 1", **options', "gem name"],
    ].map((line) => [`${line}\n`, "Gemfile.lock", recorded("bundler-2")] as const),
    ['{"require":{"1":"*"}}', "composer.lock", recorded("composer-2")],
    ['{"extra":{"x":1.5}}', "composer.lock", recorded("composer-2")],
    ["[workspace]\n", "Cargo.lock", "version = 1\n[root]\nname = 'x'\nversion = '1.0.0'\n"],
  ] as const)
    expect(stepsOf(manifest, name, text), `${name} ${manifest}`).toEqual({ drifts: [], isUnjudged: true });
});

/** Of two public projects, whose lock files Poetry 2 and a PDM above 2.17 wrote: what their hash is of, and the hash. */
const LATER = [
  [
    "poetry.lock",
    `[project]
name = "renamed"
requires-python = ">=3.13"
dependencies = [
    "django (>=5.2.2,<6.0.0)", "djangorestframework (>=3.16.0,<4.0.0)", "django-cors-headers (>=4.7.0,<5.0.0)",
    "notebook (>=7.4.3,<8.0.0)", "ipython (>=9.3.0,<10.0.0)", "psycopg2-binary (>=2.9.10,<3.0.0)",
]
`,
    '[metadata]\ncontent-hash = "4f50d1956637576f7866b622bde4bbcca373026d2bdb7de5c2d257b0911d49a2"\n',
  ],
  [
    "pdm.lock",
    `[project]
name = "renamed"
requires-python = "==3.14.*"
dependencies = ["fastapi>=0.135.2", "uvicorn[standard]>=0.42.0", "pydantic>=2.12.5"]

[tool.pdm]
distribution = false

[dependency-groups]
dev = ["pytest>=9.0.2", "httpx>=0.28.1"]
`,
    '[metadata]\ncontent_hash = "sha256:42eb65823559f2527e46d0a096ba861bc761141feccac46c8c695df04a58eea5"\n',
  ],
] as const;

it.each(LATER)(
  "REV-8: a %s of a later version: its hash is of the sections that all programs share",
  (name, manifest, text) => {
    expect(stepsOf(manifest, name, text)).toEqual({ drifts: [] });
    expect(stepsOf(manifest.replace("renamed", "other"), name, text)).toEqual({ drifts: [] });
    for (const [before, after] of [
      ["requires-python", "others"],
      [name === "pdm.lock" ? "pytest>=9.0.2" : "notebook (>=7.4.3", "pytest>=8"],
    ] as const)
      expect(stepsOf(manifest.replace(before, after), name, text)).toEqual({ drifts: [], isStale: true });
  },
);

it("REV-8: hashes that PDM lists at the end of the file are those of its packages", () => {
  const reading = lockFileOf("pdm.lock")!.read(recorded("pdm-2"));
  const packages = "fault" in reading ? [] : reading.packages;
  expect(packages.flatMap(({ name, integrity }) => (integrity === undefined ? [name] : []))).toEqual(["own"]);
});

function packagesOf(name: string, text: string): string[] {
  const reading = lockFileOf(name)!.read(text);
  const packages = "fault" in reading ? [] : reading.packages;
  return packages.map((one) => `${one.name} ${one.version} ${one.source}`).sort();
}
