import { describe, expect, it } from "vitest";
import { compareManifest } from "../../../src/analysis/dependencies/compare-manifest.ts";

function compare(name: string, text: string, locks: Parameters<typeof compareManifest>[1] = [], oldText?: string) {
  const found = compareManifest({ name, text, oldText }, locks);
  if ("fault" in found) return found.fault;
  return {
    exact: found.exact.map((one) => `${one.ecosystem} ${one.name} ${one.version} at ${one.line}`),
    ranges: found.ranges.map(({ name: of, wanted }) => `${of} ${wanted}`.trim()),
  };
}
const npm = (manifest: object) => `${JSON.stringify(manifest, null, 2)}\n`;

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

  it("says of a text that cannot be read that it cannot", () => {
    expect(compare("package.json", "{")).toBe("it is no JSON");
    expect(compare("Cargo.toml", "[")).toBe("it is no TOML");
  });
});
