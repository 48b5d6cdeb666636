import type { Payload, Seen } from "./payload.ts";

type Judge = NonNullable<Payload["faults"]>;

/** All of them, in order. */
export function all(...judges: readonly Judge[]): Judge {
  return async (seen) => (await Promise.all(judges.map((judge) => judge(seen)))).flat();
}

export function checkOf({ ground, number }: Seen) {
  return ground.world.github
    .pullRequest(ground.repository, number)
    .checkRuns.find(({ name }) => name === "forge/review");
}

/** The review ended, and not with success. */
export const neverGreen: Judge = (seen) => {
  const { conclusion, title } = checkOf(seen) ?? {};
  const wrong = conclusion === undefined || conclusion === null || conclusion === "success";
  return wrong ? [`the check ended in ${conclusion}: ${title}`] : [];
};

/** The review ended, however. */
export const reviewed: Judge = (seen) => {
  const { conclusion } = checkOf(seen) ?? {};
  return conclusion === undefined || conclusion === null ? ["the review never ended"] : [];
};

/** Something was said about a line of this file. */
export function reported(path: string): Judge {
  return ({ ground, number }) => {
    const { reviewComments, checkRuns } = ground.world.github.pullRequest(ground.repository, number);
    const places = [...reviewComments, ...checkRuns.flatMap(({ annotations }) => annotations)].map((each) => each.path);
    return places.includes(path) ? [] : [`nothing was said about ${path}`];
  };
}

/** Forge took every command, and answered or reacted. */
export const answered: Judge = ({ ground, number }) => {
  const { comments } = ground.world.github.issue(ground.repository, number);
  const commands = comments.filter(({ by, body }) => by !== "forge[bot]" && body.startsWith("/forge"));
  const isOpen = ({ reactions }: (typeof comments)[number]) =>
    !reactions.some(({ by, content }) => by === "forge[bot]" && content !== "eyes");
  return commands.filter(isOpen).map(({ body }) => `never answered: ${body.slice(0, 80)}`);
};

/** What stands in the change was shown to the model, or the review does not end in success. */
export function shownOrNotGreen(...words: readonly string[]): Judge {
  return (seen) => {
    const { conclusion } = checkOf(seen) ?? {};
    if (conclusion === undefined || conclusion === null) return ["the review never ended"];
    const asked = seen.ground.world.asked.slice(seen.since.asked);
    const told = JSON.stringify(asked.map(({ messages }) => messages));
    const missing = words.filter((word) => !told.includes(word));
    return conclusion === "success" && missing.length > 0
      ? [`the check is green, and the model was never shown ${missing.join(", ")}`]
      : [];
  };
}
