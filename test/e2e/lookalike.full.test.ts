import { describe, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { createWorld, type World } from "./world.ts";

const RLO = "\u202e";
const LRI = "\u2066";
const RLI = "\u2067";
const PDI = "\u2069";

/** What is seen is not what runs: the second lines. */
const REORDERED = `export const level = "user";\nif (level !== "user${RLO} ${LRI}// check if admin${PDI} ${LRI}") console.log("root");\n`;
const MIXED = "export const password = 1;\nexport const p\u0430ssword = 2;\n";
const HEBREW = `export const hello = "שלום עולם"; // הערה\nexport const quoted = "${RLI}שלום${PDI}";\n`;
const ARABIC = "export const welcome = 'مرحبا بالعالم'; // تعليق\nexport const persian = 'می\u200cخواهم';\n";

let world: World;
shareWorld(createWorld, (made) => {
  world = made;
});

async function review(files: Readonly<Record<string, string>>) {
  const branch = `change-${Object.keys(files)
    .join("-")
    .replaceAll(/[^a-z-]/g, "-")}`;
  await world.github.commit("acme/shop", branch, { files, message: "Change", author: "ana" });
  const { number } = await world.github.openPullRequest("acme/shop", { title: "Change", head: branch, by: "ana" });
  await world.settled();
  return world.github.pullRequest("acme/shop", number);
}

/** Characters that nobody sees, or that are another letter than they look. */
const RAW = /[\p{Cf}\p{DI}\u2028\u2029\u0430]|(?![\n\t])\p{Cc}/u;

describe("a pull request whose text is not what it looks like (SEC-5)", () => {
  it("fails when it reorders its code or mixes scripts in a name: what runs is shown without the characters themselves", async () => {
    const files = { "level.js": REORDERED, "name.js": MIXED };
    const { checkRuns, reviews, reviewComments, comments } = await review(files);
    expect(checkRuns[0]).toMatchObject({ conclusion: "failure" });
    for (const [path, escaped] of Object.entries({ "level.js": "\\u{202e}", "name.js": "p\\u{430}ssword" })) {
      const about = reviewComments.filter((comment) => comment.path === path && comment.line === 2);
      expect(about.map(({ body }) => body).join("\n")).toContain(escaped);
    }
    expect(reviewComments.every(({ line }) => line === 2)).toBe(true);
    const posted = [
      ...[...reviews, ...reviewComments, ...comments].map(({ body }) => body ?? ""),
      ...checkRuns.flatMap(({ title, summary, annotations }) => [
        ...[title ?? "", summary ?? ""],
        ...annotations.map((each) => `${each.title}\n${each.message}`),
      ]),
    ];
    expect(posted.filter((each) => RAW.test(each))).toEqual([]);
  });

  it("is clean when it is honest Hebrew, Arabic and Persian", async () => {
    const { checkRuns, reviewComments } = await review({ "hebrew.js": HEBREW, "arabic.js": ARABIC });
    expect([checkRuns[0]?.conclusion, reviewComments.length]).toEqual(["success", 0]);
  });
});
