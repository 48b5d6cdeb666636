import type { FileContent } from "../../simulator/git/commits.ts";
import { until } from "../until.ts";
import type { World } from "./world.ts";

export const CLEAN = `export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
`;

/** Two faults: an assignment to a constant (line 3, blocking) and a comparison with itself (line 4, blocking). */
export const FAULTY = `export function same(a: number, b: number): boolean {
  const limit = 3;
  limit = 4;
  return a === a && b < limit;
}
`;

export type Files = Readonly<Record<string, FileContent>>;

export interface Opening {
  readonly repository?: string;
  /** One of its own for each pull request of a repository. */
  readonly branch: string;
  readonly base?: string;
  /** Branch or SHA that the branch begins at; the base when left out. */
  readonly from?: string;
  readonly title?: string;
  readonly body?: string;
  readonly draft?: boolean;
  readonly by?: string;
  /** Whose fork of the same name the branch is in. */
  readonly fork?: string;
}

/** Pushes one commit to a new branch and opens a pull request for it. */
export async function openPull({ github }: World, files: Files, opening: Opening) {
  const {
    repository = "acme/shop",
    branch,
    base,
    from = base,
    title = "Change",
    body,
    draft = false,
    by = "ana",
    fork,
  } = opening;
  const home = fork === undefined ? repository : `${fork}/${repository.split("/")[1]}`;
  await github.commit(home, branch, { files, message: "Change", author: by, ...(from ? { from } : {}) });
  const head = fork === undefined ? branch : `${fork}:${branch}`;
  return github.openPullRequest(repository, {
    title,
    head,
    by,
    draft,
    ...(body ? { body } : {}),
    ...(base ? { base } : {}),
  });
}

/** Conclusion and title of the review's checks on the newest head; from medium risk on there is one of its tests too. */
export function checks({ github }: World, number: number, repository = "acme/shop") {
  const reviews = github.pullRequest(repository, number).checkRuns.filter(({ name }) => name === "forge/review");
  return reviews.map(({ conclusion, title }) => [conclusion, title]);
}

/** Makes the next fetch hang, and resolves when Forge's review stands there. */
export async function holdReview({ github }: World): Promise<void> {
  const fault = github.faults.add({ kind: "hang", match: { operation: "git:fetch" }, times: 1 });
  await until(() => fault.hits === 1);
}

/** Waits until a run of this pull request was cancelled, and until all that follows has come to rest. */
export async function letGo(world: World, number: number): Promise<void> {
  const isCancelled = ({ conclusion }: { conclusion: string | null }) => conclusion === "cancelled";
  await until(() => world.github.pullRequest("acme/shop", number).allCheckRuns.some(isCancelled));
  await world.settled();
}
