import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../e2e/world.ts";
import { AWS_KEYS, hostileFiles } from "./hostile-files.ts";

/** Words that stand nowhere but in what must not be read. */
const OUTSIDE = "canary-outside-the-clone";
const ENVIRONMENT = "canary-in-the-environment";

let world: World;
let folder: string;
let server: Server;
let number: number;
const asked: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-canary-"));
  const file = join(mkdtempSync(join(folder, "outside-")), "tsconfig.json");
  writeFileSync(file, JSON.stringify({ compilerOptions: { [OUTSIDE]: true } }));
  server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.FORGE_TEST_CANARY = ENVIRONMENT;
  world = await createWorld();
  const { github } = world;
  await github.commit("acme/shop", "hostile", {
    files: hostileFiles({ folder, url, file }),
    message: "Change",
    author: "ana",
  });
  ({ number } = await github.openPullRequest("acme/shop", { title: "Change", head: "hostile", by: "ana" }));
  await world.settled();
});
afterAll(async () => {
  delete process.env.FORGE_TEST_CANARY;
  server.close();
  await world.end();
  rmSync(folder, { recursive: true });
});

const view = () => world.github.pullRequest("acme/shop", number);
const summary = () => view().checkRuns[0]?.summary ?? "";

/** `path:line rule` of everything that was posted. */
function posted(): string[] {
  const { reviewComments, checkRuns } = view();
  const rule = (text: string) =>
    /(?:`([\w./-]+)`(?:\]\([^)]*\))? · `F-|rule ([\w.-]+))/.exec(text)?.slice(1).find(Boolean);
  const comments = reviewComments.map(({ path, line, body }) => `${path}:${line} ${rule(body)}`);
  const annotations = checkRuns.flatMap((run) =>
    run.annotations.map(({ path, start_line, message }) => `${path}:${start_line} ${rule(message)}`),
  );
  return [...new Set([...comments, ...annotations])];
}

describe("a hostile pull request (SEC-1, SEC-3)", () => {
  it("runs nothing of it, asks nobody, and reads nothing outside the clone", () => {
    expect(asked).toEqual([]);
    expect(readdirSync(folder).filter((name) => !name.startsWith("outside-"))).toEqual([]);
    const written = JSON.stringify(view()) + readFileSync(join(world.directory, "forge.db"), "latin1");
    for (const word of [OUTSIDE, ENVIRONMENT, "root:x:0:0"]) expect(written).not.toContain(word);
    expect(summary()).toContain("`canary.js`, `passwd.js`, `up.ts` (a symbolic link to outside)");
  });

  it("its configuration of tools is not heard: everything they would leave out is found", () => {
    expect(posted()).toEqual(
      expect.arrayContaining([
        "hushed/biome.ts:5 noConstAssign",
        "hushed/eslint.js:5 program",
        "hushed/types.ts:7 unknown-property",
        "hushed/types.ts:11 unknown-property",
        "hushed/secret.ts:3 aws-access-key",
        "hushed/run.py:7 S602-subprocess-with-shell",
        ".github/workflows/hushed.yml:9 script-injection",
        ".github/workflows/hushed.yml:4 write-all",
        ".github/forge.yml:2 invalid",
      ]),
    );
  });

  it.each([
    ["hushed/biome.ts", [1, 4, 5]],
    ["hushed/eslint.js", [1, 2, 4, 5]],
    ["hushed/types.ts", [1, 6, 10]],
    ["hushed/secret.ts", [1, 2, 3]],
    ["hushed/run.py", [1, 6, 7]],
    ["hushed/build.sh", [2, 3]],
    [".github/workflows/hushed.yml", [1, 2]],
  ])("REV-1: the comments of %s that switch a check off are findings of their own", (path, lines) => {
    const found = posted().filter((line) => line.startsWith(`${path}:`) && line.endsWith(" added"));
    expect(found.map((line) => Number(/:(\d+) /.exec(line)![1])).toSorted((a, b) => a - b)).toEqual(lines);
  });

  it("SEC-6: a secret below a syntax error is found, and no secret is repeated", () => {
    expect(posted()).toEqual(expect.arrayContaining(["broken/half.ts:2 syntax", "broken/half.ts:4 aws-access-key"]));
    const everything = JSON.stringify(view());
    for (const key of AWS_KEYS) expect(everything).not.toContain(key.slice(6));
  });

  it("GH-11a: what breaks a parser or a rule is named, and costs no other file anything", () => {
    const unread = /Not looked at: (.*)/.exec(summary())?.[1] ?? "";
    for (const path of ["brackets.ts", "sum.js", "calls.js", "deep.py"]) expect(unread).toContain(`\`broken/${path}\``);
    expect(unread).toContain("`package-lock.json` (its packages were not compared");
    expect(view().checkRuns[0]).toMatchObject({ conclusion: "failure", title: expect.stringMatching(/blocking/) });
  });

  it("GH-15: names and text with control, bidirectional and Markdown characters are shown harmlessly", () => {
    const odd = posted().filter((line) => line.startsWith("odd/"));
    expect(odd).toHaveLength(8);
    expect(odd.filter((line) => / (?:file-name|bidi-\w+|invisible-\w+)$/.test(line))).toHaveLength(4);
    const { reviewComments, checkRuns, comments } = view();
    const texts = [...reviewComments.map(({ body }) => body), ...comments.map(({ body }) => body), summary()];
    const messages = checkRuns.flatMap(({ annotations }) => annotations.map(({ title, message }) => title + message));
    expect([...texts, ...messages].filter((text) => /[\p{Cf}]|(?!\n)\p{Cc}/u.test(text))).toEqual([]);
    expect(summary()).toContain("`odd/@ana ![x](evil.example) <b>.ts:2`");
  });

  it("Forge asked GitHub for nothing wrong and gave up nothing", () => world.expectGoodManners());
});
