import { expect } from "vitest";

import { PYTHON_PACKAGES } from "../../../src/workspace/install/pip-plan.ts";
import { itWithPip } from "../../needs/programs.ts";
import { describeInSandbox } from "../../needs/sandbox.ts";
import { LIMITS } from "../sandbox-machine.ts";
import { locksOf, startIndex } from "../test-index.ts";
import { treeOfFiles } from "../working-tree/tree-fixture.ts";
import { install, sourceOf } from "./install.ts";

describeInSandbox("installing the packages of a working tree", (sandbox) => {
  itWithPip("IMPL-1: installs what a lock of uv or Poetry says, by its hash, and nothing that is another", async () => {
    await using index = await startIndex();
    const env = { PIP_INDEX_URL: `http://${index.host}/simple`, PIP_RETRIES: "0" };
    const program =
      "import importlib.metadata as m, shop, wheeled; print(wheeled.answer, shop.name, m.version('shop'))";
    const outcomeOf = async (locks: Record<string, string>) => {
      await using fixture = await treeOfFiles([
        { path: "pyproject.toml", content: '[tool.poetry]\nname = "shop"\nversion = "2.1"\n' },
        { path: "src/shop.py", content: "name = 'shop'\n" },
        ...Object.entries(locks).map(([path, content]) => ({ path, content })),
      ]);
      const tree = await fixture.open({ sandbox });
      const outcome = await install(tree, sandbox, sourceOf(index.host, env));
      const places = { PYTHONPATH: `/box/${PYTHON_PACKAGES}` };
      const ran = await tree.clone?.run({ ...LIMITS, command: "python3", args: ["-c", program], env: places });
      return { outcome, printed: ran?.stdout.toString() };
    };
    for (const lock of locksOf(index.hash))
      expect(await outcomeOf(lock)).toEqual({ outcome: { kept: false, notes: [] }, printed: "42 shop 2.1\n" });
    for (const lock of locksOf("b".repeat(64)))
      expect(await outcomeOf(lock)).toMatchObject({
        outcome: { installed: false, reason: expect.stringMatching(/^pip failed: .*HASH/i) },
        printed: "",
      });
  });
});
