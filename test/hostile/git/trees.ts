import fc from "../../properties.ts";
import { reviewed } from "../program/judge.ts";
import type { Payload } from "../program/payload.ts";
import type { Entry, Pack } from "./pack.ts";
import { BACKDOOR, CLEAN, pushed, withTree } from "./pushed.ts";

const FILE = "100644";
const FOLDER = "40000";
const file = (pack: Pack, name: string | Buffer, content: string, mode = FILE): Entry => ({
  ...{ mode, name },
  id: pack.blob(content),
});
const folder = (pack: Pack, name: string | Buffer, entries: readonly Entry[], mode = FOLDER): Entry => ({
  ...{ mode, name },
  id: pack.tree(entries),
});

/** Spellings that some file system takes for the folder in which git keeps its own. */
const GIT_NAMES = [".git", ".GIT", "git~1", ".git ", ".git.", ".g\u200cit", ".git::$INDEX_ALLOCATION", ".ｇit"];

function ownFolder(pack: Pack, name: string): Entry {
  const hook = "#!/bin/sh\ntouch struck\n";
  return folder(pack, name, [
    file(pack, "config", "[core]\n\tfsmonitor = touch struck\n\thooksPath = hooks\n\tsshCommand = touch struck\n"),
    file(pack, "HEAD", "ref: refs/heads/main\n"),
    folder(pack, "hooks", [
      file(pack, "post-checkout", hook, "100755"),
      file(pack, "index.js", BACKDOOR),
      file(pack, "fsmonitor-watchman", hook, "100755"),
    ]),
    folder(pack, "objects", [
      folder(pack, "info", [file(pack, "alternates", "/etc\n../../../../other.git/objects\n")]),
    ]),
    folder(pack, "refs", [file(pack, ".keep", "")]),
  ]);
}

const CROOKED: readonly Payload[] = [
  pushed(
    "git's own folder",
    "holds folders that file systems take for .git, with hooks, alternates and a configuration",
    withTree(({ pack, root }) => [...root, ...GIT_NAMES.map((name) => ownFolder(pack, name))]),
  ),
  pushed(
    "a repository in the tree",
    "is itself laid out like a repository, with a configuration that starts programs",
    withTree(({ pack, root }) => [
      ...root,
      ...["HEAD", "config"].map((name) =>
        file(
          pack,
          name,
          name === "HEAD"
            ? "ref: refs/heads/main\n"
            : "[core]\n\tbare = false\n\tworktree = /\n\tfsmonitor = touch struck\n",
        ),
      ),
      folder(pack, "objects", [folder(pack, "info", [file(pack, "alternates", "/etc\n")])]),
      folder(pack, "refs", [folder(pack, "heads", [file(pack, "main", `${"1".repeat(40)}\n`)])]),
      folder(pack, "hooks", [
        file(pack, "post-index-change", "#!/bin/sh\ntouch struck\n", "100755"),
        file(pack, "a.js", BACKDOOR),
      ]),
    ]),
  ),
  pushed(
    "upwards",
    "holds folders called .. and . with code in them",
    withTree(({ pack, root }) => {
      const up = folder(pack, "..", [folder(pack, "..", [folder(pack, "..", [file(pack, "struck.js", BACKDOOR)])])]);
      return [...root, up, folder(pack, ".", [file(pack, "here.js", BACKDOOR)])];
    }),
  ),
  pushed(
    "slashes in a name",
    "holds names with slashes that lead elsewhere",
    withTree(({ pack, root }) => [
      ...root,
      ...["../../struck.js", "/tmp/struck.js", "src/../../struck.js", "..\\..\\struck.js", "C:\\struck.js"].map(
        (name) => file(pack, name, BACKDOOR),
      ),
    ]),
  ),
  ...(["first", "second"] as const).map((which) =>
    pushed(
      `twice, ${which}`,
      `holds a name twice, and the ${which} of the two is the back door`,
      withTree(({ pack, root }) => {
        const two = [file(pack, "a.js", BACKDOOR), file(pack, "a.js", CLEAN)];
        return [...root, ...(which === "first" ? two : two.reverse())];
      }, "as given"),
    ),
  ),
  pushed(
    "beside what stays",
    "holds a file as it is on the default branch, and once more as a back door",
    withTree(
      ({ pack, root }) => [
        ...root.filter(({ name }) => name === "README.md"),
        ...root,
        file(pack, "README.md", "x\n"),
        file(pack, "z.js", BACKDOOR),
      ],
      "as given",
    ),
  ),
  pushed(
    "a file and a folder",
    "holds a file and a folder of one name",
    withTree(({ pack, root }) => [
      ...root,
      file(pack, "src", CLEAN),
      folder(pack, "src", [file(pack, "a.js", BACKDOOR)]),
    ]),
  ),
  pushed(
    "out of order",
    "holds its names in an order in which nobody finds them",
    withTree(
      ({ pack, root }) => [
        file(pack, "z.js", CLEAN),
        file(pack, "m.js", BACKDOOR),
        ...root,
        file(pack, "a.js", BACKDOOR),
      ],
      "as given",
    ),
  ),
  pushed(
    "odd modes",
    "gives its files modes that there are not",
    withTree(({ pack, root }) => [
      ...root,
      ...["100000", "100664", "100777", "0100644", "104755", "110644", "120777", "140000"].map((mode, at) =>
        file(pack, `a${at}.js`, BACKDOOR, mode),
      ),
    ]),
  ),
  pushed(
    "a folder by its mode",
    "says of a file that it is a commit, and of a commit that it is a submodule called like code",
    withTree(({ pack, root, main }) => [
      ...root,
      { mode: "160000", name: "index.js", id: pack.blob(BACKDOOR) },
      { mode: "160000", name: ".github", id: main },
    ]),
  ),
  pushed(
    "folders in place of files",
    "puts a folder, a link and a submodule where files were",
    withTree(({ pack, root, main }) => [
      ...root.filter(({ name }) => name === "README.md"),
      folder(pack, "package.json", [file(pack, "a.js", BACKDOOR)]),
      { mode: "120000", name: "src", id: pack.blob(".git") },
      { mode: "160000", name: "test", id: main },
    ]),
    { base: { "package.json": "{}\n", "src/a.js": CLEAN, "test/a.js": CLEAN } },
  ),
];

const HUGE: readonly Payload[] = [
  pushed(
    "a tree without end",
    "holds 10,000 files in five objects",
    withTree(({ pack, root }) => {
      let id = pack.tree(Array.from({ length: 10 }, (_, at) => file(pack, `f${at}.js`, BACKDOOR)));
      for (let level = 0; level < 3; level += 1)
        id = pack.tree(Array.from({ length: 10 }, (_, at) => ({ mode: FOLDER, name: `d${at}`, id })));
      return [...root, { mode: FOLDER, name: "bomb", id }];
    }),
  ),
  pushed(
    "a deep tree",
    "holds 3,000 folders within each other",
    withTree(({ pack, root }) => {
      let inner = file(pack, "a.js", BACKDOOR);
      for (let level = 0; level < 3_000; level += 1) inner = folder(pack, "d", [inner]);
      return [...root, inner];
    }),
  ),
  pushed(
    "a wide tree",
    "holds 20,000 names for one file",
    withTree(({ pack, root }) => {
      const { id } = file(pack, "a.js", BACKDOOR);
      const all = Array.from({ length: 20_000 }, (_, at) => ({ mode: FILE, name: `a${at}.js`, id }));
      return [...root, { mode: FOLDER, name: "wide", id: pack.tree(all) }];
    }),
  ),
  pushed(
    "long names",
    "holds 40 folders with names of 4,000 bytes",
    withTree(({ pack, root }) => {
      let inner = file(pack, `${"n".repeat(4_000)}.js`, BACKDOOR);
      for (let level = 0; level < 40; level += 1) inner = folder(pack, "n".repeat(4_000), [inner]);
      return [...root, inner];
    }),
  ),
  pushed(
    "a large file in few bytes",
    "holds a file of 160 MB that was sent as a few kilobytes",
    withTree(({ pack, root }) => [
      ...root,
      { mode: FILE, name: "a.js", id: pack.copies(Buffer.from("x".repeat(8_000_000)), 20) },
      file(pack, "b.js", BACKDOOR),
    ]),
  ),
  pushed(
    "difference upon difference",
    "holds a file that is the 4,000th difference from another",
    withTree(({ pack, root }) => [
      ...root,
      { mode: FILE, name: "a.js", id: pack.chain(4_000) },
      file(pack, "b.js", BACKDOOR),
    ]),
  ),
];

const NAMES = fc.constantFrom<string | Buffer>(
  ...["-rf.js", "--upload-pack=touch struck.js", "$(touch struck).js", "a\tb.js", "\u001b[2Ja.js", '"a".js', "a'b.js"],
  ...["*.js", ":(top)a.js", "a\\b.js", " .js", "CON.js", "a.js::$DATA", "~.js", "a\u0301.js", "\u0301.js", "|id.js"],
  ...["NUL", "@.js", "%2e%2e%2fa.js", "a\rb.js", "\u202esj.a", "{{a}}.js", "</data>.js", "a`id`.js", "a.js\u3164"],
  Buffer.from([0xff, 0xfe, 0x2e, 0x6a, 0x73]),
  Buffer.from([0xc3, 0x28, 0x2e, 0x6a, 0x73]),
  Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x6a, 0x73]),
);

/** Three names that nobody thought of together, at the top and in a folder called by one of them. */
function chanceNames(seed: number): Payload[] {
  return fc
    .sample(fc.uniqueArray(NAMES, { minLength: 3, maxLength: 3, selector: String }), { seed, numRuns: 6 })
    .map((names, at) =>
      pushed(
        `names by chance ${at + 1}`,
        `calls its files ${names.map((name) => JSON.stringify(name.toString("latin1" as never))).join(", ")}`,
        withTree(({ pack, root }) => [
          ...root,
          ...names.slice(0, 2).map((name) => file(pack, name, BACKDOOR)),
          folder(pack, names[2]!, [file(pack, "a.js", BACKDOOR)]),
        ]),
      ),
    );
}

const TESTS = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "a.test.js": 'import { test } from "node:test";\ntest("a", () => {});\n',
};

/** What is laid out on the disk for tests to run in. */
const LAID_OUT: readonly Payload[] = CROOKED.slice(0, 5).map(({ name, does, strike }) => ({
  ...{ name: `laid out: ${name}`, does: `${does}, and is tested`, base: TESTS, needsSandbox: true, faults: reviewed },
  strike: async (ground) => {
    const number = await strike(ground);
    await ground.world.settled();
    ground.world.github.comment(ground.repository, number, { by: "ana", body: "/forge test" });
    return number;
  },
}));

/** Trees that git's own programs refuse to make, and servers have taken. */
export function treePayloads(seed: number): Payload[] {
  return [...CROOKED, ...HUGE, ...chanceNames(seed), ...LAID_OUT];
}
