import type { Ground } from "../program/payload.ts";
import type { Pack } from "./pack.ts";

const NOTHING = "0".repeat(40);
/** Whoever pushes; may push to the repository. */
const PUSHER = "ana";

export interface Push {
  /** In full, such as refs/heads/topic. */
  readonly ref: string;
  readonly to: string;
  /** What the ref points to so far. */
  readonly from?: string;
}

/**
 * Pushes over git's own protocol to the simulator, without git's own program on this side, which would not send most of it.
 * @throws when the server does not take it: then it would never come to Forge
 */
export async function pushPack({ world, repository }: Ground, pack: Pack, pushes: readonly Push[]): Promise<void> {
  const { github } = world;
  const lines = pushes.map(({ ref, to, from = NOTHING }, at) =>
    line(`${from} ${to} ${ref}${at === 0 ? "\0report-status" : ""}`),
  );
  const password = Buffer.from(`${PUSHER}:${github.createUserToken(PUSHER)}`).toString("base64");
  const answer = await fetch(`${github.cloneUrl(repository)}/git-receive-pack`, {
    method: "POST",
    headers: { authorization: `Basic ${password}`, "content-type": "application/x-git-receive-pack-request" },
    body: new Uint8Array(Buffer.concat([...lines, Buffer.from("0000"), pack.bytes()])),
  });
  const told = await answer.text();
  if (!told.includes("unpack ok") || / ?ng refs\//.test(told))
    throw new Error(`The server did not take the push: ${answer.status} ${told.slice(0, 400)}`);
}

function line(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}
