import { expect, it } from "vitest";
import { createCitedFiles } from "../../src/app/cited-files.ts";
import type { RepositoryRef } from "../../src/domain/subjects.ts";

const shop: RepositoryRef = { id: 1, owner: "acme", name: "shop", installationId: 5 };
const { signal } = new AbortController();

function opened(textOf: (path: string, ref: string | undefined) => string | undefined) {
  const asked: string[] = [];
  const branch = { sha: "a" as string | undefined };
  const files = createCitedFiles({
    readBranchHead: async () => (branch.sha === undefined ? undefined : { ref: "main", sha: branch.sha }),
    readFile: async ({ id }, path, _signal, ref) => {
      asked.push(`${id}:${ref}:${path}`);
      return textOf(path, ref);
    },
  });
  const read = async (path: string, repository = shop) =>
    (await files.atHead(repository, signal)).readFile(repository, path, signal);
  return { asked, branch, read };
}

it("OPS-2: a cited file is read once for each commit of the default branch, also one that is gone", async () => {
  const { asked, branch, read } = opened((path, ref) => (path === "gone.ts" ? undefined : `${path} at ${ref}`));
  for (const _load of [1, 2, 3]) {
    expect(await read("a.ts")).toBe("a.ts at a");
    expect(await read("gone.ts")).toBeUndefined();
  }
  expect(await read("a.ts", { ...shop, id: 2 })).toBe("a.ts at a");
  branch.sha = "b";
  expect(await read("a.ts")).toBe("a.ts at b");
  expect(asked).toEqual(["1:a:a.ts", "1:a:gone.ts", "2:a:a.ts", "1:b:a.ts"]);
  // An empty repository has no commit to keep anything by.
  branch.sha = undefined;
  expect(await read("a.ts")).toBe("a.ts at undefined");
});

it("OPS-2: what is kept of cited files is bounded, the oldest goes first", async () => {
  const { asked, read } = opened(() => "x".repeat(1_000_000));
  for (let file = 0; file < 9; file += 1) await read(`${file}.ts`);
  await read("8.ts");
  await read("1.ts");
  expect(asked).toHaveLength(9);
  await read("0.ts");
  expect(asked).toHaveLength(10);
});
