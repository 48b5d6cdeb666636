import fc from "../../properties.ts";
import { all, neverGreen, reported, reviewed } from "../program/judge.ts";
import type { Payload } from "../program/payload.ts";
import { BACKDOOR, CLEAN, pushed, withTree } from "./pushed.ts";

const OID = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize 12345\n`;

/** What these bytes are in UTF-16: the text that git stores, and turns into the bytes again where an attribute says so. */
const recoded = (code: string) =>
  Buffer.from(code.padEnd(code.length + (code.length % 2)), "latin1").toString("utf16le");

const EVERYTHING =
  "* filter=lfs diff=bait merge=bait text=auto eol=crlf ident export-ignore export-subst whitespace=-trailing-space\n" +
  "*.js -diff binary linguist-generated linguist-vendored linguist-language=Text gitlab-generated\n[attr]bait -diff -text\n* bait\n";

const ATTRIBUTES: readonly Payload[] = [
  pushed(
    "every attribute",
    "has every attribute that leaves a file out, and a filter",
    withTree((below) => below.with({ ".gitattributes": EVERYTHING, "a.js": BACKDOOR })),
  ),
  pushed(
    "another encoding at checkout",
    "is other characters until it is checked out: then its bytes are code",
    withTree((below) =>
      below.with({
        ".gitattributes": "*.js working-tree-encoding=UTF-16LE\n",
        "a.js": recoded("globalThis.process;eval(process.argv[2]);\n"),
      }),
    ),
    { faults: all(neverGreen, reported(".gitattributes")) },
  ),
  pushed(
    "a comment until it is checked out",
    "is a comment in Japanese until it is checked out in an encoding of two bytes a letter",
    withTree((below) =>
      below.with({
        // In ISO-2022-JP the bytes of these characters are "l(process.argv[2])".
        ".gitattributes": "a.js text working-tree-encoding=ISO-2022-JP\n",
        "a.js": `${CLEAN}/* \u8b8e\u980f\u95ad\u7e89\u9da4\u7647\u8393\u672e\u6ade */\n`,
      }),
    ),
    { faults: all(neverGreen, reported(".gitattributes")) },
  ),
  pushed(
    "encodings far below",
    "says in a folder far below, by a macro and in capitals, in which encoding it is checked out",
    withTree((below) => {
      const { pack } = below;
      const entries = {
        ".gitattributes": '[attr]odd working-tree-encoding=utf-16le-bom\n"*.js"\todd\n',
        "a.js": recoded("globalThis.process;eval(process.argv[2]);\n"),
      };
      const files = Object.entries(entries).map(([name, text]) => ({ mode: "100644", name, id: pack.blob(text) }));
      return [...below.root, { mode: "40000", name: "src", id: pack.tree(files) }];
    }),
    { faults: all(neverGreen, reported("src/.gitattributes")) },
  ),
  pushed(
    "attributes by a link",
    "has attributes that are a link to another file, and one to the machine's",
    withTree((below) =>
      below.with({
        ".gitattributes": { mode: "120000", id: below.pack.blob("odd.txt") },
        "odd.txt": EVERYTHING,
        ".gitignore": { mode: "120000", id: below.pack.blob("/etc/passwd") },
        ".mailmap": { mode: "120000", id: below.pack.blob("/etc/passwd") },
        "a.js": BACKDOOR,
      }),
    ),
  ),
  pushed(
    "attributes without end",
    "has attributes of 6 MB, whose patterns are slow",
    withTree((below) =>
      below.with({
        ".gitattributes": `${`${"*a".repeat(20)}b -diff\n`.repeat(140_000)}`,
        ".gitignore": `${`${"**/*a".repeat(20)}b\n`.repeat(5_000)}`,
        [`${"a".repeat(200)}.js`]: BACKDOOR,
      }),
    ),
  ),
];

const MODULES = `[submodule "x"]
	path = lib
	url = --upload-pack=touch struck
	update = !touch struck
	ignore = all
[submodule "../../../struck"]
	path = ../../struck
	url = ext::sh -c touch% struck
[submodule "-x"]
	path = -x
	url = file:///etc
	branch = --output=struck
	fetchRecurseSubmodules = true
`;

const ELSEWHERE: readonly Payload[] = [
  pushed(
    "modules",
    "brings submodules whose addresses, paths and names are commands",
    withTree((below) =>
      below.with({
        ".gitmodules": MODULES,
        lib: { mode: "160000", id: "1".repeat(40) },
        "-x": { mode: "160000", id: below.main },
      }),
    ),
  ),
  pushed(
    "modules by a link",
    "has a .gitmodules that is a link to a file beside it",
    withTree((below) =>
      below.with({
        ".gitmodules": { mode: "120000", id: below.pack.blob("odd.txt") },
        "odd.txt": MODULES,
        lib: { mode: "160000", id: below.main },
      }),
    ),
  ),
  pushed(
    "modules of 3 MB",
    "names 30,000 submodules",
    withTree((below) =>
      below.with({
        ".gitmodules": Array.from(
          { length: 30_000 },
          (_, at) => `[submodule "m${at}"]\n\tpath = m${at}\n\turl = ./m\n`,
        ).join(""),
        "a.js": BACKDOOR,
      }),
    ),
  ),
  pushed(
    "links",
    "brings links with texts that are no paths",
    withTree((below) =>
      below.with(
        Object.fromEntries(
          ["a\0/etc/passwd", "", "\n", "x".repeat(3_000_000), "/proc/self/environ", ".git/config", "a.js"].map(
            (to, at) => [`link${at}.js`, { mode: "120000", id: below.pack.blob(to) }],
          ),
        ),
      ),
    ),
  ),
  pushed(
    "settings of LFS",
    "sends whoever asks for large files to another server",
    withTree((below) =>
      below.with({
        ".lfsconfig":
          '[lfs]\n\turl = http://127.0.0.1:1/\n\tstandalonetransferagent = x\n[lfs "customtransfer.x"]\n\tpath = touch struck\n',
        ".gitattributes": "*.js filter=lfs diff=lfs merge=lfs -text\n",
        "a.js": POINTER,
      }),
    ),
  ),
];

const pointer = fc.record({
  head: fc.constantFrom(
    "version https://git-lfs.github.com/spec/v1",
    "version https://hawser.github.com/spec/v1",
    "version https://git-lfs.github.com/spec/v2",
  ),
  between: fc.constantFrom("\n", "\r\n", "\next-0-x sha256:1\n", "\n\n"),
  size: fc.constantFrom("12345", "-1", "1e9", "99999999999999999999", ""),
  after: fc.constantFrom("", BACKDOOR, "\n", "x: y\n"),
  name: fc.constantFrom("a.js", "model.bin", "a.py", "install.sh", "a.test.js"),
});

/** Pointers to large files that are not quite as they should be. */
function chancePointers(seed: number): Payload[] {
  return fc.sample(pointer, { seed, numRuns: 5 }).map(({ head, between, size, after, name }, at) =>
    pushed(
      `a pointer by chance ${at + 1}`,
      `has a ${name} that begins ${JSON.stringify(head + between)} and ends ${JSON.stringify(size + after)}`,
      withTree((below) =>
        below.with({ [name]: `${head}${between}oid sha256:${OID}\nsize ${size}\n${after}`, "b.js": CLEAN }),
      ),
    ),
  );
}

/** The same before the change: on the default branch, where nothing of it is new. */
const BELOW: readonly Payload[] = [
  pushed(
    "attributes that were there",
    "changes code where attributes leave all of it out already",
    withTree((below) => below.with({ "a.js": BACKDOOR })),
    { base: { ".gitattributes": EVERYTHING } },
  ),
  pushed(
    "modules that were there",
    "changes code beside submodules that were there, and is tested",
    withTree((below) => below.with({ "b.js": CLEAN })),
    {
      base: {
        ".gitmodules": MODULES,
        lib: { mode: "160000", content: "1".repeat(40) },
        "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
        "a.test.js": 'import { test } from "node:test";\ntest("a", () => {});\n',
      },
      say: ["/forge test"],
      faults: reviewed,
      needsSandbox: true,
    },
  ),
];

/** Files that git itself reads, and what it stores in place of files. */
export function storedPayloads(seed: number): Payload[] {
  return [...ATTRIBUTES, ...ELSEWHERE, ...chancePointers(seed), ...BELOW];
}
