import { fixture, SHOP } from "./github.ts";
import type { Telling } from "./telling.ts";

export interface Proposal {
  readonly title: string;
  readonly branch: string;
  /** Folder of the seeded shop. */
  readonly tree: string;
  readonly replace?: Readonly<Record<string, string>>;
}

/** One commit of ana on a new branch, pushed, and a pull request of it. */
export async function propose(telling: Telling, { title, branch, tree, replace = {} }: Proposal) {
  const { stage, screen, opened } = telling;
  const { ana, github } = stage;
  await ana.branch(branch);
  await ana.take(fixture(tree), replace);
  const head = await ana.commit(title);
  await ana.push();
  const { number } = await github.openPullRequest(SHOP, { title, head: branch, by: ana.login });
  opened.push(number);
  screen.say(`#${number} ${title}: ${await ana.size()}`, "");
  return { number, head };
}
