import { until } from "../until.ts";
import type { ChaosWorld, OpenedPull } from "./chaos-world.ts";

/** What people do, and what Forge is to make of it. */
export interface Story {
  readonly name: string;
  /** Whether the head changes on the way. */
  readonly pushes: boolean;
  tell(world: ChaosWorld): Promise<OpenedPull>;
}

/** A change with findings that become comments and annotations. */
const CHANGE: Readonly<Record<string, string>> = {
  "src/same.ts": `export function same(a: number, b: number): boolean {
  const limit = 3;
  limit = 4;
  return a === a && b < limit;
}
`,
  "src/wait.ts": `export function wait(done: boolean): string {
  debugger;
  if (done = true) return "done";
  return "waiting"
}
`,
};

const MORE: Readonly<Record<string, string>> = {
  "src/late.ts": "export function late(): void {\n  debugger;\n}\n",
};

export const openPull: Story = {
  name: "a pull request is opened",
  pushes: false,
  tell: (world) => world.openPull(CHANGE),
};

/** The same head as after the push below, at once. */
export const openLargerPull: Story = {
  name: "a larger pull request is opened",
  pushes: false,
  tell: (world) => world.openPull({ ...CHANGE, ...MORE }),
};

/** GH-3: the review of the first head may be under way, done or not begun when the second comes. */
export const openAndPush: Story = {
  name: "a push follows at once",
  pushes: true,
  tell: async (world) => {
    const pull = await world.openPull(CHANGE);
    const { repository, branch } = pull;
    const headSha = await world.github.commit(repository, branch, { files: MORE, message: "More", author: "ana" });
    return { ...pull, headSha };
  },
};

/** The first head is reviewed when the second comes. */
export const openWaitAndPush: Story = {
  name: "a push follows a review",
  pushes: true,
  tell: async (world) => {
    const pull = await world.openPull(CHANGE);
    await reviewed(world, pull);
    const { repository, branch } = pull;
    const headSha = await world.github.commit(repository, branch, { files: MORE, message: "More", author: "ana" });
    return { ...pull, headSha };
  },
};

async function reviewed(world: ChaosWorld, { repository, number }: OpenedPull): Promise<void> {
  const isDone = () => world.github.pullRequest(repository, number).checkRuns[0]?.status === "completed";
  await until(() => !world.forge.isAlive() || isDone());
}
