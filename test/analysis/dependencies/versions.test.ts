import { expect, it } from "vitest";
import type { Ecosystem } from "../../../src/analysis/dependencies/advisory-source.ts";
import { compareVersions } from "../../../src/analysis/dependencies/compare-versions.ts";

type Order = readonly (readonly string[])[];

/**
 * Each list goes from the earliest to the latest; versions in one entry are the same. They are what the named documents say, and
 * `recorded/README.md` says which of the programs themselves were asked.
 */
const ORDERS: readonly (readonly [Ecosystem, document: string, Order])[] = [
  [
    "npm",
    "semver.org 2.0.0, items 10 and 11",
    [
      ...[["1.0.0-alpha"], ["1.0.0-alpha.1"], ["1.0.0-alpha.beta"], ["1.0.0-beta"], ["1.0.0-beta.2"]],
      ...[["1.0.0-beta.11"], ["1.0.0-rc.1"], ["1.0.0", "v1.0.0+b", "1.0.0+20130313144700"], ["1.9.0"], ["1.10.0"]],
      ...[["1.11.0"], ["2.0.0"], ["2.1.0"], ["2.1.1"]],
    ],
  ],
  [
    "crates.io",
    "the Cargo Book, SemVer compatibility and version metadata",
    [
      ["0.0.3-pre"],
      ["0.0.3"],
      ["0.1.0-pre"],
      ["0.1.0", "0.1.0+spec-1.1.0"],
      ["0.1.1"],
      ["0.2.0"],
      ["0.10.0"],
      ["1.0.0"],
    ],
  ],
  [
    "PyPI",
    "PEP 440, suffixes and their order, and normalization",
    [
      ...[["0.9.99"], ["1.dev0", "1.0.DEV"], ["1.0.dev456"], ["1.0a1", "1.0-alpha_1", "1.0ALPHA1"], ["1.0a2.dev456"]],
      ...[["1.0a12.dev456"], ["1.0a12"], ["1.0b1.dev456"], ["1.0b2", "1.0beta2"], ["1.0b2.post345.dev456"]],
      ...[["1.0b2.post345"], ["1.0rc1.dev456"], ["1.0rc1", "1.0c1", "1.0-pre1", "1.0preview1"]],
      ...[["1.0", "1", "v1.0.0", "01.0"], ["1.0+abc.5"], ["1.0+abc.7", "1.0+Abc-7"], ["1.0+5"], ["1.0.post456.dev34"]],
      ...[["1.0.post456", "1.0-456", "1.0.rev456", "1.0r456"], ["1.0.15"], ["1.1.dev1"], ["1.1"], ["2013.10"]],
      ...[["2014.04"], ["1!1.0"], ["1!1.1"]],
    ],
  ],
  [
    "RubyGems",
    "rubygems.org, Gem::Version, and platforms in the name of a gem",
    [
      ...[
        ["0.9"],
        ["1.0.RC"],
        ["1.0.a", "1.0.0.a", "1.a"],
        ["1.0.a.2"],
        ["1.0.a9"],
        ["1.0.a10"],
        ["1.0.b1"],
        ["1.0.pre"],
      ],
      ...[
        ["1.0", "1", "1.0-x86_64-linux", "1.0.0-java"],
        ["1.0.1"],
        ["1.13.3", "1.13.3-arm64-darwin"],
        ["3.2"],
        ["3.10"],
      ],
    ],
  ],
  [
    "Go",
    "go.dev, the reference of modules: versions and pseudo-versions",
    [
      ...[["v0.0.0-20180101000000-0123456789ab"], ["v0.0.0-20190101000000-abcdefabcdef"], ["v1.2.2"]],
      ...[["v1.2.3-0.20200101000000-abcdefabcdef"], ["v1.2.3-pre"], ["v1.2.3-pre.0.20200101000000-abcdefabcdef"]],
      ...[["v1.2.3-rc.2"], ["v1.2.3", "1.2.3"], ["v1.2.10"], ["v2.0.0+incompatible", "v2.0.0"]],
    ],
  ],
  [
    "Maven",
    "maven.apache.org, the reference of the POM: order of versions",
    [
      ...[["1-alpha-1", "1-a1", "1alpha1", "1.alpha1"], ["1-beta-1"], ["1-milestone-2", "1-m2"], ["1-rc", "1-cr"]],
      ...[
        ["1-SNAPSHOT", "1.snapshot"],
        ["1", "1.0", "1-ga", "1.0.0-final", "1.ga", "1-0", "1.", "1-", "1.0.0-0.0.0"],
      ],
      ...[["1-sp"], ["1-foo", "1.foo", "1.0.0-foo.0.0"], ["1-foo2"], ["1-foo10"], ["1-1"], ["1.0.1"], ["1.1"]],
      ...[["1.2.10"], ["4.1.0.Beta1"], ["4.1.0.CR1"], ["4.1.0.Final", "4.1"], ["4.1.1.Final"], ["31.1-android"]],
      ...[["31.1-jre"], ["20240101120000000000"], ["20240101120000000001"]],
    ],
  ],
  [
    "Packagist",
    "getcomposer.org, versions and stability",
    [
      ...[["1.0.0-dev", "1.0-dev"], ["1.0.0-alpha1-dev"], ["1.0.0-alpha1", "1.0a1"], ["1.0.0-beta"]],
      ...[
        ["1.0.0-beta2", "1.0.0b2"],
        ["1.0.0-beta10", "1.0.0-beta.10"],
        ["1.0.0-RC1", "1.0.0rc-1"],
      ],
      ...[["1.0.0", "v1.0.0.0", "1.0.0-stable"], ["1.0.0-p1", "1.0.0-patch1", "1.0.0-pl1"], ["1.0.1"], ["1.10"]],
    ],
  ],
  [
    "NuGet",
    "learn.microsoft.com, package versioning: precedence and normalized numbers",
    [
      ...[["1.0.1-aaa"], ["1.0.1-alpha10"], ["1.0.1-alpha2"], ["1.0.1-beta", "1.0.1-BETA"], ["1.0.1-open"]],
      ...[["1.0.1-rc.2"], ["1.0.1-rc.10"], ["1.0.1-zzz"], ["1.0.1", "1.0.01.0", "1.0.1+r3456"], ["1.0.1.1"]],
      ...[
        ["1.1.1", "1.01.1"],
        ["2.0", "2", "2.0.0.0", "2.00"],
      ],
    ],
  ],
  [
    "Pub",
    "pub.dev, pub_semver: builds have an order",
    [["1.2.3-dev.2"], ["1.2.3-dev.10"], ["1.2.3"], ["1.2.3+1"], ["1.2.3+2"], ["1.2.3+10"], ["1.2.3+a"], ["1.2.4"]],
  ],
];

it.each(ORDERS)(
  "REV-8: versions of %s come in the order that its documents give: %s",
  (ecosystem, _document, order) => {
    const flat = order.flatMap((same, rank) => same.map((version) => ({ version, rank })));
    const wrong = flat.flatMap((a) =>
      flat
        .filter((b) => Math.sign(compareVersions(ecosystem, a.version, b.version)) !== Math.sign(a.rank - b.rank))
        .map((b) => `${a.version} ${b.version}`),
    );
    expect(wrong).toEqual([]);
  },
);

it.each([...(["npm", "PyPI", "Go", "crates.io", "RubyGems", "Packagist", "Maven", "NuGet", "Pub"] as const)])(
  "REV-8: what is no version of %s is still compared by its numbers",
  (ecosystem) => {
    expect(compareVersions(ecosystem, "release 9", "release 10")).toBeLessThan(0);
    expect(compareVersions(ecosystem, "", "")).toBe(0);
  },
);
