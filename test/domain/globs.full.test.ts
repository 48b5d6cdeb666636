import { matchesGlob } from "node:path";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/domain/globs/compile-glob.ts";
import fc from "../properties.ts";

function matches(glob: string, path: string, below = false): boolean {
  const compiled = compileGlob(glob);
  if ("fault" in compiled) throw new Error(`${glob} ${compiled.fault}`);
  return compiled.matches(path, { below });
}

/** Names without a dot in front, which Node hides. */
const name = fc
  .array(fc.constantFrom("a", "b", "c", "-", "(", "!", "é", ".ts"), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(""))
  .filter((text) => !text.startsWith("."));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

const letter = fc.constantFrom(
  "a",
  "b",
  "c",
  "?",
  "*",
  "[ab]",
  "[!a]",
  "[^b-c]",
  "[a-]",
  "{a,b}",
  "{,c}",
  "{a,{b,c}b}",
);
const part = fc.oneof(
  { weight: 3, arbitrary: fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join("")) },
  fc.constantFrom("**", "*", "{a/b,c}", "{**,b}", "***"),
);
/** Anchored, so that Node's matcher and ours are asked the same. */
const glob = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"))
  // What is empty before the first slash is the root for us, and a path of its own for Node.
  .filter((given) => "matches" in compileGlob(given) && !given.startsWith("{,"));

/** Names that fit the glob by chance alone are rare: its own letters, with a few in place of what it leaves open. */
const near = fc
  .tuple(glob, fc.array(fc.constantFrom("", "a", "b", "c", "a/b"), { minLength: 8, maxLength: 8 }))
  .map(([given, fill]) => {
    let at = 0;
    const next = () => fill[at++ % fill.length]!;
    const text = given
      .replace(/\{[^{}]*\{[^{}]*\}[^{}]*\}|\{[^{}]*\}|\[[^\]]*\]|\*+|\?/g, next)
      .split("/")
      .filter((each) => each !== "");
    return { glob: given, path: text.length === 0 ? "a" : text.join("/") };
  });

describe("globs", () => {
  it("CONF-1: answer as Node's own matcher does wherever that can be used", () => {
    const anchored = (given: string) => `/${given}`;
    fc.assert(
      fc.property(fc.oneof(near, fc.record({ glob, path })), ({ glob: given, path: of }) => {
        expect([given, of, matches(anchored(given), of)]).toEqual([given, of, matchesGlob(of, given)]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("CONF-1: with `below` match what stands in a folder that they match", () => {
    fc.assert(
      fc.property(near, ({ glob: given, path: of }) => {
        const names = of.split("/");
        // A folder may be named with its slash too.
        const folders = [
          of,
          ...names
            .slice(0, -1)
            .flatMap((_, at) => [`${names.slice(0, at + 1).join("/")}`, `${names.slice(0, at + 1).join("/")}/`]),
        ];
        expect(matches(`/${given}`, of, true)).toBe(folders.some((folder) => matches(`/${given}`, folder)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["*.md", "docs/.a/b.md", true],
    ["./src/*.ts", "src/.a.ts", true],
    ["/docs", "web/docs", false],
    ["app/[id]/page.tsx", "app/i/page.tsx", true],
    ["app/\\[id\\]/page.tsx", "app/[id]/page.tsx", true],
    ["app/(shop)/page.tsx", "app/(shop)/page.tsx", true],
    ["?.ts", "🙂.ts", true],
    ["[🙁-🙃].ts", "🙂.ts", true],
    ["!a", "!a", true],
    ["a[b", "a[b", true],
    ["[]a]", "]", true],
    ["{a}", "{a}", true],
    ["/", "a", false],
    [".", "a", false],
    ["a/./b//c", "a/b/c", true],
  ])("%s on %s: %s", (given, of, expected) => {
    expect(matches(given, of)).toBe(expected);
  });

  it.each([
    ["+(a|aa)".repeat(20), /has a group `\+\(…\)`/],
    ["!(a)", /has a group/],
    ["{a,b}".repeat(18), /more than 100 combinations/],
    [`{${",".repeat(90)}}${"abcdefghijkl".repeat(10)}`, /come to too much/],
    [`${"{a,".repeat(100)}`, /not closed/],
    ["{1..9}", /has a range `\{1\.\.9\}`/],
    ["[[:alpha:]]", /named class/],
    ["a\\", /ends with a backslash/],
    ["a".repeat(301), /more than 300 characters/],
  ])("%s cannot be used, and says why", (given, fault) => {
    expect(compileGlob(given)).toEqual({ fault: expect.stringMatching(fault) });
  });
});
