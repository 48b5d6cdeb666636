import { describe, expect, it } from "vitest";
import { commitMessage } from "../../../src/agents/implementer/commit-message.ts";
import { Commit } from "../../../src/agents/implementer/output.ts";

const facts = { issue: 12 };
const said = (subject: string, body?: string) =>
  commitMessage({ type: "feat", subject, ...(body === undefined ? {} : { body }) }, facts);

describe("the message of a commit", () => {
  it("IMPL-1: is a conventional header, a body, and a footer that refers to the issue", () => {
    const commit = Commit.parse({
      type: "fix",
      scope: "api",
      subject: "answer 429 to clients that send too much",
      body: "Why.\n\n- one\n- two",
    });
    const coAuthor = { name: "Ana <x>\nBcc: y", email: "7+ana@users.noreply.example" };
    expect(commitMessage(commit, { issue: 12, coAuthor })).toBe(
      "fix(api): answer 429 to clients that send too much\n\nWhy.\n\n- one\n- two\n\nRefs #12\nCo-authored-by: Ana x Bcc: y <7+ana@users.noreply.example>\n",
    );
    expect(said("add a limit")).toBe("feat: add a limit\n\nRefs #12\n");
    // A run on a checkout of this machine has a number, and no issue.
    expect(commitMessage({ type: "feat", subject: "add a limit" }, { issue: undefined })).toBe("feat: add a limit\n");
    expect(commitMessage(commit, { issue: 12, coAuthor: { name: "a", email: "no address" } })).not.toContain(
      "Co-authored",
    );
  });

  it.each([
    ["Fixes #7 and closes owner/repo#8, resolves GH-9", "Fixes issue 7 and closes issue 8, resolves issue 9"],
    ["thanks @ana and (@org/team), see @types/node", "thanks ana and (org/team), see types/node"],
    ["mail a@b.example stays", "mail a@b.example stays"],
    ["see https://evil.example/x?y and http://github.com/o/r/issues/3 now", "see (address) and (address) now"],
    ["quiet [skip ci] [ci skip] [no ci] [skip-ci] [skip actions] [actions skip] ***NO_CI*** end", "quiet        end"],
    ["[skip [skip ci] ci] and [no [no ci]ci]", "and"],
    ["read values[0] and flags[skip] as they are", "read values[0] and flags[skip] as they are"],
    ["hidden \u200b\u202e text", "hidden  text"],
  ])("GH-15: takes out of it what GitHub or CI acts on: %s", (body, left) => {
    const message = said("add it", body);
    expect(message).toBe(`feat: add it\n\n${left.trim()}\n\nRefs #12\n`);
  });

  it("GH-15: trailers and what raises a version are ours to give", () => {
    const body = [
      "Why it is so.",
      "",
      "Signed-off-by: Somebody <a@b.example>",
      "co-authored-by: Somebody <a@b.example>",
      "skip-checks: true",
      "Release-As: 9.0.0",
      "Fixes: #1",
      "BREAKING CHANGE: all is new",
      "X-Trigger: deploy",
    ].join("\n");
    expect(said("add it", body)).toBe(
      "feat: add it\n\nWhy it is so.\n\nThis breaks: all is new\nX-Trigger - deploy\n\nRefs #12\n",
    );
  });

  it("IMPL-1: the header stays within 72 characters, the body within 72 a line and 30 lines", () => {
    const long = said(`call #1 ${"word ".repeat(12)}`);
    const [header = ""] = long.split("\n");
    expect(header.length).toBeLessThanOrEqual(72);
    expect(header).toMatch(/^feat: call issue 1 (?:word ){8,}word$/);
    const body = said("add it", `${"word ".repeat(60)}\n${"line\n".repeat(60)}    ${"code".repeat(30)}`).split("\n");
    expect(body.length).toBeLessThan(36);
    expect(Math.max(...body.map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(said("[skip ci]")).toBe("feat: work on issue 12\n\nRefs #12\n");
  });
});

describe("a commit as a model may give it", () => {
  it.each([
    [{ type: "feature", subject: "add it" }, "Invalid option"],
    [{ type: "feat", subject: "add it." }, "ends without a period"],
    [{ type: "feat", subject: "Added it" }, "imperative"],
    [{ type: "fix", subject: "fixes it" }, "imperative"],
    [{ type: "feat", subject: "add\nit" }, "one line"],
    [{ type: "feat", scope: "The API", subject: "add it" }, "one word in small letters"],
    [{ type: "feat", scope: "api", subject: `add ${"x".repeat(60)}` }, "more than 72 characters"],
  ])("IMPL-1: is refused with what is wrong: %j", (commit, problem) => {
    const parsed = Commit.safeParse(commit);
    expect(JSON.stringify(parsed.error?.issues)).toContain(problem);
  });

  it("IMPL-1: is taken where it is one", () => {
    for (const subject of [
      "add it",
      "Add it",
      "fix the address of tests",
      "use less memory",
      "address a race",
      "test it",
    ]) {
      expect(Commit.safeParse({ type: "test", subject }).success, subject).toBe(true);
    }
  });
});
