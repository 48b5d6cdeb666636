import { describe, expect, it } from "vitest";
import { createGroup } from "../../src/store/group.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A group whose commits end when the test says so. */
function open(options: { limit?: number; atOnce?: number } = {}) {
  const commits: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const group = createGroup<number, string>({
    limit: options.limit ?? 100,
    maxBytes: 1_000,
    atOnce: options.atOnce ?? 1,
    sizeOf: (item) => item,
    commit: (items) =>
      new Promise((resolve, reject) => {
        commits.push({ items, end: (error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`))) });
      }),
  });
  const until = async (count: number) => {
    while (commits.length < count) await turn();
  };
  return { group, commits, until };
}

describe("a group", () => {
  it("commits together what is added in the same turn, and what comes while a commit is under way", async () => {
    const { group, commits, until } = open();
    const first = [1, 2].map(group.add);
    await until(1);
    const second = [3, 4, 5].map(group.add);
    await turn();
    expect(commits).toHaveLength(1);
    commits[0]!.end();
    expect(await Promise.all(first)).toEqual(["1!", "2!"]);
    await until(2);
    commits[1]!.end();
    expect(await Promise.all(second)).toEqual(["3!", "4!", "5!"]);
    expect(commits.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it("keeps to its limits; what is too large for a group goes alone", async () => {
    const { group, commits, until } = open({ limit: 3 });
    const all = [10, 600, 500, 5_000, 1, 2, 3, 4].map(group.add);
    for (let count = 1; count <= 5; count += 1) {
      await until(count);
      commits[count - 1]!.end();
    }
    await Promise.all(all);
    expect(commits.map(({ items }) => items)).toEqual([[10, 600], [500], [5_000], [1, 2, 3], [4]]);
  });

  it("tells an error to those of its commit and to nobody else", async () => {
    const { group, commits, until } = open({ limit: 2 });
    const all = Promise.allSettled([1, 2, 3].map(group.add));
    await until(1);
    commits[0]!.end(new Error("no space"));
    await until(2);
    commits[1]!.end();
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  });

  it("overlaps two commits when many send, begins them in order and never a third", async () => {
    const { group, commits, until } = open({ limit: 20, atOnce: 2 });
    const all = Array.from({ length: 60 }, (_, item) => group.add(item));
    await until(2);
    for (let count = 0; count < 10; count += 1) await turn();
    expect(commits.map(({ items }) => items[0])).toEqual([0, 20]);
    commits[0]!.end();
    await until(3);
    expect(commits[2]!.items[0]).toBe(40);
    for (const { end } of commits) end();
    await Promise.all(all);
  });

  it("is idle when everything was answered", async () => {
    const { group, commits, until } = open();
    const answers: string[] = [];
    for (const item of [1, 2]) void group.add(item).then((answer) => answers.push(answer));
    const idle = group.idle();
    await until(1);
    void group.add(3).then((answer) => answers.push(answer));
    commits[0]!.end();
    await until(2);
    commits[1]!.end();
    await idle;
    expect(answers).toEqual(["1!", "2!", "3!"]);
  });
});
