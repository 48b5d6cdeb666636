import { chmodSync, mkdtempSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findMergeBase } from "../../src/workspace/diff.ts";
import { bringBlobs } from "../../src/workspace/fetch-blobs.ts";
import { fetchCommits } from "../../src/workspace/fetch-commits.ts";
import { withMirror } from "../../src/workspace/mirror.ts";
import { readBlobs } from "../../src/workspace/read-blobs.ts";
import { expectOk, type Fixture, startFixture } from "./fixture.ts";

/** A mirror that was asked for all of this already. */
async function asked(fixture: Fixture) {
  const { origin } = fixture;
  const start = origin.commit({ branch: "main", files: [{ path: "a", content: "one\n" }] });
  const main = origin.commit({ branch: "main", parents: [start], files: [{ path: "b", content: "two\n" }] });
  const topic = origin.commit({ branch: "topic", parents: [start], files: [{ path: "c", content: "three\n" }] });
  const blob = origin.git("rev-parse", `${start}:a`);
  const mirror = fixture.mirror();
  expectOk(await fetchCommits(mirror, { shas: [main, topic] }));
  const hold = <T extends { ok: boolean }>(work: () => Promise<T>) => withMirror(mirror, undefined, work);
  const base = () => hold(() => findMergeBase(mirror, main, topic));
  const bring = () => hold(() => bringBlobs(mirror, [blob]));
  const read = () => readBlobs(mirror, [{ sha: blob }]);
  for (const ask of [read, base, bring]) expectOk(await ask());
  const packs = join(mirror.places.gitDirectory, "objects", "pack");
  return { start, main, topic, mirror, base, bring, read, packs };
}

/** As if git could be started no more. */
async function withoutGit(work: () => Promise<void>): Promise<void> {
  const { PATH } = process.env;
  process.env.PATH = mkdtempSync(join(tmpdir(), "forge-git-"));
  writeFileSync(join(process.env.PATH, "git"), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
  try {
    await work();
  } finally {
    process.env.PATH = PATH;
  }
}

it("git is asked once for objects and merge bases, until the packs are others", async () => {
  await using fixture = await startFixture();
  const { start, base, bring, packs } = await asked(fixture);
  await withoutGit(async () => {
    expect(await base()).toEqual({ ok: true, sha: start });
    expect(await bring()).toMatchObject({ ok: true });
    writeFileSync(join(packs, "another"), "");
    expect(await base()).toMatchObject({ ok: false });
    expect(await bring()).toMatchObject({ ok: false });
  });
});

it("what is damaged though the packs are the same files is believed until somebody reads it, and then asked for anew", async () => {
  await using fixture = await startFixture();
  const { main, topic, mirror, read, packs } = await asked(fixture);
  for (const name of readdirSync(packs).filter((name) => name.endsWith(".pack"))) {
    chmodSync(join(packs, name), 0o644);
    truncateSync(join(packs, name), 40);
  }
  expect(await read()).toMatchObject({ ok: false, reason: "unreadable" });
  expectOk(await fetchCommits(mirror, { shas: [main, topic] }));
  expect(expectOk(await read()).blobs).toMatchObject([{ content: Buffer.from("one\n") }]);
});
