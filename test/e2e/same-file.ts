import type { World } from "./world.ts";

/** A file with this many assignments to a constant, each of which blocks. */
export function faulty(count: number): Record<string, string> {
  const faults = Array.from(
    { length: count },
    (_, n) => `export function f${n}(): number {\n  const limit = 3;\n  limit = ${n};\n  return limit;\n}\n`,
  );
  return { "src/same.ts": faults.join("\n") };
}

/** To the branch `topic`; resolves when Forge has said what it has to say. */
export async function push(world: World, files: Record<string, string>): Promise<void> {
  await world.github.commit("acme/shop", "topic", { files, message: "Change", author: "ana" });
  await world.settled();
}

/** How many comments each review of the first pull request has, and what its check says. */
export function seen(world: World) {
  const { reviews, checkRuns } = world.github.pullRequest("acme/shop", 1);
  return { comments: reviews.map(({ comments }) => comments.length), summary: checkRuns[0]?.summary ?? "" };
}
