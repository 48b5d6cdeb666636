import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { LIMITS } from "../sandbox-machine.ts";
import { runTestGit } from "../test-repository.ts";
import { BY, fetched, learn, signal, treeOfFiles, wasChanged } from "./tree-fixture.ts";

const FILES = [
  { path: "src/a.ts", content: "a();\r\n" },
  { path: "src/b.ts", content: "b();\n" },
  { path: "c.ts", content: "c();\n" },
];

describeInSandbox("a working tree with hostile programs in it", (sandbox) => {
  async function hostile(script: string) {
    const fixture = await treeOfFiles(FILES);
    const secret = join(fixture.scratchRoot, "secret.ts");
    writeFileSync(secret, "not of the repository\n");
    const tree = await fixture.open({ sandbox });
    const run = (text: string) => tree.clone?.run({ ...LIMITS, command: "sh", args: ["-c", text] });
    expect(await run(script.replaceAll("SECRET", secret).replaceAll("SCRATCH", fixture.scratchRoot))).toMatchObject({
      ok: true,
    });
    const files = async () => {
      await tree.commit({ message: "x", ...BY });
      learn(fixture.origin, await tree.snapshot());
      return fixture.origin.git("ls-tree", "-r", "--format=%(objectmode) %(path)", tree.head()).split("\n");
    };
    return { fixture, tree, run, files, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
  }

  it("SEC-3: reads through no link, be it the file itself or a folder on the way", async () => {
    await using it = await hostile(
      "rm -r src c.ts; ln -s SECRET c.ts; ln -s SCRATCH src; ln -s SECRET new.ts; mkfifo pipe",
    );
    expect(await it.files()).toEqual([""]);
    expect(it.fixture.origin.git("rev-list", "--objects", "--all", it.tree.head())).not.toContain("secret");
    expect(await it.tree.files.read("c.ts", signal)).toMatchObject({ ok: false, reason: "link" });
    expect((await it.tree.changedSince(it.fixture.base)).files.map(({ status }) => status)).toEqual(
      Array(3).fill("deleted"),
    );
  });

  it("sees what a program changed, also with the old size and times, and still knows all that it left alone", async () => {
    await using it = await hostile("true");
    const ids = async () => {
      const list = await it.tree.files.list(signal);
      return list.ok ? Object.keys(Object.fromEntries(list.ids ?? [])).sort() : [];
    };
    expect(await ids()).toEqual(["c.ts", "src/a.ts", "src/b.ts"]);
    expect(await it.run("touch -r c.ts then; printf 'd();\\n' > c.ts; touch -r then c.ts; rm then")).toMatchObject({
      ok: true,
    });
    expect(await ids()).toEqual(["src/a.ts", "src/b.ts"]);
    const { files } = await it.tree.changedSince(it.fixture.base);
    expect(files.map(({ newPath }) => newPath)).toEqual(["c.ts"]);
  });

  it("SEC-3: has nothing of git's own planted, and starts nothing that is configured there", async () => {
    const bait =
      '[core]\n\tfsmonitor = touch /box/canary\n\thooksPath = /box/hooks\n[filter "x"]\n\tclean = touch /box/canary\n';
    await using it = await hostile(`
      mkdir -p src/.git/objects src/.git/refs src/.GIT nested/.git/objects nested/.git/refs
      for at in src/.git nested/.git; do printf '${bait.replaceAll("\n", "\\n")}' > $at/config; echo 'ref: refs/heads/x' > $at/HEAD; done
      echo 'gitdir: /etc' > src/.GIT/.git
      printf 'gitdir: SCRATCH' > "git~1"
      echo 'n();' > nested/n.ts
      printf '* filter=x text eol=lf ident\\n' > .gitattributes
      printf '[submodule "m"]\\n\\tpath = src\\n\\turl = ext::sh -c x\\n' > .gitmodules
      printf 'd();\\r\\n' > src/d.ts`);
    expect(await it.files()).toEqual([
      ...["100644 .gitattributes", "100644 .gitmodules", "100644 c.ts", "100644 nested/n.ts"],
      ...["100644 src/a.ts", "100644 src/b.ts", "100644 src/d.ts"],
    ]);
    const content = runTestGit(it.fixture.origin.directory, ["show", `${it.tree.head()}:src/d.ts`]);
    expect(content.toString()).toBe("d();\r\n");
    expect(existsSync(join(it.tree.folder, "canary"))).toBe(false);
    const seen = await it.run("cat .git/HEAD ../*/HEAD 2>&1; ls -A .git");
    expect(seen?.stdout.toString()).not.toContain("refs/heads");
  });

  it("is not held up by a pipe, a loop, a wall of folders or rights that were taken away", async () => {
    await using it = await hostile(`
      mkfifo .gitignore; ln -s . loop; mkdir closed; echo x > closed/x.ts; chmod 000 closed src/b.ts
      i=0; while [ $i -lt 40 ]; do mkdir ${"d".repeat(200)}; cd ${"d".repeat(200)}; i=$((i+1)); done; echo x > deep.ts; cd /box
      echo y > c.ts`);
    expect(await it.files()).toEqual(["100644 c.ts", "100644 closed/x.ts", "100644 src/a.ts", "100644 src/b.ts"]);
    await it.run("chmod 000 closed src");
    const { folder } = it.tree;
    await it.tree[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(it.fixture.scratchRoot)).toEqual(["secret.ts"]);
  });
});

describe("a working tree of a hostile or unlucky repository", () => {
  it("keeps what an old or hostile tool wrote as long as nobody changes it", async () => {
    await using fixture = await treeOfFiles(FILES);
    const { origin } = fixture;
    const git = (args: readonly string[], input?: Buffer) =>
      runTestGit(origin.directory, args, input).toString().trim();
    const blob = git(["hash-object", "-w", "--stdin"], Buffer.from("x\n"));
    const tree = (...entries: [mode: string, name: string, sha: string][]) =>
      git(
        ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
        Buffer.concat(
          entries.map(([mode, name, sha]) =>
            Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, "hex")]),
          ),
        ),
      );
    const inner = tree(["100664", "old.sh", blob]);
    const padded = tree(["040000", "in", inner], ["100644", "file", blob]);
    const root = tree(["40000", ".GIT", inner], ["100644", "a", blob], ["040000", "padded", padded]);
    const head = git(["commit-tree", root, "-m", "odd"]);
    origin.git("update-ref", "refs/heads/odd", head);
    await using opened = await fixture.open({ base: head });
    expect(await opened.treeId()).toBe(root);
    expect(readdirSync(opened.folder).sort()).toEqual(["a", "padded"]);
    writeFileSync(join(opened.folder, "a"), "changed\n");
    await wasChanged(opened);
    await opened.commit({ message: "x", ...BY });
    expect((await opened.changedSince(head)).files.map(({ newPath }) => newPath)).toEqual(["a"]);
  });

  it("PIPE-7: goes on when the mirror was thrown away meanwhile", async () => {
    await using fixture = await treeOfFiles(FILES);
    const mirror = await fetched(fixture.mirror(), fixture.base);
    const tree = await fixture.open({ mirror });
    writeFileSync(join(tree.folder, "c.ts"), "changed();\n");
    await tree.commit({ message: "one", ...BY });
    rmSync(mirror.places.gitDirectory, { recursive: true });
    writeFileSync(join(tree.folder, "d.ts"), "b();\n");
    await wasChanged(tree);
    const snapshot = await tree.snapshot();
    rmSync(mirror.places.gitDirectory, { recursive: true });
    expect((await tree.changedSince(fixture.base)).files).toHaveLength(2);
    const second = await fixture.open({ snapshot });
    expect(await second.treeId()).toBe(snapshot.tree);
  });
});
