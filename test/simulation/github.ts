import { BASE } from "./cast.ts";

/** GitHub's lists show what was written a moment later; milliseconds. */
const LAG_MS = 4_000;

export interface Comment {
  readonly id: number;
  readonly marker: string;
  readonly at: number;
  readonly thread?: number | undefined;
  text: string;
}

export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly marker: string;
  open: boolean;
  merged: boolean;
  draft: boolean;
}

/** What GitHub has of one issue and the work on it, as far as Forge and people read and write it. */
export class GitHub {
  readonly issue = { open: true, labelled: true };
  readonly comments = new Map<number, Comment>();
  readonly branches = new Map<string, string>();
  readonly pulls = new Map<number, Pull>();
  readonly checks = new Map<string, string>();
  readonly reactions = new Set<string>();
  /** Commits with their parents, and who made them. */
  readonly commits = new Map<string, { readonly parents: readonly string[]; readonly by: string }>([
    [BASE, { parents: [], by: "ana" }],
  ]);
  #ids = 100;

  id(): number {
    this.#ids += 1;
    return this.#ids;
  }

  commit(by: string, parents: readonly string[]): string {
    const sha = this.id().toString(16).padStart(40, "c");
    this.commits.set(sha, { parents, by });
    return sha;
  }

  contains(head: string, sha: string): boolean {
    const seen = new Set<string>();
    const left = [head];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (at === sha) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      left.push(...(this.commits.get(at)?.parents ?? []));
    }
    return false;
  }

  /** As a list shows them at a moment. */
  listed(now: number): Comment[] {
    return [...this.comments.values()].filter(({ at }) => at + LAG_MS <= now);
  }

  write(comment: Omit<Comment, "id">): number {
    const id = this.id();
    this.comments.set(id, { ...comment, id });
    return id;
  }

  /** With the lease that git knows: only where the branch is what it is believed to be. */
  push(
    branch: string,
    sha: string,
    expected: string | null,
  ): { is: "pushed" | "already" } | { is: "moved"; to: string | null } {
    const there = this.branches.get(branch) ?? null;
    if (there === sha) return { is: "already" };
    if (there !== expected) return { is: "moved", to: there };
    this.branches.set(branch, sha);
    return { is: "pushed" };
  }

  openPullOf(branch: string): Pull | undefined {
    return [...this.pulls.values()].find((pull) => pull.open && pull.branch === branch);
  }

  openPull(branch: string, marker: string): Pull {
    const pull = { number: this.id(), branch, marker, open: true, merged: false, draft: true };
    this.pulls.set(pull.number, pull);
    return pull;
  }
}
