import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fetchCommits } from "../../../src/workspace/fetch-commits.ts";
import type { Mirror } from "../../../src/workspace/mirror.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import type { TreeSnapshot } from "../../../src/workspace/working-tree/snapshot.ts";
import { openWorkingTree, type WorkingTree } from "../../../src/workspace/working-tree/working-tree.ts";
import { expectOk, startFixture } from "../fixture.ts";
import type { TestFile, TestRepository } from "../test-repository.ts";

export const BY = { author: { name: "Forge", email: "forge@example.com" }, at: "2026-01-02T03:04:05.678Z" };
export const { signal } = new AbortController();

/** Tells a tree that has looked at its folder already that somebody had it since: what a test writes there stands for a program's work. */
export async function wasChanged(tree: WorkingTree): Promise<void> {
  await tree.files.change([], signal);
}

export interface TreeFixture extends AsyncDisposable {
  readonly origin: TestRepository;
  readonly base: string;
  readonly baseTree: string;
  readonly mirror: () => Mirror;
  readonly scratchRoot: string;
  /** A working tree with a mirror that nobody has used yet. */
  readonly open: (given?: {
    snapshot?: TreeSnapshot;
    sandbox?: Sandbox;
    mirror?: Mirror;
    base?: string;
  }) => Promise<WorkingTree>;
}

/** An origin with one commit of these files, and working trees of it. */
export async function treeOfFiles(files: readonly TestFile[]): Promise<TreeFixture> {
  const fixture = await startFixture();
  const { origin } = fixture;
  const base = origin.commit({ branch: "main", files });
  const scratchRoot = join(fixture.folder, "scratch");
  mkdirSync(scratchRoot);
  const opened: WorkingTree[] = [];
  return {
    ...{ origin, base, scratchRoot, mirror: fixture.mirror },
    baseTree: origin.git("rev-parse", `${base}^{tree}`),
    open: async (given = {}) => {
      const tree = await openWorkingTree({ mirror: fixture.mirror(), base, scratchRoot, signal, ...given });
      opened.push(tree);
      return tree;
    },
    async [Symbol.asyncDispose]() {
      for (const tree of opened) await tree[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** What plain git says of a pack's commit, once the origin has it. */
export function learn(origin: TestRepository, snapshot: TreeSnapshot): void {
  if (snapshot.pack.length > 0) origin.unpack(snapshot.pack);
}

export async function fetched(mirror: Mirror, sha: string): Promise<Mirror> {
  expectOk(await fetchCommits(mirror, { shas: [sha] }));
  return mirror;
}
