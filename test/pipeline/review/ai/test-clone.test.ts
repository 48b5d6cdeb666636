import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestClone } from "../../../../src/pipeline/review/ai/open-trials.ts";
import { createRedactor } from "../../../../src/safety/redact.ts";
import { runScript } from "../../../../src/tools/run-script.ts";
import { describeInSandbox } from "../../../needs/sandbox.ts";
import { temporaryFolder } from "../../../workspace/sandbox-machine.ts";

describeInSandbox("REV-4: where reviewers run things", () => {
  it("shows each run the head, whatever an earlier one wrote", async () => {
    const { signal } = new AbortController();
    const writeHead = async (folder: string) =>
      void (await writeFile(join(folder, "total.mjs"), "export default 1;\n"));
    const clone = await openTestClone({ writeHead, scratchRoot: temporaryFolder(), signal });
    const tool = runScript({ clone: clone!, redact: createRedactor([]) });
    const run = async (content: string) => {
      const { text } = await tool.run({ path: "zz.mjs", content, args: [] }, { signal });
      return text;
    };
    const writes = 'import { writeFileSync } from "node:fs";\nwriteFileSync("total.mjs", "export default 2;");\n';
    const says =
      'console.log((await import("./total.mjs")).default, (await import("node:fs")).readdirSync(".").join());\n';
    expect(await run(`${writes}${says}`)).toContain("2 total.mjs,zz.mjs\n");
    expect(await run(says)).toContain("1 total.mjs,zz.mjs\n");
  });
});
