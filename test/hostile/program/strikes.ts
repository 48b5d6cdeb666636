import type { Files, Ground, Payload } from "./payload.ts";

export interface PullOptions {
  readonly title?: string;
  readonly body?: string;
  readonly message?: string;
  /** Who opens it; somebody who may push when left out. */
  readonly by?: string;
}

/** A pull request with these files. */
export function openPull(files: Files | ((ground: Ground) => Files), options: PullOptions = {}): Payload["strike"] {
  const { title = "Change", body, message = "Change", by = "ana" } = options;
  return async (ground) => {
    const { repository, world } = ground;
    const given = typeof files === "function" ? files(ground) : files;
    await world.github.commit(repository, "topic", { files: given, message, author: by });
    const more = body === undefined ? {} : { body };
    return (await world.github.openPullRequest(repository, { title, head: "topic", by, ...more })).number;
  };
}
/** The same, and then somebody who may says these things there, one after the other. */
export function openPullAndSay(strike: Payload["strike"], ...said: readonly string[]): Payload["strike"] {
  return async (ground) => {
    const number = await strike(ground);
    for (const body of said) {
      await ground.world.settled();
      ground.world.github.comment(ground.repository, number, { by: "ana", body });
    }
    return number;
  };
}
