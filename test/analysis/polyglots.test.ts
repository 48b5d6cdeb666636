import { expect, it } from "vitest";
import { classifyFile } from "../../src/analysis/classify-file.ts";
import { changedFile } from "./change-of.ts";

const BACKDOOR = "eval(process.argv[2]);\n";
const JPEG_END = Buffer.from([0xff, 0xd9]);
const jpeg = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(120), Buffer.from(text), JPEG_END]);

function bmp(text: string): Buffer {
  const bytes = Buffer.concat([Buffer.from("BM\0\0\0\0\0\0"), Buffer.from(text)]);
  bytes.writeUInt32LE(bytes.length, 2);
  return bytes;
}

function film(text: string): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(20), Buffer.from(`free${text}`)]);
  bytes.writeUInt32BE(16);
  bytes.write("ftyp", 4);
  bytes.writeUInt32BE(bytes.length - 16, 16);
  return bytes;
}

const binary = { binary: true, hunks: [], addedLines: 1 };
const look = (path: string, bytes: Buffer) => classifyFile(changedFile(path, "", undefined, binary), bytes);

it("GH-11a: a picture or film that holds a program is none, wherever it holds it", () => {
  const files: [string, (text: string) => Buffer][] = [
    ["a.jpg", jpeg],
    ["a.jpg", (text) => jpeg(`\xff\xd9${text}`)],
    ["a.gif", (text) => Buffer.from(`GIF89a/*\0\0\0\0*/=1;${text};`)],
    ["a.bmp", bmp],
    ["a.mp4", film],
  ];
  for (const [path, make] of files) {
    for (const text of [BACKDOOR, "<?php $_GET[1]();", "<script>x</script>", 'require("x")'])
      expect([path, text, look(path, make(text)).gap]).toEqual([path, text, true]);
    expect([path, look(path, make("a comment (by eval)")).gap]).toEqual([path, false]);
  }
});

it("a link into the folder of git is one under all of its names", () => {
  const link = (target: string) =>
    classifyFile(changedFile("d", target, undefined, { mode: "120000" }), Buffer.from(target));
  for (const target of [".git", ".GIT/hooks", ".g\u200cit", "git~1/hooks", ".git. /x", "./a/../.git"])
    expect([target, link(target).gap]).toEqual([target, true]);
  for (const target of ["git", ".github", "src/git~"]) expect([target, link(target).gap]).toEqual([target, false]);
});
