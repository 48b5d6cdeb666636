import { describe, expect, it } from "vitest";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";

function read(path: string, text: string) {
  const reading = lockFileOf(path)!.read(text);
  if ("fault" in reading) throw new Error(reading.fault);
  return reading;
}
/** Source, address and hash of each entry. */
const from = (path: string, text: string) =>
  read(path, text).packages.map((one) => [one.name, one.source, one.address ?? "-", one.integrity ?? "-"].join(" "));
const json = (value: unknown) => JSON.stringify(value, null, 2);

describe("REV-8: where lock files say that packages come from", () => {
  it("composer.lock: the archive, the repository, and entries that nothing is known of", () => {
    const github = "https://api.github.com/repos/a/b/zipball/01";
    const repository = (url: string) => ({ source: { type: "git", url } });
    const entry = (name: string, url: string) => ({ name, version: "1.0.0", dist: { type: "zip", url, shasum: "0a" } });
    const text = json({
      packages: [
        { ...entry("a/b", github), ...repository("https://github.com/a/b.git") },
        entry("a/c", "http://packages.internal/c.zip"),
        { ...entry("a/d", github), ...repository("https://host.internal/d.git") },
        { name: "a/e", version: "1.0.0", ...repository("https://host.internal/e.git") },
      ],
      "packages-dev": [],
    });
    expect(from("composer.lock", text)).toEqual([
      `a/b registry ${github} sha1-0a`,
      "a/c registry http://packages.internal/c.zip sha1-0a",
      "a/d registry https://host.internal/d.git sha1-0a",
      "a/e git https://host.internal/e.git -",
    ]);
    expect(read("composer.lock", text).strange).toBeUndefined();
    const lost = json({ packages: [{ name: "a/f" }] });
    expect(read("composer.lock", lost)).toMatchObject({ packages: [], strange: 4 });
    const object = read("composer.lock", json({ packages: [], "packages-dev": { x: entry("a/g", github) } }));
    expect(object).toMatchObject({ packages: [{ name: "a/g" }], strange: 3 });
  });

  it("uv.lock: the registry, each host of its archives, and the hashes", () => {
    const uv = (registry: string, wheel: string) =>
      `version = 1\n\n[[package]]\nname = "idna"\nversion = "3.7"\nsource = { registry = "${registry}" }\nsdist = { url = "https://files.pythonhosted.org/i.tar.gz", hash = "sha256:02" }\nwheels = [\n    { url = "https://files.pythonhosted.org/i.whl", hash = "sha256:03" },\n    { url = "${wheel}", hash = "sha256:01" },\n]\n`;
    const hashes = "sha256-01 sha256-02 sha256-03";
    const [usual, wheel] = ["https://pypi.org/simple", "https://files.pythonhosted.org/j.whl"];
    expect(from("uv.lock", uv(usual, wheel))).toEqual([`idna registry ${usual} ${hashes}`]);
    const other = "https://host.internal/j.whl";
    expect(from("uv.lock", uv(usual, other))).toEqual([`idna registry ${other} ${hashes}`]);
    const index = "https://index.internal/simple";
    expect(from("uv.lock", uv(index, other))).toEqual([
      `idna registry ${index} ${hashes}`,
      `idna registry ${other} ${hashes}`,
    ]);
    const plain = "http://files.pythonhosted.org/j.whl";
    expect(from("uv.lock", uv(usual, plain))).toEqual([`idna registry ${plain} ${hashes}`]);
  });

  it("poetry.lock, pdm.lock and Cargo.lock: registries of their own, archives and hashes", () => {
    const head = '[[package]]\nname = "a"\nversion = "1"\n';
    const files = 'files = [\n    {file = "a.whl", hash = "sha256:01"},\n]\n';
    const legacy = '\n[package.source]\ntype = "legacy"\nurl = "https://index.internal/simple"\n';
    expect(from("poetry.lock", head + files + legacy)).toEqual(["a registry https://index.internal/simple sha256-01"]);
    const old = `${head}\n[metadata]\n\n[metadata.files]\na = [{file = "a.whl", hash = "sha256:01"}]\n`;
    expect(from("poetry.lock", old)).toEqual(["a registry - sha256-01"]);
    const located = files.replace("file =", "url =").replace("a.whl", "https://host.internal/a.whl");
    expect(from("pdm.lock", head + located)).toEqual(["a registry https://host.internal/a.whl sha256-01"]);
    expect(from("pdm.lock", `${head}git = "https://host.internal/a"\n`)).toEqual([
      "a git git+https://host.internal/a -",
    ]);
    const crate = (registry: string) => `${head}source = "${registry}"\nchecksum = "01"\n`;
    expect(from("Cargo.lock", crate("registry+https://github.com/rust-lang/crates.io-index"))).toEqual([
      "a registry - sha256-01",
    ]);
    expect(from("Cargo.lock", crate("sparse+https://index.internal/"))).toEqual([
      "a registry https://index.internal/ sha256-01",
    ]);
  });

  it("Pipfile.lock: the index of a package, or all of them", () => {
    const sources = [
      { name: "pypi", url: "https://pypi.org/simple" },
      { name: "own", url: "https://index.internal/simple" },
    ];
    const hashes = ["sha256:02", "sha256:01"];
    const pipfile = (of: object, listed = sources) =>
      json({ _meta: { sources: listed }, default: { a: { version: "==1", hashes, ...of } } });
    const own = "a registry https://index.internal/simple sha256-01 sha256-02";
    const usual = "a registry https://pypi.org/simple sha256-01 sha256-02";
    expect(from("Pipfile.lock", pipfile({ index: "own" }))).toEqual([own]);
    expect(from("Pipfile.lock", pipfile({ index: "pypi" }))).toEqual([usual]);
    expect(from("Pipfile.lock", pipfile({}))).toEqual([own]);
    expect(from("Pipfile.lock", pipfile({}, sources.slice(0, 1)))).toEqual([usual]);
  });

  it("pubspec.lock and Gemfile.lock: the registry, and the hashes of all platforms", () => {
    const dart =
      'packages:\n  http:\n    description:\n      name: http\n      sha256: "0a"\n      url: "https://pub.internal"\n    source: hosted\n    version: "1.2.0"\n';
    expect(from("pubspec.lock", dart)).toEqual(["http registry https://pub.internal sha256-0a"]);
    const gems = (remote: string) =>
      `GEM\n  remote: https://rubygems.org/\n${remote}  specs:\n    a (1.0)\n    a (1.0-x86_64-linux)\n    b (2.0)\n\nCHECKSUMS\n  a (1.0) sha256=02\n  a (1.0-x86_64-linux) sha256=01\n  b (2.0)\n`;
    expect(from("Gemfile.lock", gems(""))).toEqual([
      "a registry https://rubygems.org/ sha256-01 sha256-02",
      "b registry https://rubygems.org/ -",
    ]);
    expect(from("Gemfile.lock", gems("  remote: https://gems.internal/\n"))).toEqual([
      "a registry https://gems.internal/ sha256-01 sha256-02",
      "b registry https://gems.internal/ -",
    ]);
  });

  it("go.mod: what replaces a module that is not required here", () => {
    const mod = "module shop\n\nreplace x.y/z => host.internal/z v1.0.0\nreplace x.y/own => ../own\n";
    expect(from("go.mod", mod)).toEqual(["host.internal/z registry - -"]);
  });
});
