import { describe, expect, it } from "vitest";
import { readRequirements } from "../../../src/analysis/dependencies/read-requirements.ts";
import { followLists, noteLinks } from "../../../src/analysis/dependencies/requirement-links.ts";

/** A project of which pip 23.0.1 was asked what it reads from `app/requirements.txt`. */
const PROJECT = {
  "app/requirements.txt": `-r ../deps/prod.pip
-c ../deps/pins
--requirement=../deps/more.list
--extra-index-url https://pkgs.example/simple
-rlocal.txt
flask>=2
-e ./here
requests [security] >= 2.8.1, == 2.8.* ; python_version < "2.7"
a==1.0 --hash=sha256:aaaa \\
  --hash=sha256:bbbb
--constraint "../deps/pins two"
b @ https://example.com/b-1.0.tar.gz
`,
  "app/local.txt": "local==3\n",
  "deps/prod.pip": "django==3.2\n",
  "deps/pins": "flask==2.1\n",
  "deps/pins two": "x==1\n",
  "deps/more.list": "-r sub/deep.txt\nc==2\n",
  "deps/sub/deep.txt": "deep==9\n",
  "notes.txt": "z==1\n",
};

function follow(
  tree: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string | readonly [string, string]>>,
) {
  const readMany = async (paths: readonly string[]) => new Map(paths.map((path) => [path, Buffer.from(tree[path]!)]));
  const files = Object.entries(changed).map(([path, sides]) =>
    typeof sides === "string" ? { path, text: sides } : { path, text: sides[0], oldText: sides[1] },
  );
  const signal = new AbortController().signal;
  return followLists(files, { tree: { paths: Object.keys(tree), readMany }, signal });
}

describe("REV-8: lists of requirements that others name", () => {
  it("are those that pip reads, with whether they install or only bind", async () => {
    const { named, of, lost } = await follow(PROJECT, { "deps/sub/deep.txt": "deep==10\n" });
    expect([...named].sort()).toEqual([
      ...["app/local.txt", "deps/more.list", "deps/pins", "deps/pins two", "deps/prod.pip", "deps/sub/deep.txt"],
    ]);
    expect(of("app/requirements.txt").map(({ path, isConstraints }) => `${path} ${isConstraints}`)).toEqual([
      ...["deps/pins two true", "app/local.txt false", "deps/more.list false", "deps/sub/deep.txt false"],
      ...["deps/pins true", "deps/prod.pip false"],
    ]);
    expect(lost).toEqual([]);
    const read = readRequirements(PROJECT["app/requirements.txt"]);
    expect(read.packages.map(({ name, version, line }) => `${name} ${version} ${line}`)).toEqual([
      ...["here ./here 7", "a 1.0 9", "b https://example.com/b-1.0.tar.gz 12"],
    ]);
    expect(read.strange).toBeUndefined();
  });

  it("are followed by a chain and in a circle, and by the text that the change gives them", async () => {
    const tree = { "requirements.txt": "-r a.txt\n", "a.txt": "-r b.txt\n", "b.txt": "-r a.txt\n", "c.txt": "x==1\n" };
    expect([...(await follow(tree, { "b.txt": "-r a.txt\n-r c.txt\n" })).named]).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect([...(await follow(tree, { "c.txt": "x==2\n" })).named]).toEqual(["a.txt", "b.txt"]);
    const nothing = await follow({ ...tree, "src/a.ts": "" }, { "src/a.ts": "x" });
    expect([...nothing.named, ...nothing.of("requirements.txt")]).toEqual([]);
  });

  it("that are missing, or that only now become lists, are named", async () => {
    const tree = {
      "requirements.txt": "",
      "extra.txt": "x==1\n",
      "known.txt": "y==1\n",
      "dev-requirements.txt": "-r known.txt",
    };
    const links = await follow(tree, {
      "requirements.txt": ["-r extra.txt\n-r known.txt\n-r gone.txt\n-r ../outside.txt\n", "a==1\n"],
    });
    expect(noteLinks(links)).toEqual([
      "not checked: `gone.txt` (named by `requirements.txt`), which the repository does not have",
      "not checked: `extra.txt` (named by `requirements.txt`), whose packages were not listed before",
    ]);
    const same = await follow(tree, {
      "requirements.txt": ["-r extra.txt\n-r gone.txt\nb\n", "-r extra.txt\n-r gone.txt\n"],
    });
    expect(noteLinks(same)).toEqual([]);
  });

  it("from elsewhere are a line that was not read; an option that pip does not know is one too", () => {
    expect(readRequirements("a==1\n-r https://lists.example/all.txt\n").strange).toBe(2);
    expect(readRequirements("-r https://lists.example/all.txt\n").strange).toBe(1);
    expect(readRequirements("-r $HOME/all.txt\n").strange).toBe(1);
    expect(readRequirements("a==1\n-c https://lists.example/upper.txt\n").strange).toBeUndefined();
    expect(readRequirements("a==1\n--frobnicate\n").strange).toBe(2);
    expect(readRequirements("- The product must be fast.\n").strange).toBeUndefined();
  });
});
