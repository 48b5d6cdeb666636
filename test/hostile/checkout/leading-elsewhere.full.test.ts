import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../../src/pipeline/change/read-folder.ts";
import {
  hasLooseChanges,
  openCheckout,
  readCheckoutBase,
  readCheckoutTree,
} from "../../../src/workspace/local/checkout.ts";
import { pushToCheckout } from "../../../src/workspace/local/local-branch.ts";
import { createHostileCheckout, type HostileCheckout, tryGit } from "./hostile-checkout.ts";

const { signal } = new AbortController();

/** Names, sizes and times of everything below a folder. */
function lookOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => [name, statSync(join(folder, name))] as const)
    .map(([name, { size, mtimeMs }]) => `${name} ${size} ${mtimeMs}`)
    .sort();
}

async function pushTo(folder: string) {
  const checkout = await openCheckout(folder);
  const { sha } = await readCheckoutBase(checkout, "side");
  return pushToCheckout({ checkout, branch: "forge/1-x", sha, expected: null, signal });
}

const pipe = (path: string) => {
  rmSync(path, { force: true });
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
};

interface Leading {
  readonly name: string;
  /** `victim`: another repository of the same person. */
  readonly plant: (at: HostileCheckout, victim: HostileCheckout) => void;
}

/** A folder from a stranger that passes for the repository of somebody else, or takes objects from it. */
const REFUSED: readonly Leading[] = [
  {
    name: "a .git that is a link",
    plant: ({ gitDirectory }, victim) => {
      rmSync(gitDirectory, { recursive: true });
      symlinkSync(victim.gitDirectory, gitDirectory);
    },
  },
  {
    name: "a .git that names the repository of somebody else",
    plant: ({ gitDirectory }, victim) => {
      rmSync(gitDirectory, { recursive: true });
      writeFileSync(gitDirectory, `gitdir: ${victim.gitDirectory}\n`);
    },
  },
  {
    name: "a .git that names a worktree of somebody else",
    plant: ({ gitDirectory }, victim) => {
      victim.git("worktree", "add", "-q", join(victim.place, "other"), "side");
      rmSync(gitDirectory, { recursive: true });
      writeFileSync(gitDirectory, `gitdir: ${victim.gitDirectory}/worktrees/other\n`);
    },
  },
  {
    name: "a commondir",
    plant: ({ gitDirectory }, victim) => writeFileSync(join(gitDirectory, "commondir"), `${victim.gitDirectory}\n`),
  },
  {
    name: "a commondir that says it is a worktree",
    plant: ({ gitDirectory }, victim) => {
      writeFileSync(join(gitDirectory, "commondir"), `${victim.gitDirectory}\n`);
      writeFileSync(join(gitDirectory, "gitdir"), `${gitDirectory}\n`);
    },
  },
  {
    name: "alternates",
    plant: ({ gitDirectory }, victim) =>
      writeFileSync(join(gitDirectory, "objects", "info", "alternates"), `${victim.gitDirectory}/objects\n`),
  },
  {
    name: "alternates that are a link",
    plant: ({ gitDirectory, place }, victim) => {
      writeFileSync(join(place, "list"), `${victim.gitDirectory}/objects\n`);
      symlinkSync(join(place, "list"), join(gitDirectory, "objects", "info", "alternates"));
    },
  },
  {
    name: "objects that are a link",
    plant: ({ gitDirectory }, victim) => {
      rmSync(join(gitDirectory, "objects"), { recursive: true });
      symlinkSync(join(victim.gitDirectory, "objects"), join(gitDirectory, "objects"));
    },
  },
  {
    name: "packs that are a link",
    plant: ({ gitDirectory }, victim) => {
      rmSync(join(gitDirectory, "objects", "pack"), { recursive: true });
      symlinkSync(join(victim.gitDirectory, "objects", "pack"), join(gitDirectory, "objects", "pack"));
    },
  },
  {
    name: "a single object that is a link",
    plant: ({ gitDirectory }, victim) => {
      mkdirSync(join(gitDirectory, "objects", "00"), { recursive: true });
      symlinkSync(join(victim.folder, "package.json"), join(gitDirectory, "objects", "00", "1".repeat(38)));
    },
  },
  {
    name: "an object that is a pipe",
    plant: ({ gitDirectory }) => {
      mkdirSync(join(gitDirectory, "objects", "00"), { recursive: true });
      pipe(join(gitDirectory, "objects", "00", "1".repeat(38)));
    },
  },
  {
    name: "a configuration without end",
    plant: ({ configure }) => configure("# nothing\n".repeat(200_000)),
  },
];

/** Where a branch is written, something else is waiting. */
const IN_THE_WAY: readonly Leading[] = [
  ["refs/heads", "a link in place of all branches"],
  ["refs/heads/forge", "a link in place of Forge's branches"],
].map(([path = "", name = ""]) => ({
  name,
  plant: ({ gitDirectory, git }, victim) => {
    git("pack-refs", "--all");
    rmSync(join(gitDirectory, path), { recursive: true, force: true });
    symlinkSync(victim.folder, join(gitDirectory, path));
  },
}));

describe("SEC-3: a checkout that leads to somebody else's files", () => {
  it.each(REFUSED)("is refused: $name", async ({ plant }) => {
    using victim = createHostileCheckout();
    using checkout = createHostileCheckout();
    plant(checkout, victim);
    const before = lookOf(victim.place);
    await expect(pushTo(checkout.folder)).rejects.toMatchObject({ code: "checkout_unusable" });
    await expect(readFolder({ folder: checkout.folder, all: false, base: "side" })).rejects.toMatchObject({
      code: "checkout_unusable",
    });
    expect(lookOf(victim.place)).toEqual(before);
  });

  it.each(IN_THE_WAY)("gets no branch: $name", async ({ plant }) => {
    using victim = createHostileCheckout();
    using checkout = createHostileCheckout();
    plant(checkout, victim);
    const before = lookOf(victim.place);
    expect(await pushTo(checkout.folder)).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("is a link"),
    });
    expect(lookOf(victim.place)).toEqual(before);
  });

  it("gets a branch, not a file elsewhere: a link in place of the branch, of its log, of its lock", async () => {
    using victim = createHostileCheckout();
    using checkout = createHostileCheckout();
    const { gitDirectory, git } = checkout;
    mkdirSync(join(gitDirectory, "refs", "heads", "forge"));
    symlinkSync(join(victim.folder, "package.json"), join(gitDirectory, "refs", "heads", "forge", "1-x"));
    mkdirSync(join(gitDirectory, "logs", "refs", "heads", "forge"), { recursive: true });
    symlinkSync(join(victim.folder, "package.json"), join(gitDirectory, "logs", "refs", "heads", "forge", "1-x"));
    const before = lookOf(victim.place);
    expect(await pushTo(checkout.folder)).toEqual({ outcome: "pushed" });
    expect(git("rev-parse", "forge/1-x")).toBe(git("rev-parse", "side"));
    git("update-ref", "-d", "refs/heads/forge/1-x");
    mkdirSync(join(gitDirectory, "refs", "heads", "forge"), { recursive: true });
    symlinkSync(join(victim.place, "new"), join(gitDirectory, "refs", "heads", "forge", "1-x.lock"));
    expect(await pushTo(checkout.folder)).toMatchObject({ outcome: "refused" });
    expect(lookOf(victim.place)).toEqual(before);
  });

  it("does not move the branch that another one stands for", async () => {
    using checkout = createHostileCheckout();
    const { git } = checkout;
    git("symbolic-ref", "refs/heads/forge/1-x", "refs/heads/main");
    const main = git("rev-parse", "main");
    expect(await pushTo(checkout.folder)).toMatchObject({ outcome: "moved" });
    git("symbolic-ref", "refs/heads/forge/1-x", "refs/heads/not-there");
    expect(await pushTo(checkout.folder)).toMatchObject({ outcome: "refused" });
    expect(git("rev-parse", "main")).toBe(main);
    expect(tryGit(checkout, ["rev-parse", "--verify", "refs/heads/not-there"])).toContain("fatal");
  });

  it("is read where it lies, whatever core.worktree names", async () => {
    using victim = createHostileCheckout();
    using checkout = createHostileCheckout();
    victim.write("src/of-the-victim.js", "eval(process.argv[2]);\n");
    checkout.write("src/own.js", "export const own = 1;\n");
    checkout.configure(`[core]\n\tworktree = ${victim.folder}\n`);
    const { paths } = await readFolder({ folder: checkout.folder, all: false, base: "side" });
    expect(paths).toContain("src/own.js");
    expect(paths).not.toContain("src/of-the-victim.js");
    expect(checkout.git("status", "--porcelain", "-uall")).toContain("of-the-victim");
  });

  it("has the commits that its names say: replaced objects and grafts are not believed", async () => {
    using checkout = createHostileCheckout();
    const { git, gitDirectory } = checkout;
    const [main, tree] = git("rev-parse", "main", "main^{tree}").trim().split("\n") as [string, string];
    git("replace", main, git("rev-parse", "side").trim());
    mkdirSync(join(gitDirectory, "info"), { recursive: true });
    writeFileSync(join(gitDirectory, "info", "grafts"), `${main}\n`);
    expect(git("rev-parse", "main^{tree}").trim()).not.toBe(tree);
    const repository = await openCheckout(checkout.folder);
    expect(await readCheckoutTree(repository, main)).toBe(tree);
    expect(await readCheckoutBase(repository, "main~1")).toMatchObject({ ref: "main~1" });
  });

  it.each(["HEAD", "config", "packed-refs", "index", "info/exclude", "commondir", "ORIG_HEAD", "refs/heads/pipe"])(
    "nobody waits at a pipe in place of %s",
    async (name) => {
      using checkout = createHostileCheckout();
      mkdirSync(join(checkout.gitDirectory, "info"), { recursive: true });
      pipe(join(checkout.gitDirectory, name));
      const repository = await openCheckout(checkout.folder);
      await hasLooseChanges(repository);
      expect(await pushTo(checkout.folder)).toEqual({ outcome: "pushed" });
    },
  );
});

describe("a checkout of one's own", () => {
  it("is one with a worktree, a submodule, a moved git directory, and a branch's upstream", async () => {
    using checkout = createHostileCheckout();
    const { git, place, folder, gitDirectory } = checkout;
    git("worktree", "add", "-q", join(place, "worktree"), "side");
    expect((await openCheckout(join(place, "worktree"))).commonDirectory).toBe(gitDirectory);
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", folder, "sub");
    expect((await openCheckout(join(folder, "sub"))).gitDirectory).toBe(join(gitDirectory, "modules", "sub"));
    git("branch", "-q", "--set-upstream-to", "side");
    expect((await readCheckoutBase(await openCheckout(folder), "@{upstream}")).sha).toBe(
      git("rev-parse", "side").trim(),
    );
    renameSync(gitDirectory, join(place, "moved.git"));
    writeFileSync(gitDirectory, `gitdir: ${join(place, "moved.git")}\n`);
    await expect(openCheckout(folder)).rejects.toThrow(
      `git --git-dir=${place}/moved.git config core.worktree ${folder}`,
    );
    git("--git-dir", join(place, "moved.git"), "config", "core.worktree", folder);
    expect((await openCheckout(folder)).commonDirectory).toBe(join(place, "moved.git"));
  });

  it("is clean when it is, and not when it is not: with other ends of lines, and after its files were only touched", async () => {
    using checkout = createHostileCheckout();
    const { git, write, folder } = checkout;
    git("stash", "-q");
    git("config", "core.autocrlf", "true");
    write("crlf.txt", "one\r\ntwo\r\n");
    git("add", ".");
    git("commit", "-qm", "Lines");
    const repository = await openCheckout(folder);
    write("crlf.txt", "one\r\ntwo\r\n");
    expect(await hasLooseChanges(repository)).toBe(false);
    write("crlf.txt", "one\r\ntwo!\r\n");
    expect(await hasLooseChanges(repository)).toBe(true);
    git("checkout", "-q", ".");
    write("new.txt", "");
    expect(await hasLooseChanges(repository)).toBe(true);
    writeFileSync(join(checkout.gitDirectory, "info", "exclude"), "new.txt\n");
    expect(await hasLooseChanges(repository)).toBe(false);
  });

  it("keeps in a branch's log where Forge put it", async () => {
    using checkout = createHostileCheckout();
    expect(await pushTo(checkout.folder)).toEqual({ outcome: "pushed" });
    expect(checkout.git("reflog", "show", "forge/1-x")).toMatch(/^[0-9a-f]{7} forge\/1-x@\{0\}: forge run\n$/);
    expect(readFileSync(join(checkout.gitDirectory, "refs", "heads", "forge", "1-x"), "utf8")).toMatch(
      /^[0-9a-f]{40}\n$/,
    );
    expect(checkout.git("fsck", "--strict")).toBe("");
  });
});
