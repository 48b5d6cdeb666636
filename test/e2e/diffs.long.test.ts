import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CLEAN, checks, FAULTY, type Files, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

const BINARY = Buffer.from([0, 1, 2, 255, 254, 0, 10, 13, 0]);

/** One transparent point. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let world: World;
beforeAll(async () => {
  world = await createWorld({
    files: {
      "moved/old.ts": CLEAN,
      "tool.mjs": '#!/usr/bin/env node\nconsole.log("tool");\n',
      "picture.bin": BINARY,
      "gone/a.ts": CLEAN,
      "gone/b.ts": CLEAN,
      "crlf.ts": CLEAN.replaceAll("\n", "\r\n"),
    },
  });
  await world.settled();
});
afterEach(() => world.expectGoodManners());
afterAll(() => world.end());

const git = (args: readonly string[], input: string) =>
  execFileSync("git", args, { cwd: world.github.gitDirectory("acme/shop"), input, maxBuffer: 1 << 30 });

const summary = (number: number) => world.github.pullRequest("acme/shop", number).checkRuns[0]?.summary ?? "";

const CLEAN_CHANGES: readonly (readonly [string, Files])[] = [
  ["only-renames", { "moved/old.ts": null, "moved/new.ts": CLEAN }],
  ["only-modes", { "tool.mjs": { mode: "100755", content: '#!/usr/bin/env node\nconsole.log("tool");\n' } }],
  [
    "not-utf-8",
    { "latin.ts": Buffer.concat([Buffer.from("// caf"), Buffer.from([0xe9, 0xff]), Buffer.from(`\n${CLEAN}`)]) },
  ],
  ["only-minified", { "app.js": `var a=1;${"b(1);".repeat(20_000)}\n` }],
  ["only-deletions", { "gone/a.ts": null, "gone/b.ts": null }],
  ["byte-order-mark", { "bom.ts": `\ufeff${CLEAN}` }],
  ["carriage-returns", { "crlf.ts": `${CLEAN}\nexport const more = 1;\n`.replaceAll("\n", "\r\n") }],
  ["no-last-newline", { "open.ts": CLEAN.trimEnd() }],
  ["empty-files", { "empty.ts": "", "empty.json": "" }],
];

const UNREAD_CHANGES: readonly (readonly [string, Files, string])[] = [
  ["only-pictures", { "a.png": PNG, "docs/b.png": PNG }, "Nothing was read: 2 files left out (a picture)"],
  [
    "only-symlinks",
    { readme: { mode: "120000", content: "README.md" }, "moved/up": { mode: "120000", content: "../gone" } },
    "Nothing was read: 2 files left out (a symbolic link)",
  ],
];

const MISSED_CHANGES: readonly (readonly [string, Files, string])[] = [
  ["only-binaries", { "picture.bin": Buffer.concat([BINARY, BINARY]), "other.bin": BINARY }, "2 files"],
  [
    "symlinks-outside",
    { passwords: { mode: "120000", content: "/etc/passwd" }, up: { mode: "120000", content: "../.." } },
    "2 files",
  ],
  [
    "only-submodules",
    { vendored: { mode: "160000", content: "0123456789abcdef0123456789abcdef01234567" } },
    "vendored (a submodule)",
  ],
  [
    "file-to-symlink",
    { "moved/old.ts": { mode: "120000", content: "/etc/shadow" } },
    "moved/old.ts (a symbolic link to outside)",
  ],
];

describe("changes of every shape", () => {
  it("GH-11: what has no faults is green, whatever shape it has", async () => {
    const numbers: number[] = [];
    for (const [branch, files] of CLEAN_CHANGES) numbers.push((await openPull(world, files, { branch })).number);
    await world.settled();
    const ends = numbers.map((number, at) => [CLEAN_CHANGES[at]![0], ...checks(world, number)[0]!]);
    expect(ends.filter(([, conclusion]) => conclusion !== "success")).toEqual([]);
    expect(numbers.map(summary).join()).not.toContain("root:");
  });

  it("GH-11a: a change of which nothing is read holds nothing up, is not green, and says what was left out and why", async () => {
    const numbers: number[] = [];
    for (const [branch, files] of UNREAD_CHANGES) numbers.push((await openPull(world, files, { branch })).number);
    await world.settled();
    const ends = numbers.map((number) => checks(world, number)[0]);
    expect(ends).toEqual(UNREAD_CHANGES.map(([, , title]) => ["neutral", title]));
    for (const number of numbers) expect(summary(number)).not.toMatch(/clean/i);
    expect(numbers.map(summary).join()).not.toContain("root:");
  });

  it("GH-11a: what nobody can look at stands in the title and is not green", async () => {
    const numbers: number[] = [];
    for (const [branch, files] of MISSED_CHANGES) numbers.push((await openPull(world, files, { branch })).number);
    await world.settled();
    const ends = numbers.map((number) => checks(world, number)[0]);
    expect(ends).toEqual(
      MISSED_CHANGES.map(([, , missed]) => ["action_required", `Not fully reviewed: left out ${missed}`]),
    );
    expect(numbers.map(summary).join()).not.toContain("root:");
  });

  it("GH-11a: a new source file with one endless line is read, not taken for a minifier's", async () => {
    const files = { "data.ts": `export const data = "${"x".repeat(20_000)}";\n${FAULTY}` };
    const { number } = await openPull(world, files, { branch: "data" });
    await world.settled();
    expect(checks(world, number)[0]?.[0]).toBe("failure");
  });

  it("GH-11a: what cannot be read is named and never green", async () => {
    const endless = `export const long = "${"x".repeat(1 << 20)}";\n`;
    const long = await openPull(world, { "long.ts": endless }, { branch: "long" });
    const huge = await openPull(world, { "huge.ts": "// line\n".repeat(700_000) }, { branch: "huge" });
    await world.settled();
    const titles = [long, huge].map(({ number }) => checks(world, number)[0]);
    expect(titles).toEqual([
      ["action_required", "Not fully reviewed: left out long.ts (larger than 1 MB)"],
      ["action_required", "Not fully reviewed: left out huge.ts (larger than the limit (5600000 bytes))"],
    ]);
  });

  it("SEC-3: planted git configuration neither runs nor hides anything", async () => {
    const { number } = await openPull(
      world,
      {
        ".gitattributes": "* binary -diff filter=evil merge=evil\n*.ts diff=evil linguist-generated=true\n",
        ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch$IFS/tmp/owned\n',
        ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/\n",
        ".git-config": "[core]\n\tfsmonitor = touch owned\n",
        "hidden.ts": FAULTY,
      },
      { branch: "planted" },
    );
    await world.settled();
    const pull = world.github.pullRequest("acme/shop", number);
    expect(checks(world, number)).toEqual([["failure", "2 blocking errors: assignment to constant, self-comparison"]]);
    expect(pull.reviewComments.map(({ path }) => path)).toEqual(["hidden.ts", "hidden.ts"]);
  });
});

describe("histories of every shape", () => {
  it("GH-3: a force-push to an older commit, a rebase and an update merge each get their check, and no word twice", async () => {
    const { github } = world;
    const { number, headSha: first } = await openPull(world, { "one.ts": FAULTY }, { branch: "history" });
    await world.settled();
    const second = await github.commit("acme/shop", "history", {
      files: { "two.ts": CLEAN },
      message: "Two",
      author: "ana",
    });
    await world.settled();
    await github.moveBranch("acme/shop", "history", first, "ana");
    await world.settled();
    await github.commit("acme/shop", "main", { files: { "news.ts": CLEAN }, message: "News", author: "ana" });
    const rebased = await github.commit("acme/shop", "history", {
      files: { "one.ts": FAULTY },
      message: "Rebased",
      author: "ana",
      from: "main",
      force: true,
    });
    await world.settled();
    await github.commit("acme/shop", "main", { files: { "more.ts": CLEAN }, message: "More", author: "ana" });
    const merged = await github.updateBranch("acme/shop", number, "ana");
    await world.settled();
    const pull = github.pullRequest("acme/shop", number);
    const ends = pull.allCheckRuns.map(({ headSha, conclusion }) => [headSha, conclusion]);
    expect(ends).toEqual([first, second, rebased, merged].map((sha) => [sha, "failure"]));
    expect(pull.reviews).toHaveLength(1);
    expect(pull.reviewComments).toHaveLength(2);
  });

  it("GH-3: histories without a common commit are compared by their trees", async () => {
    const commit = [
      "reset refs/heads/orphan",
      "commit refs/heads/orphan",
      "committer Ana <ana@example.com> 1700000000 +0000",
      "data 5\nAlone",
      `M 100644 inline alone.ts\ndata ${FAULTY.length}\n${FAULTY}`,
    ].join("\n");
    git(["fast-import", "--quiet"], `${commit}\n`);
    const { number } = await world.github.openPullRequest("acme/shop", { title: "Alone", head: "orphan", by: "ana" });
    await world.settled();
    expect(checks(world, number)).toEqual([["failure", "2 blocking errors: assignment to constant, self-comparison"]]);
  });
});

describe("changes of every size", () => {
  it("GH-10, GH-11: 1,200 changed files are all looked at", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, at) => [`many/${at % 40}/f${at}.ts`, at === 700 ? FAULTY : CLEAN]),
    );
    const { number } = await openPull(world, files, { branch: "many" });
    await world.settled();
    expect(checks(world, number)).toEqual([["failure", "2 blocking errors: assignment to constant, self-comparison"]]);
    expect(summary(number)).toContain("all 1,200 changed files");
  });

  it("GH-11a: 300,000 changed files are refused with a reason, quickly", async () => {
    const paths = Array.from({ length: 300_000 }, (_, at) => `M 100644 :1 v/${at % 300}/${at}.ts\n`).join("");
    const commit = "commit refs/heads/vast\nmark :2\ncommitter Ana <ana@example.com> 1700000000 +0000\ndata 4\nVast";
    git(
      ["fast-import", "--quiet"],
      `blob\nmark :1\ndata ${CLEAN.length}\n${CLEAN}\n${commit}\nfrom refs/heads/main^0\n${paths}\n`,
    );
    const { number } = await world.github.openPullRequest("acme/shop", { title: "Vast", head: "vast", by: "ana" });
    await world.settled();
    expect(checks(world, number)).toEqual([
      ["action_required", "Not fully reviewed: More than 10,000 files are changed, so none was looked at."],
    ]);
  });
});
