import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeFolder } from "../../src/workspace/remove-folder.ts";

let outer: string;
let folder: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), "forge-remove-"));
  folder = join(outer, "clone");
  mkdirSync(folder);
});
afterEach(() => {
  spawnSync("chattr", ["-R", "-i", outer]);
  spawnSync("chmod", ["-R", "u+rwX", outer]);
  spawnSync("rm", ["-rf", outer]);
});

const shell = (script: string) => spawnSync("bash", ["-c", script], { cwd: folder });
const bytes = (...name: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);

describe("removeFolder (OPS-3)", () => {
  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["a folder that is gone already", () => rmSync(folder, { recursive: true })],
    ["3,000 nested folders of 200 letters", () => nest(3_000, "d".repeat(200))],
    ["5,000 nested folders of one letter", () => nest(5_000, "d")],
    ["a name of 255 bytes that are no text", () => mkdirSync(bytes(...Array.from({ length: 255 }, () => 0xff)))],
    ["names of control characters", () => [0x0a, 0x1b, 0x7f, 0x20].map((byte) => mkdirSync(bytes(byte)))],
    ["names that look like options", () => ["-rf", "--", "--help", "-"].map((name) => mkdirSync(join(folder, name)))],
    ["folders without rights", () => shell("mkdir -p a/b/c; touch a/b/c/f; chmod 000 a/b/c a/b a .")],
    ["50,000 files", () => shell("seq 50000 | xargs touch")],
    ["pipes and a socket", () => shell("mkfifo pipe .gitignore")],
    ["a few files", () => shell("touch a -- -b 'c d'; printf x > $'e\\nf'; ln -s . g")],
    ["a few files with names that are no text", () => writeFileSync(bytes(0xff, 0xfe), "")],
    ["a few files that nobody may write to", () => shell("touch a b; chmod 000 a b; chmod 500 .")],
    ["a ring of links", () => shell("ln -s b a; ln -s a b; ln -s . c; ln -s .. d")],
    ["a folder with every permission bit", () => shell("mkdir t; chmod 7777 t; touch t/f; chmod 7777 t/f")],
  ])("takes %s away", async (_name, leave) => {
    leave();
    expect(await removeFolder(folder)).toBe(true);
    expect(readdirSync(outer)).toEqual([]);
  });

  it("leaves alone what links lead to", async () => {
    const other = join(outer, "other");
    writeFileSync(other, "ours");
    chmodSync(other, 0o400);
    symlinkSync(other, join(folder, "link"));
    symlinkSync(outer, join(folder, "way"));
    expect(await removeFolder(folder)).toBe(true);
    expect(readFileSync(other, "utf8")).toBe("ours");
  });

  it("takes a link away that stands in the place of the folder, and nothing else", async () => {
    symlinkSync(folder, join(outer, "link"));
    expect(await removeFolder(join(outer, "link"))).toBe(true);
    expect(readdirSync(outer)).toEqual(["clone"]);
  });

  it("takes a socket away that somebody still listens at", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    expect(await removeFolder(folder)).toBe(true);
    server.close();
  });

  const immutable = (path: string) => spawnSync("chattr", ["+i", path]).status === 0;
  it("sets aside what cannot be removed, and throws nothing", async ({ skip }) => {
    writeFileSync(join(folder, "stone"), "");
    if (!immutable(join(folder, "stone"))) skip("files cannot be made immutable here: no chattr, or not root");
    expect(await removeFolder(folder)).toBe(false);
    expect(readdirSync(outer)).toEqual(["clone+left"]);
    expect(await removeFolder(`${folder}+left`)).toBe(false);
    expect(readdirSync(outer)).toEqual(["clone+left"]);
    spawnSync("chattr", ["-i", join(`${folder}+left`, "stone")]);
    expect(await removeFolder(`${folder}+left`)).toBe(true);
  });

  it("removes nothing where something is mounted below", async ({ skip }) => {
    const kept = join(outer, "kept");
    mkdirSync(kept);
    writeFileSync(join(kept, "file"), "ours");
    mkdirSync(join(folder, "a mount"));
    const mounted = spawnSync("mount", ["--bind", kept, join(folder, "a mount")]).status === 0;
    if (!mounted) skip("nothing can be mounted here: not root");
    try {
      expect(await removeFolder(folder)).toBe(false);
      expect(existsSync(join(kept, "file"))).toBe(true);
    } finally {
      spawnSync("umount", [join(folder, "a mount")]);
      spawnSync("umount", [join(`${folder}+left`, "a mount")]);
    }
  });

  it("ends when it is told to", async () => {
    shell("seq 2000 | xargs touch");
    expect(await removeFolder(folder, { signal: AbortSignal.abort() })).toBe(false);
  });

  it("starts no program for a few files", async () => {
    shell("seq 16 | xargs touch");
    // Where a program was needed, none would be started any more.
    expect(await removeFolder(folder, { signal: AbortSignal.abort() })).toBe(true);
  });
});

function nest(depth: number, name: string): void {
  const script = "my ($n, $d) = @ARGV; for (1 .. $n) { mkdir $d or die; chdir $d or die }";
  expect(spawnSync("perl", ["-e", script, String(depth), name], { cwd: folder }).status).toBe(0);
}
