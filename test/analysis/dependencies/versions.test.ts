import { expect, it } from "vitest";
import type { Ecosystem } from "../../../src/analysis/dependencies/advisory-source.ts";
import { compareVersions } from "../../../src/analysis/dependencies/compare-versions.ts";

/** Each list goes from the earliest to the latest; versions in one entry are the same. */
const ORDERS: readonly (readonly [Ecosystem, readonly (readonly string[])[]])[] = [
  [
    "npm",
    [["1.0.0-alpha"], ["1.0.0-alpha.1"], ["1.0.0-beta.2"], ["1.0.0-beta.11"], ["1.0.0-rc.1"], ["1.0.0", "v1.0.0+b"]],
  ],
  ["PyPI", [["1.0.dev1"], ["1.0a1"], ["1.0b2"], ["1.0rc1"], ["1.0", "1.0.0"], ["1.0.post1"], ["1.1"], ["1!0.1"]]],
  ["RubyGems", [["1.0.a"], ["1.0.b1"], ["1.0", "1", "1.0-x86_64-linux"], ["1.0.1"], ["1.13.3", "1.13.3-java"]]],
  [
    "Go",
    [
      ["v0.0.0-20180101000000-0123456789ab"],
      ["v0.0.0-20190101000000-abcdefabcdef"],
      ["v1.2.2"],
      ["v1.2.3-0.20200101000000-abcdefabcdef"],
      ["v1.2.3"],
      ["v2.0.0+incompatible", "v2.0.0"],
    ],
  ],
  [
    "Maven",
    [
      ["1-alpha-1", "1-a1", "1alpha1"],
      ["1-beta-1"],
      ["1-milestone-2", "1-m2"],
      ["1-rc", "1-cr"],
      ["1-SNAPSHOT"],
      ["1", "1.0", "1-ga", "1.0.0-final", "1.ga"],
      ["1-sp"],
      ["1-foo2"],
      ["1-foo10"],
      ["1-1"],
      ["1.1"],
      ["1.2.10"],
      ["31.1-android"],
      ["31.1-jre"],
    ],
  ],
  [
    "Packagist",
    [
      ["1.0.0-dev"],
      ["1.0.0-alpha1"],
      ["1.0.0-beta2"],
      ["1.0.0-beta10"],
      ["1.0.0-RC1"],
      ["1.0.0", "v1.0.0.0"],
      ["1.0.0-p1"],
    ],
  ],
  ["crates.io", [["0.1.0-pre"], ["0.1.0"], ["0.1.1"], ["0.10.0"]]],
];

it.each(ORDERS)("REV-8: versions of %s come in the order of its own rules", (ecosystem, order) => {
  const flat = order.flatMap((same, rank) => same.map((version) => ({ version, rank })));
  const wrong = flat.flatMap((a) =>
    flat
      .filter((b) => Math.sign(compareVersions(ecosystem, a.version, b.version)) !== Math.sign(a.rank - b.rank))
      .map((b) => `${a.version} ${b.version}`),
  );
  expect(wrong).toEqual([]);
});
