import { expect, it } from "vitest";
import type { ChangeAnalysis } from "../../src/analysis/analyse-change.ts";
import { twins as analyser } from "../../src/analysis/analysers/twins.ts";
import { analyse, changedFile } from "./change-of.ts";

const THERE = ["src/auth/check.js", "README.md", "lib/stra\u00dfe.js", "docs/a.md"];

const IMITATIONS: readonly (readonly [path: string, of: string, severity: string])[] = [
  ["src/\u0430uth/login.js", "src/auth", "error"],
  ["src/auth/\u0441heck.js", "src/auth/check.js", "error"],
  ["\u0455r\u0441/new.js", "src", "error"],
  ["src/auth/check.js ", "src/auth/check.js", "error"],
  ["src/auth./login.js", "src/auth", "error"],
  ["src/auth/che\u200bck.js", "src/auth/check.js", "error"],
  ["src/auth/Check.js", "src/auth/check.js", "warning"],
  ["SRC/new.js", "src", "warning"],
  ["lib/strasse.js", "lib/stra\u00dfe.js", "warning"],
];

const HONEST = ["src/auth/check.ts", "src/auth/login.js", "docs/\u043e\u0441\u0435\u043d\u044c.md", "lib/caf\u00e9.js"];

const TEXT = "export const limit = 3;\n";

/** Looked at by the analyser of names. */
function named(path: string, extra: object = {}): Promise<ChangeAnalysis> {
  const file = changedFile(path, TEXT, undefined, extra);
  return analyse({ [path]: TEXT }, { files: [file], paths: [...THERE, path], analysers: [analyser] });
}

const twins = ({ observations }: ChangeAnalysis) => observations.filter(({ rule }) => rule === "twins/file-name");

it("SEC-5: a new file that is taken for one of the repository is found, and what it imitates is named", async () => {
  for (const [path, of, severity] of IMITATIONS) {
    const [found] = twins(await named(path));
    expect([path, found?.severity, found?.line], path).toEqual([path, severity, 1]);
    expect(found?.message.replaceAll("\\u{df}", "\u00df")).toContain(`\`${of}\``);
    expect(found?.message).not.toMatch(/[\u0400-\u04ff]|\p{Cf}/u);
  }
});

it("a file that only moves to such a name is found, too", async () => {
  const moved = { status: "renamed" as const, oldPath: "src/old.js", addedLines: 0, hunks: [] };
  const paths = ["src/auth/Check.js", "src/p\u0430yment.js"];
  const found = await analyse(Object.fromEntries(paths.map((path) => [path, TEXT])), {
    files: paths.map((path) => changedFile(path, TEXT, undefined, moved)),
    paths: [...THERE, ...paths],
  });
  expect(twins(found)).toHaveLength(1);
  expect(found.observations.map(({ rule }) => rule)).toContain("disguises/file-name");
});

it("a link with such a name is not let by", async () => {
  const { coverage } = await analyse(
    { "src/auth/Check.js": "check.js" },
    {
      files: [changedFile("src/auth/Check.js", "check.js", undefined, { mode: "120000" })],
      paths: [...THERE, "src/auth/Check.js"],
    },
  );
  expect(coverage.uncovered).toEqual([
    { path: "src/auth/Check.js", reason: "a symbolic link whose name is not what it looks like", gap: true },
  ]);
});

it("is silent on other names, and on a file whose name only changes its case", async () => {
  for (const path of HONEST) expect(twins(await named(path)), path).toEqual([]);
  const renamed = { status: "renamed", oldPath: "src/app.ts", addedLines: 0, hunks: [] };
  expect(twins(await named("src/App.ts", renamed))).toEqual([]);
});
