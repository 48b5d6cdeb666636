import { neverGreen } from "../program/judge.ts";
import type { Payload } from "../program/payload.ts";
import { repositoryGit } from "../program/repository-git.ts";
import { createPack, type Entry, type Pack } from "./pack.ts";
import { pushPack } from "./push-pack.ts";

/** What nobody may let pass: runs whatever it is started with. */
export const BACKDOOR = "eval(process.argv[2]);\n";
/** What stands beside it: a review that looks at this alone ends green. */
export const CLEAN = "export const total = (prices) => prices.length;\n";

/** What is pushed on top of. */
export interface Below {
  readonly pack: Pack;
  /** The commit of the default branch. */
  readonly main: string;
  /** What its folder holds. */
  readonly root: readonly Entry[];
  /** The root with these beside: a text becomes a file. */
  readonly with: (files: Readonly<Record<string, string | Buffer | Omit<Entry, "name">>>) => Entry[];
}

export interface Made {
  /** The commit that the branch is pushed with. */
  readonly head: string;
  /** Pushed beside it, by their full names. */
  readonly refs?: Readonly<Record<string, string>>;
}

export type PushOptions = Pick<Payload, "base" | "faults" | "needsSandbox"> & {
  /** Name of its branch; topic. */
  readonly branch?: string;
  /** Said on the pull request, one after the other. */
  readonly say?: readonly string[];
};

/** A pull request whose commits were written by hand and pushed over git's protocol. It must not end green, unless said otherwise. */
export function pushed(
  name: string,
  does: string,
  make: (below: Below) => Made,
  { branch = "topic", say = [], faults = neverGreen, ...rest }: PushOptions = {},
): Payload {
  return {
    ...{ name, does, faults, ...rest },
    strike: async (ground) => {
      const { world, repository } = ground;
      const pack = createPack();
      const { head, refs = {} } = make(belowOf(pack, (...args) => repositoryGit(ground, ...args)));
      const all = { [`refs/heads/${branch}`]: head, ...refs };
      await pushPack(
        ground,
        pack,
        Object.entries(all).map(([ref, to]) => ({ ref, to })),
      );
      const pull = { title: "Change", head: branch, by: "ana" };
      const { number } = await world.github.openPullRequest(repository, pull);
      for (const body of say) {
        await world.settled();
        world.github.comment(repository, number, { by: "ana", body });
      }
      return number;
    },
  };
}

/** One commit with this folder. */
export function withTree(make: (below: Below) => readonly Entry[], order?: "sorted" | "as given"): (at: Below) => Made {
  return (below) => ({
    head: below.pack.commit({ tree: below.pack.tree(make(below), order), parents: [below.main] }),
  });
}

function belowOf(pack: Pack, git: (...args: string[]) => string): Below {
  const root = git("ls-tree", "-z", "main")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", id = "", name = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return { mode, name, id };
    });
  return {
    ...{ pack, root, main: git("rev-parse", "main") },
    with: (files) => [
      ...root.filter(({ name }) => !(name in files)),
      ...Object.entries(files).map(([name, given]) =>
        typeof given === "string" || Buffer.isBuffer(given)
          ? { mode: "100644", name, id: pack.blob(given) }
          : { ...given, name },
      ),
    ],
  };
}
