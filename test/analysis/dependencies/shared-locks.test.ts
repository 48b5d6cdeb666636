import { describe, expect, it } from "vitest";
import { compareLockFile } from "../../../src/analysis/child/compare-lock-file.ts";
import { lockFileOf } from "../../../src/analysis/dependencies/lock-files.ts";

const read = (name: string, text: string) => {
  const reading = lockFileOf(name)!.read(text);
  if ("fault" in reading) return reading.fault;
  const packages = reading.packages.map(
    (one) => `${one.line}-${one.endLine} ${one.name} ${one.version} ${one.source} ${one.integrity ?? ""}`,
  );
  return { packages, strange: reading.strange };
};

/** After the examples of PEP 751. */
const PYLOCK = `lock-version = "1.0"
environments = ["sys_platform == 'linux'"]
requires-python = ">=3.11"
created-by = "mousebender"

[[packages]]
name = "attrs"
version = "25.1.0"
requires-python = ">=3.8"
index = "https://pypi.org/simple"

  [[packages.wheels]]
  name = "attrs-25.1.0-py3-none-any.whl"
  url = "https://files.pythonhosted.org/packages/fc/30/attrs-25.1.0-py3-none-any.whl"
  size = 63152
  hashes = {sha256 = "c75a"}

  [packages.sdist]
  url = "https://files.pythonhosted.org/packages/49/7c/attrs-25.1.0.tar.gz"
  hashes = {sha256 = "1c97", md5 = "0a"}

[[packages]]
name = "Own_Tools"
[packages.directory]
path = "tools"

[[packages]]
name = "forked"
version = "2.0"
[packages.vcs]
type = "git"
url = "https://github.com/example/forked"
commit-id = "0a1b"

[[packages]]
name = "packed"
[packages.archive]
url = "https://files.example/packed-1.0.zip"
hashes = {sha256 = "9f"}

[tool.mousebender]
run-on = 2025-03-06
`;

describe("REV-8: pylock.toml", () => {
  it("is read as PEP 751 has it", () => {
    expect(read("pylock.toml", PYLOCK)).toEqual({
      packages: [
        "6-20 attrs 25.1.0 registry md5-0a sha256-1c97 sha256-c75a",
        "22-25 own-tools tools link ",
        "27-33 forked 2.0 git commit-0a1b",
        "35-42 packed https://files.example/packed-1.0.zip url sha256-9f",
      ],
      strange: undefined,
    });
    expect(lockFileOf("pylock.dev.toml")).toBe(lockFileOf("a/pylock.toml"));
    expect(lockFileOf("pylock.a.b.toml")).toBeUndefined();
  });

  it("names what it does not understand, and reads the rest", () => {
    expect(read("pylock.toml", PYLOCK.replace("created-by", "made-by"))).toMatchObject({ strange: 4 });
    expect(read("pylock.toml", PYLOCK.replace('name = "forked"\n', ""))).toMatchObject({
      packages: { length: 3 },
      strange: 27,
    });
    expect(read("pylock.toml", PYLOCK.replace('"25.1.0"', "25.1.0"))).toMatchObject({
      packages: { length: 3 },
      strange: 8,
    });
    expect(read("pylock.toml", 'lock-version = "1.0"\n')).toBe("it lists no packages");
    expect(read("pylock.toml", "os.system('id')\n")).toBe("it is not TOML");
  });

  it("tells of a changed hash, another commit and an index that is new", () => {
    const told = (now: string) => {
      const result = compareLockFile({ id: 0, text: now, oldText: PYLOCK, lock: { name: "pylock.toml" } });
      return "fault" in result ? [] : result.signals.map(({ rule, package: of }) => `${rule} ${of.name}`);
    };
    expect(told(PYLOCK.replace("c75a", "eeee"))).toEqual(["integrity-changed attrs"]);
    expect(told(PYLOCK.replace("https://pypi.org/simple", "https://pkgs.example/simple"))).toEqual([
      "registry-changed attrs",
    ]);
    expect(told(PYLOCK.replace("example/forked", "evil/forked"))).toEqual(["source-changed forked"]);
    expect(told(PYLOCK)).toEqual([]);
  });
});

/** After Deno's own description; `recorded/deno-2.txt` is a real one, whose project could reach neither JSR nor other servers. */
const DENO = `${JSON.stringify(
  {
    version: "4",
    specifiers: { "jsr:@std/assert@1": "1.0.11", "npm:react-dom@19": "19.0.0_react@19.0.0" },
    jsr: { "@std/assert@1.0.11": { integrity: "2461", dependencies: ["jsr:@std/internal"] } },
    npm: {
      "react-dom@19.0.0_react@19.0.0": { integrity: "sha512-a", dependencies: ["react"] },
      "esbuild@0.25.0": { integrity: "sha512-b", scripts: true },
    },
    redirects: { "https://deno.land/std/a.ts": "https://deno.land/std@0.224.0/a.ts" },
    remote: {
      "https://deno.land/std@0.224.0/a.ts": "01",
      "https://deno.land/std@0.224.0/b.ts": "02",
      "https://deno.land/x/oak@v17/mod.ts": "03",
    },
    workspace: { dependencies: ["jsr:@std/assert@1"] },
  },
  null,
  2,
)}\n`;

describe("REV-8: deno.lock", () => {
  it("has packages of npm and JSR, and modules by their addresses", () => {
    expect(read("deno.lock", DENO)).toEqual({
      packages: [
        "16-21 react-dom 19.0.0 registry sha512-a",
        "22-25 esbuild 0.25.0 registry sha512-b",
        "8-13 @jsr/std__assert 1.0.11 registry sha256-2461",
        "31-31 deno.land/std https://deno.land/std@0.224.0/a.ts url sha256-01",
        "32-32 deno.land/std https://deno.land/std@0.224.0/b.ts url sha256-02",
        "33-33 deno.land/x/oak https://deno.land/x/oak@v17/mod.ts url sha256-03",
      ],
      strange: undefined,
    });
    const result = compareLockFile({ id: 0, text: DENO, oldText: '{"version":"4"}', lock: { name: "deno.lock" } });
    if ("fault" in result) throw new Error(result.fault);
    expect(result.suspects.map(({ name }) => name)).toEqual(["react-dom", "esbuild", "@jsr/std__assert"]);
    expect(result.signals.map(({ rule, package: of }) => `${of.line} ${rule}`)).toEqual([
      ...["22 install-script", "31 url-source", "33 url-source"],
    ]);
    expect(result.elsewhere).toEqual({ url: 3 });
    const changed = compareLockFile({
      id: 0,
      text: DENO.replace('"02"', '"ff"'),
      oldText: DENO,
      lock: { name: "deno.lock" },
    });
    expect(changed).toMatchObject({ signals: [{ rule: "integrity-changed", package: { line: 32 } }] });
  });

  it("of versions 2 and 3 has the same in other places", () => {
    const npm = { "chalk@5.3.0": { integrity: "sha512-a", dependencies: {} } };
    const two = { version: "2", remote: {}, npm: { specifiers: { "chalk@5": "chalk@5.3.0" }, packages: npm } };
    const three = { version: "3", packages: { specifiers: { "npm:chalk@5": "npm:chalk@5.3.0" }, npm }, remote: {} };
    for (const lock of [two, three])
      expect(read("deno.lock", JSON.stringify(lock))).toEqual({
        packages: ["1-1 chalk 5.3.0 registry sha512-a"],
        strange: undefined,
      });
  });

  it("names what it does not understand, and reads the rest", () => {
    expect(read("deno.lock", DENO.replace('"redirects"', '"other"'))).toMatchObject({
      strange: 27,
      packages: { length: 6 },
    });
    expect(read("deno.lock", DENO.replace('"esbuild@0.25.0"', '"esbuild"'))).toMatchObject({
      strange: 22,
      packages: { length: 5 },
    });
    expect(read("deno.lock", DENO.replace('"03"', "3"))).toMatchObject({ strange: 33, packages: { length: 5 } });
    expect(read("deno.lock", "{}")).toBe("it names no version");
    expect(read("deno.lock", "no JSON")).toBe("it is not JSON");
  });
});
