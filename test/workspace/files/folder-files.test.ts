import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFolderFiles } from "../../../src/workspace/files/folder-files.ts";
import { onlyListed } from "../../../src/workspace/files/listed-files.ts";
import { createFolderLock } from "../../../src/workspace/folder-lock.ts";
import { temporaryFolder } from "../sandbox-machine.ts";

const { signal } = new AbortController();

function openFolder(files: Readonly<Record<string, string>> = {}) {
  const outside = temporaryFolder();
  const root = join(outside, "clone");
  mkdirSync(root);
  writeFileSync(join(outside, "secret"), "outside");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, outside, files: openFolderFiles({ root, lock: createFolderLock() }) };
}

const query = {
  literal: false,
  wholeWord: false,
  ignoreCase: false,
  within: "",
  globs: [],
  contextLines: 0,
  maxMatches: 100,
};

describe("the files of a clone", () => {
  it("are read and listed by relative path", async () => {
    const { files } = openFolder({
      "src/a.ts": "one",
      "b.md": "two",
      ".git/config": "no",
      "node_modules/x/i.js": "no",
    });
    expect(await files.read("src/a.ts", signal)).toEqual({ ok: true, content: Buffer.from("one") });
    expect(await files.list(signal)).toEqual({ ok: true, paths: ["b.md", "src/a.ts"], truncated: false });
    expect([...(await files.readMany(["b.md", "gone", "src/a.ts"], signal)).keys()]).toEqual(["b.md", "src/a.ts"]);
  });

  it("are deleted before the folder that they are in is let go, however many at once", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `folder${n % 6}/file${n}.ts`);
    const { root, files } = openFolder(Object.fromEntries(names.map((name) => [name, "x"])));
    const before = Buffer.from("x");
    for (let at = 0; at < names.length; at += 20) {
      const changes = names.slice(at, at + 20).map((path) => ({ path, content: undefined, before }));
      expect(await files.change(changes, signal)).toEqual({ ok: true });
    }
    expect(names.filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  it("SEC-3: never follow a link, neither as the file nor on the way, neither out nor in", async () => {
    const { root, outside, files } = openFolder({ "src/a.ts": "one" });
    symlinkSync(join(outside, "secret"), join(root, "out"));
    symlinkSync("src/a.ts", join(root, "in"));
    symlinkSync(outside, join(root, "up"));
    symlinkSync("src", join(root, "way"));
    for (const path of ["out", "in", "up/secret", "way/a.ts"]) {
      expect([path, await files.read(path, signal)]).toMatchObject([path, { ok: false, reason: "link" }]);
      const change = { path, content: Buffer.from("x"), before: Buffer.from("outside") };
      expect(await files.change([change], signal)).toMatchObject({ ok: false, reason: "link" });
    }
    const fresh = { path: "up/new", content: Buffer.from("x"), before: undefined };
    expect(await files.change([fresh], signal)).toMatchObject({ ok: false });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("outside");
    expect(existsSync(join(outside, "new"))).toBe(false);
    expect(await files.search({ ...query, pattern: "outside", within: "up" }, signal)).toMatchObject({
      ok: false,
      reason: "link",
    });
    expect(await files.search({ ...query, pattern: "outside" }, signal)).toMatchObject({ matches: 0 });
  });

  it("SEC-4: refuse pipes, sockets, folders and what is too large, without hanging", async () => {
    const { root, files } = openFolder({ "folder/a": "", huge: "" });
    execFileSync("perl", ["-MPOSIX", "-e", "POSIX::mkfifo($ARGV[0], 0600) or die", join(root, "pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    writeFileSync(join(root, "huge"), Buffer.alloc(2 * 1024 * 1024 + 1));
    expect(await files.read("pipe", signal)).toMatchObject({ reason: "not a file" });
    expect(await files.read("socket", signal)).toMatchObject({ reason: "not a file" });
    expect(await files.read("folder", signal)).toMatchObject({ reason: "not a file" });
    expect(await files.read("", signal)).toMatchObject({ reason: "not a file" });
    expect(await files.read("huge", signal)).toMatchObject({ reason: "too large" });
    expect(await files.search({ ...query, pattern: "x", within: "pipe" }, signal)).toMatchObject({
      reason: "not a file",
    });
    expect(await files.search({ ...query, pattern: "nothing here" }, signal)).toMatchObject({ matches: 0 });
    server.close();
  });

  it("SEC-4: say so when a program left folders deeper than can be walked", async () => {
    const { root, files } = openFolder({ a: "" });
    const deep = `my $name = "d" x 200; chdir $ARGV[0]; for (1..30) { mkdir $name; chdir $name }`;
    execFileSync("perl", ["-e", deep, root]);
    expect(await files.list(signal)).toMatchObject({ ok: false, reason: "unavailable" });
    expect(await files.read("a", signal)).toMatchObject({ ok: true });
  });

  it("keep hostile names apart from options and lines", async () => {
    const { files } = openFolder({ "a\nb": "newline", "-rf": "option", "--pre=sh": "option" });
    expect(await files.read("a\nb", signal)).toMatchObject({ ok: true });
    expect(await files.read("-rf", signal)).toMatchObject({ ok: true });
    const found = await files.search({ ...query, pattern: "option", within: "--pre=sh" }, signal);
    expect(found).toMatchObject({ ok: true, matches: 1 });
  });

  it("that are not listed use up nothing of a search", async () => {
    const { files } = openFolder({
      ".env": "KEY=needle\n".repeat(5),
      "dist/a.js": "needle\n".repeat(3),
      "src/a.ts": "needle",
    });
    const seen = onlyListed(files, ["src/a.ts"]);
    const found = { path: "src/a.ts", line: 1, text: "needle", match: true };
    for (const maxMatches of [1, 2]) {
      expect(await seen.search({ ...query, pattern: "needle", maxMatches }, signal)).toEqual({
        ok: true,
        lines: [found],
        matches: 1,
        cut: undefined,
      });
    }
    expect(await seen.search({ ...query, pattern: "needle", within: ".env" }, signal)).toMatchObject({ matches: 0 });
  });

  it("refuse what git keeps, in any letter case", async () => {
    const { files } = openFolder({ ".git/config": "x", ".GIT/config": "needle" });
    expect(await files.read(".git/config", signal)).toMatchObject({ reason: "git's own" });
    expect(await files.search({ ...query, pattern: "needle" }, signal)).toMatchObject({ matches: 0 });
    expect(await files.search({ ...query, pattern: "needle", globs: [".GIT/**", ".git/**"] }, signal)).toMatchObject({
      matches: 0,
    });
  });
});

describe("a change of files", () => {
  it("creates, replaces and deletes, keeping the mode of a file", async () => {
    const { root, files } = openFolder({ "run.sh": "old", gone: "bye" });
    execFileSync("chmod", ["755", join(root, "run.sh")]);
    const changes = [
      { path: "deep/er/new.ts", content: Buffer.from("new"), before: undefined },
      { path: "run.sh", content: Buffer.from("fresh"), before: Buffer.from("old") },
      { path: "gone", content: undefined, before: Buffer.from("bye") },
    ];
    expect(await files.change(changes, signal)).toEqual({ ok: true });
    expect(readFileSync(join(root, "deep/er/new.ts"), "utf8")).toBe("new");
    expect(readFileSync(join(root, "run.sh"), "utf8")).toBe("fresh");
    expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(existsSync(join(root, "gone"))).toBe(false);
    expect(readdirSync(root).sort()).toEqual(["deep", "run.sh"]);
  });

  it("happens as a whole or not at all", async () => {
    const { root, files } = openFolder({ a: "a", b: "b" });
    const good = { path: "a", content: Buffer.from("A"), before: Buffer.from("a") };
    const bad = [
      { path: "b", content: Buffer.from("B"), before: Buffer.from("something else") },
      { path: "b", content: Buffer.from("B"), before: undefined },
      { path: ".git/hooks/x", content: Buffer.from("B"), before: undefined },
      { path: "b", content: Buffer.alloc(2 ** 20 + 1), before: Buffer.from("b") },
      { path: "./a", content: Buffer.from("B"), before: Buffer.from("a") },
      // Only writing shows this one: a file stands where a folder is needed.
      { path: "a/under", content: Buffer.from("B"), before: undefined },
    ];
    for (const change of bad) {
      expect(await files.change([good, change], signal)).toMatchObject({ ok: false });
      expect(readFileSync(join(root, "a"), "utf8")).toBe("a");
      expect(readFileSync(join(root, "b"), "utf8")).toBe("b");
      expect(readdirSync(root).sort()).toEqual(["a", "b"]);
    }
  });

  it("SEC-3: replaces a hard link and never writes through it", async () => {
    const { root, outside, files } = openFolder();
    linkSync(join(outside, "secret"), join(root, "linked"));
    const change = { path: "linked", content: Buffer.from("mine"), before: Buffer.from("outside") };
    expect(await files.change([change], signal)).toEqual({ ok: true });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("outside");
  });

  it("SEC-3: loses no race against somebody who swaps a folder for a link all the time", async () => {
    const { root, outside, files } = openFolder({ "real/a": "inside" });
    writeFileSync(join(outside, "a"), "outside");
    const swap = `cd ${root}; while :; do mv real kept; ln -s ${outside} real; rm real; mv kept real; done`;
    const swapper = spawn("sh", ["-c", swap], { stdio: "ignore" });
    try {
      const seen = new Set<string>();
      const change = { path: "real/a", content: Buffer.from("inside"), before: Buffer.from("inside") };
      let changed = 0;
      for (let round = 0; round < 500 || changed === 0; round += 1) {
        const file = await files.read("real/a", signal);
        if (file.ok) seen.add(file.content.toString());
        if ((await files.change([change], signal)).ok) changed += 1;
      }
      expect([...seen]).toEqual(["inside"]);
      expect(changed).toBeGreaterThan(0);
      expect(readFileSync(join(outside, "a"), "utf8")).toBe("outside");
      expect(readdirSync(outside).sort()).toEqual(["a", "clone", "secret"]);
    } finally {
      swapper.kill("SIGKILL");
    }
  });
});
