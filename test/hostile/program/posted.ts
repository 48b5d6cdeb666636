import type { Seen } from "./payload.ts";

/** Everything that Forge says on a pull request or issue, as one text. */
export function postedOn({ ground, number }: Pick<Seen, "ground" | "number">): string {
  const { github } = ground.world;
  const ours = <T extends { readonly by: string; readonly body: string }>(all: readonly T[]) =>
    all.filter(({ by }) => by === "forge[bot]").map(({ body }) => body);
  const talk = ours(github.issue(ground.repository, number).comments);
  const pull = pullOf({ ground, number });
  if (pull === undefined) return talk.join("\n");
  const checks = pull.allCheckRuns.flatMap(({ title, summary, text, annotations }) => [
    ...[title, summary, text].map((each) => each ?? ""),
    ...annotations.map(({ path, message, title: head, raw_details }) => `${path} ${head} ${message} ${raw_details}`),
  ]);
  return [...talk, ...ours(pull.reviews), ...ours(pull.reviewComments), ...checks].join("\n");
}

/** Undefined where the number is that of an issue. */
export function pullOf({ ground, number }: Pick<Seen, "ground" | "number">) {
  try {
    return ground.world.github.pullRequest(ground.repository, number);
  } catch {
    return undefined;
  }
}
