import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { makeAwsKey } from "../../demo/aws-key.ts";
import type { World } from "../e2e/world.ts";

export const REPOSITORY = "acme/vouchers";

/** A tree of the seeded shop. The key is made at run time: nothing of its form stands in this repository. */
function tree(name: string): Record<string, string> {
  const root = join("fixtures", "seeded-shop", name);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [relative(root, path), readFileSync(path, "utf8").replaceAll("{{aws-key}}", makeAwsKey())];
    }),
  );
}

/**
 * The seeded shop as a pull request with a history: reviewed, answered by people, partly fixed and reviewed again.
 * @returns its number
 */
export async function talkAboutShop(world: World): Promise<number> {
  const { github } = world;
  await github.createRepository("acme", "vouchers", {
    files: tree("base"),
    collaborators: { ana: "admin", ben: "write" },
  });
  github.protectBranch(REPOSITORY, "main", { requiredChecks: ["forge/review"] });
  await github.commit(REPOSITORY, "vouchers", {
    files: tree("head"),
    message: "Add vouchers and orders",
    author: "ana",
  });
  const { number } = await github.openPullRequest(REPOSITORY, {
    title: "Add vouchers, orders and receipts",
    body: "Customers can pay with a voucher.\n\n- [x] tests\n- [ ] documentation\n\n| part | state |\n|---|---|\n| basket | done |",
    head: "vouchers",
    by: "ana",
  });
  await world.settled();
  const [first, second] = github.pullRequest(REPOSITORY, number).reviewComments;
  github.replyToReviewComment(REPOSITORY, number, first!.id, { by: "ben", body: "Right, that has to go." });
  github.react(REPOSITORY, { reviewComment: first!.id }, "eyes", "ana");
  github.resolveThread(second!.id, "ana");
  github.comment(REPOSITORY, number, {
    by: "ben",
    body: "Who has tried it with `0` items?\nI did not <!-- nor read it -->",
  });
  for (const body of ["/forge config", "/forge help", "/forge dismiss F-0000 no such thing", "/forge status"]) {
    github.comment(REPOSITORY, number, { by: "ana", body });
  }
  await world.settled();
  await github.commit(REPOSITORY, "vouchers", {
    files: tree("fixed-partly"),
    message: "Fix most of it",
    author: "ana",
  });
  await world.settled();
  return number;
}
