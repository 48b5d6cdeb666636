import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listCommits } from "../../src/workspace/commit-log.ts";
import { diffRaw } from "../../src/workspace/diff.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { runGit } from "../../src/workspace/git.ts";
import { redactGitText } from "../../src/workspace/git-environment.ts";
import { openMirror } from "../../src/workspace/mirror.ts";
import { readBlobs } from "../../src/workspace/read-blobs.ts";
import { isUpdateMergeOnly } from "../../src/workspace/update-merge.ts";
import { listProcesses } from "../list-processes.ts";
import { expectOk, startFixture } from "./fixture.ts";

/** Everything a hostile repository can carry in its files. */
function baits(touch: string) {
  return [
    {
      path: ".gitattributes",
      content: "* diff=bait filter=bait merge=bait working-tree-encoding=UTF-16\n*.txt -diff\n",
    },
    { path: ".lfsconfig", content: `[lfs]\n\turl = "ext::sh -c ${touch}"\n` },
    {
      path: ".gitmodules",
      content: `[submodule "m"]\n\tpath = m\n\turl = "ext::sh -c ${touch}"\n\tupdate = !${touch}\n`,
    },
    { path: ".gitconfig", content: `[core]\n\tfsmonitor = ${touch}\n` },
    { path: "m", content: "1".repeat(40), mode: "160000" },
    { path: "link", content: "/etc/passwd", mode: "120000" },
    { path: "--output=x", content: "option\n" },
    { path: ":(top)magic", content: "magic\n" },
  ];
}

/** Everything that git would start from a configuration file, a hook or attributes in the mirror itself. */
async function plantConfiguration(gitDirectory: string, touch: string): Promise<void> {
  await appendFile(
    join(gitDirectory, "config"),
    `[core]\n\tfsmonitor = ${touch}\n\tsshCommand = ${touch}\n\taskPass = ${touch}\n\tpager = ${touch}\n\thooksPath = ${gitDirectory}/hooks\n` +
      `[include]\n\tpath = ${gitDirectory}/more\n[credential]\n\thelper = !${touch}\n[filter "bait"]\n\tsmudge = ${touch}\n\tclean = ${touch}\n` +
      `[diff]\n\texternal = ${touch}\n[diff "bait"]\n\ttextconv = ${touch}\n\tcommand = ${touch}\n[merge "bait"]\n\tdriver = ${touch}\n` +
      `[url "ext::sh -c ${touch.replaceAll(" ", "% ")} "]\n\tinsteadOf = http://\n[remote "origin"]\n\tuploadpack = ${touch}\n\tvcs = ext\n` +
      `[protocol "ext"]\n\tallow = always\n[gc]\n\tauto = 1\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${touch}\n`,
  );
  await writeFile(join(gitDirectory, "more"), `[diff]\n\texternal = ${touch}\n`);
  await mkdir(join(gitDirectory, "info"), { recursive: true });
  await writeFile(join(gitDirectory, "info", "attributes"), "* diff=bait filter=bait merge=bait\n");
  await mkdir(join(gitDirectory, "hooks"));
  for (const hook of ["reference-transaction", "post-checkout", "post-merge", "pre-auto-gc", "fsmonitor-watchman"]) {
    await writeFile(join(gitDirectory, "hooks", hook), `#!/bin/sh\n${touch}\n`);
    await chmod(join(gitDirectory, "hooks", hook), 0o755);
  }
}

describe("git on hostile repositories", () => {
  it("SEC-3: neither files of the repository nor a planted configuration of the mirror start anything", async () => {
    await using fixture = await startFixture();
    const { origin, folder } = fixture;
    const canary = join(folder, "canary");
    const touch = `touch ${canary}`;
    const start = origin.commit({
      branch: "main",
      files: [...baits(touch), { path: "a.txt", content: "1\n2\n3\n4\n5\n6\n" }],
    });
    const base = origin.commit({
      branch: "main",
      parents: [start],
      files: [{ path: "a.txt", content: "one\n2\n3\n4\n5\n6\n" }],
    });
    const oldHead = origin.commit({
      branch: "topic",
      parents: [start],
      files: [{ path: "a.txt", content: "1\n2\n3\n4\n5\nsix\n" }],
    });
    const merged = { path: "a.txt", content: "one\n2\n3\n4\n5\nsix\n" };
    const newHead = origin.commit({ branch: "topic", parents: [oldHead, base], files: [merged] });
    const mirror = fixture.mirror();
    const { gitDirectory } = mirror.places;
    expectOk(await fetchCommits(mirror, { shas: [start, oldHead] }));
    const own = await readFile(join(gitDirectory, "config"), "utf8");

    await plantConfiguration(gitDirectory, touch);
    expectOk(await fetchCommits(mirror, { shas: [base, newHead] }));
    await plantConfiguration(gitDirectory, touch);
    const diff = expectOk(await diffRaw(mirror, { base, head: newHead }));
    await plantConfiguration(gitDirectory, touch);
    const { blobs } = expectOk(
      await readBlobs(mirror, [
        { commit: newHead, path: "a.txt" },
        { commit: newHead, path: "link" },
      ]),
    );
    await plantConfiguration(gitDirectory, touch);
    expect(expectOk(await listCommits(mirror, { base, head: newHead })).commits).toHaveLength(2);
    await plantConfiguration(gitDirectory, touch);
    expect(await isUpdateMergeOnly(mirror, { oldHead, newHead, base })).toMatchObject({ isUpdateMergeOnly: true });

    expect(existsSync(canary)).toBe(false);
    expect(await readFile(join(gitDirectory, "config"), "utf8")).toBe(own);
    expect(existsSync(join(gitDirectory, "hooks"))).toBe(false);
    // `*.txt -diff` in the repository would have hidden the change.
    expect(diff.patch.toString()).toContain("\n-6\n+six\n");
    expect(blobs).toMatchObject([{ content: Buffer.from(merged.content) }, { skipped: "not a file" }]);

    // The same bait is alive: plain git swallows it.
    const copy = join(folder, "copy.git");
    cpSync(gitDirectory, copy, { recursive: true });
    await plantConfiguration(copy, touch);
    execFileSync("git", ["diff", start, base], { cwd: copy, stdio: "ignore" });
    expect(existsSync(canary)).toBe(true);
  });

  it("SEC-3: a configuration planted behind our back is overruled as well", async () => {
    await using fixture = await startFixture();
    const { origin, folder } = fixture;
    const canary = join(folder, "canary");
    const base = origin.commit({ branch: "main", files: baits(`touch ${canary}`) });
    const mirror = fixture.mirror();
    const { gitDirectory } = mirror.places;
    expectOk(await fetchCommits(mirror, { shas: [base] }));
    const hooks = `[core]\n\thooksPath = ${gitDirectory}/hooks\n\tfsmonitor = touch ${canary}\n`;
    await appendFile(join(gitDirectory, "config"), hooks);
    await mkdir(join(gitDirectory, "hooks"));
    await writeFile(join(gitDirectory, "hooks", "reference-transaction"), `#!/bin/sh\ntouch ${canary}\n`);
    await chmod(join(gitDirectory, "hooks", "reference-transaction"), 0o755);
    const update = ["update-ref", "refs/forge/test", base];
    expect(await runGit({ gitDirectory, args: update })).toMatchObject({ ok: true });
    expect(existsSync(canary)).toBe(false);
    execFileSync("git", ["update-ref", "refs/forge/plain", base], { cwd: gitDirectory });
    expect(existsSync(canary)).toBe(true);
  });

  it.each(["file:///etc", "ext::sh -c true", "ssh://localhost/x", "/etc"])(
    "SEC-3: git itself refuses the transport of %s",
    async (url) => {
      await using fixture = await startFixture();
      const result = await runGit({
        gitDirectory: fixture.origin.directory,
        args: ["ls-remote", url],
        remote: { url: fixture.server.urlOf("origin"), allowHttp: true },
      });
      expect(result.errorText).toMatch(/transport '.*' not allowed/);
    },
  );

  it("SEC-3: without a remote git reaches nothing, and http only where it is allowed", async () => {
    await using fixture = await startFixture();
    const url = fixture.server.urlOf("origin");
    const gitDirectory = fixture.origin.directory;
    const offline = await runGit({ gitDirectory, args: ["ls-remote", url] });
    expect(offline.errorText).toContain("transport 'http' not allowed");
    const strict = { url: "https://example.com/x.git", allowHttp: false };
    expect((await runGit({ gitDirectory, args: ["ls-remote", url], remote: strict })).ok).toBe(false);
    expect(fixture.server.requests).toEqual([]);
  });

  it("SEC-3: a branch named like an option is fetched as a branch", async () => {
    await using fixture = await startFixture();
    const { origin } = fixture;
    const head = origin.commit({ branch: "main", files: [{ path: "a", content: "a\n" }] });
    origin.git("update-ref", "refs/heads/--upload-pack=touch", head);
    const mirror = fixture.mirror();
    const wanted = { shas: [head, "1".repeat(40)], refs: ["refs/heads/--upload-pack=touch"] };
    expect(await fetchCommits(mirror, wanted)).toMatchObject({ ok: false, reason: "missing commit" });
    expect(await fetchCommits(mirror, { shas: [head] })).toEqual({ ok: true, bytes: 0 });
    await expect(fetchCommits(mirror, { shas: ["--upload-pack=touch x"] })).rejects.toMatchObject({
      code: "invalid_revision",
    });
  });

  it("keeps mirrors inside their folder", () => {
    const spec = { root: "/srv/mirrors", remoteUrl: "https://example.com/x.git", allowHttp: false };
    for (const repositoryId of ["", "..", "a/b", "a\n", "a".repeat(65)]) {
      expect(() => openMirror({ ...spec, repositoryId })).toThrow("The id of a repository");
    }
  });
});

describe("the token", () => {
  it("SEC-2: is in no argument of any process and in no file, while it opens the repository", async () => {
    const token = ["ghs", "x".repeat(12), Date.now()].join("_");
    const forms = [token, Buffer.from(`x-access-token:${token}`).toString("base64")];
    const commandLines: string[] = [];
    await using fixture = await startFixture({
      token,
      instead: () => {
        commandLines.push(...commandLinesOfAllProcesses());
        return false;
      },
    });
    const { origin, folder } = fixture;
    const base = origin.commit({ branch: "main", files: [{ path: "a", content: "a\n" }] });
    const head = origin.commit({ branch: "topic", parents: [base], files: [{ path: "b", content: "b\n" }] });
    const mirror = fixture.mirror();
    expectOk(await fetchCommits(mirror, { shas: [base, head] }));
    expectOk(await diffRaw(mirror, { base, head }));
    expect(commandLines.some((line) => line.includes("remote-http"))).toBe(true);
    expect(commandLines.filter((line) => forms.some((form) => line.includes(form)))).toEqual([]);
    const files = readdirSync(join(folder, "mirrors"), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(5);
    const withToken = files.filter((entry) => {
      const content = readFileSync(join(entry.parentPath, entry.name), "latin1");
      return forms.some((form) => content.includes(form));
    });
    expect(withToken).toEqual([]);
  });

  it("SEC-6: is cut out of what a failing git command says", async () => {
    await using fixture = await startFixture();
    const token = ["ghs", "abcdef"].join("_");
    const remote = { url: fixture.server.urlOf("origin"), allowHttp: true, token: async () => token };
    const failed = await runGit({ gitDirectory: fixture.origin.directory, args: ["cat-file", "-t", token], remote });
    expect(failed.errorText).toContain("[redacted]");
    expect(failed.errorText).not.toContain(token);
  });

  it("SEC-6: is cut out of what git says, in both forms", () => {
    const token = ["ghs", "abcdef"].join("_");
    const encoded = Buffer.from(`x-access-token:${token}`).toString("base64");
    const said = `fatal: ${token} and ${encoded} in /srv/mirrors/7/mirror.git/config`;
    expect(redactGitText(said, "/srv/mirrors/7/mirror.git", token)).toBe(
      "fatal: [redacted] and [redacted] in mirror.git/config",
    );
  });
});

function commandLinesOfAllProcesses(): string[] {
  return listProcesses().map(({ words }) => words);
}
