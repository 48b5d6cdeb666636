import { ROLES } from "../../src/domain/subjects.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

/** What a command leaves on its comment. */
export const DONE = ["eyes", "rocket"];
export const REFUSED = ["eyes", "confused"];

/** A world with somebody of each role: `read-er`, `triage-er`, ... and `none-er`, who is no collaborator. */
export async function createTalkingWorld(): Promise<World> {
  const world = await createWorld();
  for (const role of ROLES) {
    world.github.createAccount(`${role}-er`);
    if (role !== "none") world.github.setRole("acme/shop", `${role}-er`, role);
  }
  await world.settled();
  return world;
}

let sequence = 0;

/** A path that no other pull request has. */
export function fresh(name: string): string {
  sequence += 1;
  return `${name}-${sequence}.ts`;
}

/** What people do and see on pull requests of a world. */
export function talkIn(world: () => World) {
  const view = (number: number) => world().github.pullRequest("acme/shop", number);

  /** A pull request of its own, with two blocking findings unless said otherwise, reviewed. */
  async function reviewed(files?: Readonly<Record<string, string>>, more = {}) {
    const path = fresh("same");
    const branch = path.replace(".ts", "");
    const pull = await openPull(world(), files ?? { [path]: FAULTY }, { branch, ...more });
    await world().settled();
    const ids = view(pull.number).reviewComments.map(({ body }) => /F-[0-9A-Z]{4,8}/.exec(body)![0]);
    return { ...pull, branch, ids };
  }

  /** Another file on the branch, and its review. */
  async function push(branch: string, content = CLEAN): Promise<void> {
    const files = { [fresh("more")]: content };
    await world().github.commit("acme/shop", branch, { files, message: "More", author: "ana" });
    await world().settled();
  }

  /** What came of comments: Forge's reactions on each, and what it answered in the conversation. */
  async function outcome(number: number, ids: readonly number[]) {
    await world().settled();
    const { comments } = view(number);
    const reactions = ids.map((id) => {
      const own = comments.find((comment) => comment.id === id)?.reactions ?? [];
      return own.filter(({ by }) => by === "forge[bot]").map(({ content }) => content);
    });
    const answers = comments.filter(({ by, id }) => by === "forge[bot]" && id > Math.min(...ids));
    return { reactions, answers: answers.map(({ body }) => body.split("\n<!-- forge:")[0]!) };
  }

  /** Says something in the conversation. */
  async function say(number: number, body: string, by = "ben") {
    const { id } = world().github.comment("acme/shop", number, { by, body });
    const { reactions, answers } = await outcome(number, [id]);
    return { reactions: reactions[0]!, answers };
  }

  /** The one of the review: from medium risk on there is one of the tests too. */
  const check = (number: number) => view(number).checkRuns.find(({ name }) => name === "forge/review");
  const summary = (number: number) => check(number)?.summary ?? "";
  const conclusion = (number: number) => check(number)?.conclusion;
  return { view, reviewed, push, outcome, say, check, summary, conclusion };
}
