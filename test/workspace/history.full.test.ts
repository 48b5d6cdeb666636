import { describe, expect, it } from "vitest";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { type HistoryRequest, readHistory } from "../../src/workspace/history.ts";
import type { Mirror } from "../../src/workspace/mirror.ts";
import { expectOk, type Fixture, startFixture } from "./fixture.ts";
import { runTestGit } from "./test-repository.ts";

interface PastCommit {
  readonly by: readonly [name: string, email: string];
  readonly daysAgo: number;
  readonly paths: readonly string[];
}

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;
const ANA = ["Ana", "ana@example.com"] as const;
const BEN = ["Ben", "7+ben@users.noreply.github.com"] as const;
const ANABELLE = ["Anabelle Ana", "ana@example.com.org"] as const;

/** Commits on `main`, oldest first; returns the last one. */
function writeHistory({ origin }: Fixture, commits: readonly PastCommit[]): string {
  const lines = commits.flatMap(({ by: [name, email], daysAgo, paths }, at) => {
    const person = `${name} <${email}> ${(NOW - daysAgo * DAY) / 1000} +0000`;
    const files = paths.flatMap((path) => [`M 100644 inline ${path}`, `data ${String(at).length}`, String(at)]);
    return ["commit refs/heads/main", `author ${person}`, `committer ${person}`, "data 0", ...files];
  });
  runTestGit(origin.directory, ["fast-import", "--quiet", "--done"], Buffer.from([...lines, "done", ""].join("\n")));
  return origin.git("rev-parse", "refs/heads/main");
}

async function mirrored(fixture: Fixture, sha: string): Promise<Mirror> {
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [sha] }));
  return mirror;
}

function request(commit: string, known: Partial<HistoryRequest> = {}): HistoryRequest {
  const since = new Date(NOW - 365 * DAY);
  return { commit, paths: ["src/auth/login.ts"], author: { email: "ana@example.com" }, since, ...known };
}

const STORY: readonly PastCommit[] = [
  { by: ANA, daysAgo: 900, paths: ["src/auth/login.ts", "src/auth/old.ts", "package.json"] },
  { by: ANA, daysAgo: 800, paths: ["src/auth/deep/er/x.ts"] },
  { by: BEN, daysAgo: 300, paths: ["src/auth/login.ts"] },
  { by: ["ben", "ben@users.noreply.github.com"], daysAgo: 200, paths: ["src/auth/login.ts", "src/billing/a.ts"] },
  { by: ANABELLE, daysAgo: 100, paths: ["src/auth/login.ts"] },
  { by: ["Ana", "ANA@example.com"], daysAgo: 50, paths: ["src/auth/login.ts", "docs/a.md"] },
  { by: ANA, daysAgo: 40, paths: ["docs/a.md"] },
  { by: ANA, daysAgo: 30, paths: ["package.json"] },
];

describe("the history of touched files", () => {
  it("RISK-1: counts commits and people of 12 months, and the author's commits in these directories and elsewhere", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    expect(await readHistory(mirror, request(head))).toEqual({
      ok: true,
      commits: 4,
      authors: 3,
      author: { inTheseDirectories: 3, elsewhere: 2 },
      truncated: false,
    });
  });

  it("RISK-1: reads trees only: no file content is fetched and the server is not asked", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    const asked = fixture.server.requests.length;
    expectOk(await readHistory(mirror, request(head, { paths: ["src/auth/login.ts", "package.json", "docs/a.md"] })));
    expect(fixture.server.requests).toHaveLength(asked);
    const objects = runTestGit(mirror.places.gitDirectory, ["cat-file", "--batch-all-objects", "--batch-check"]);
    expect(objects.toString()).not.toContain(" blob ");
  });

  it("RISK-1: knows the author by a login's no-reply addresses or by the whole name", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    const by = async (author: HistoryRequest["author"]) =>
      expectOk(await readHistory(mirror, request(head, { author }))).author;
    expect(await by({ login: "Ben" })).toEqual({ inTheseDirectories: 2, elsewhere: 0 });
    expect(await by({ name: "ana" })).toEqual({ inTheseDirectories: 3, elsewhere: 2 });
    expect(await by({ email: "ana@example.com.org" })).toEqual({ inTheseDirectories: 1, elsewhere: 0 });
    expect(await by({ login: "nobody", email: "--all", name: "*" })).toEqual({ inTheseDirectories: 0, elsewhere: 0 });
    expect(await by({ email: "nobody@example.com>\n<ana@example.com" })).toBeUndefined();
    expect(await by({})).toBeUndefined();
    expect(await by({ login: "", email: "" })).toBeUndefined();
  });

  it("RISK-1: for a file in the root that file stands for its directory", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    expect(await readHistory(mirror, request(head, { paths: ["package.json"] }))).toMatchObject({
      commits: 1,
      author: { inTheseDirectories: 2, elsewhere: 3 },
    });
  });

  it("RISK-1: a new file has no history, and no files have none", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    for (const paths of [["new/place.ts"], []]) {
      expect(await readHistory(mirror, request(head, { paths }))).toMatchObject({
        commits: 0,
        authors: 0,
        author: { inTheseDirectories: 0, elsewhere: 5 },
      });
    }
  });

  it("SEC-3: takes paths as they are, never as options, patterns or magic", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, [
      { by: ANA, daysAgo: 9, paths: ["--all/x", "a.ts"] },
      { by: ANA, daysAgo: 8, paths: ["src/*/x", "b.ts"] },
      { by: ANA, daysAgo: 7, paths: ['"\\303\\251/\\351"', "c.ts"] },
    ]);
    const mirror = await mirrored(fixture, head);
    const at = async (...paths: string[]) => expectOk(await readHistory(mirror, request(head, { paths })));
    expect(await at("--all/x")).toMatchObject({ commits: 1, author: { inTheseDirectories: 1 } });
    expect(await at("src/*/x")).toMatchObject({ commits: 1, author: { inTheseDirectories: 1 } });
    expect(await at(":(glob)**", "*")).toMatchObject({ commits: 0, author: { inTheseDirectories: 0 } });
    // Not UTF-8: known by its bytes.
    expect(await at('"\\303\\251/\\351"')).toMatchObject({ commits: 1, author: { inTheseDirectories: 1 } });
    expect(await at("a.ts\nb.ts")).toMatchObject({ commits: 0, author: { inTheseDirectories: 0 } });
  });
});

describe("the limits of reading the history", () => {
  it("RISK-1: stops counting at its limits and says so", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    const limited = async (limits: HistoryRequest["limits"] & object) =>
      expectOk(await readHistory(mirror, request(head, { limits })));
    expect(await limited({ commits: 4 })).toMatchObject({ commits: 2, truncated: true });
    expect(await limited({ commits: 6 })).toMatchObject({ commits: 4, truncated: false });
    expect(await limited({ authorCommits: 3 })).toMatchObject({
      author: { inTheseDirectories: 1, elsewhere: 2 },
      truncated: true,
    });
    expect(await limited({ outputBytes: 300 })).toMatchObject({ commits: 1, truncated: true });
  });

  it("RISK-1: says that a commit is missing, refuses names and stops when it is told to", async () => {
    await using fixture = await startFixture();
    const head = writeHistory(fixture, STORY);
    const mirror = await mirrored(fixture, head);
    expect(await readHistory(mirror, request("1".repeat(40)))).toMatchObject({ ok: false, reason: "missing commit" });
    await expect(readHistory(mirror, request("main"))).rejects.toMatchObject({ code: "invalid_revision" });
    const signal = AbortSignal.abort();
    expect(await readHistory(mirror, request(head, { signal }))).toMatchObject({ ok: false, reason: "aborted" });
  });
});
