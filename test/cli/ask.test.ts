import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { openAi } from "../../src/app/open-ai.ts";
import { runAsk } from "../../src/cli/ask.ts";
import { MOST_USD, REVIEW_MINUTES } from "../../src/domain/repo-config.ts";
import { askFolder } from "../../src/pipeline/local/ask-folder.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";

const KEY = "correct-horse-battery-staple";

let model: ScriptedModel | undefined;
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

function shop(more: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(temporaryFolder());
  const files = {
    "src/total.js": "export function total() {\n  return 0;\n}\n",
    ".gitignore": ".env\n",
    ".env": "PRICE_TOKEN=unlisted-words\n",
    ...more,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync("git", ["init", "-q", folder]);
  return folder;
}

/** What `forge ask` prints about a folder, with a model that answers by a script. */
async function ask(
  args: readonly string[],
  reply: ((asked: Asked) => ScriptedReply) | undefined,
  { isTTY = false, columns = 80 } = {},
) {
  model = reply && (await startScriptedModel(reply));
  const environment = model ? { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "none" } : {};
  const streams = { out: "", err: "" };
  const dependencies = { scratchRoot: temporaryFolder(), signal: new AbortController().signal };
  const code = await runAsk(
    args,
    async (question) => askFolder({ ai: await openAi(environment), ...dependencies }, question),
    {
      out: { isTTY, columns, write: (text) => (streams.out += text) },
      err: { write: (text) => (streams.err += text) },
      noColor: true,
      redact: createRedactor([KEY]),
    },
  );
  return { code, ...streams };
}

const answering = (answer: string) => (): ScriptedReply => ({ calls: [{ name: "complete", input: { answer } }] });
/** Calls tools once, then answers. */
const looking =
  (calls: readonly { readonly name: string; readonly input: unknown }[], answer: string) =>
  ({ messages }: Asked): ScriptedReply =>
    JSON.stringify(messages).includes("tool_call_id") ? answering(answer)() : { calls };

describe("CLI-6: forge ask", () => {
  it("answers with places that were looked up, and says what it cost", async () => {
    const folder = shop();
    const read = { name: "read_file", input: { path: "src/total.js" } };
    const { code, out, err } = await ask(
      ["What does total return?", "--repo", folder],
      looking([read], "Always 0: `src/total.js:2`. See also `src/price.js:7`."),
    );
    expect(out).toMatch(/^Always 0: `.*\/src\/total\.js:2`\. See also `.*\/src\/price\.js` \(no such file\)\.\n$/);
    expect(err).toMatch(/^note: 1 place that the model named was not found; the answer marks it\ncost: \$\d\.\d{4} /);
    expect(code).toBe(0);
    expect(JSON.stringify(model?.asked[0]?.messages)).toContain("What does total return?");
    expect(model?.asked[0]?.toolNames).not.toContain("run_tests");
  });

  it.each(["a checkout", "a folder without git"])("shows a model no .env of %s", async (place) => {
    const calls = [
      { name: "read_file", input: { path: ".env" } },
      { name: "grep", input: { pattern: "unlisted" } },
      { name: "git_diff", input: {} },
      { name: "list_files", input: {} },
    ];
    const folder = shop();
    if (place !== "a checkout") rmSync(join(folder, ".git"), { recursive: true });
    expect((await ask(["Which token?", "--repo", folder], looking(calls, "None."))).code).toBe(0);
    const seen = JSON.stringify(model?.asked.at(-1)?.messages);
    expect(seen).toContain("is not a file of the repository");
    expect(seen).not.toContain("unlisted-words");
  });

  it("SEC-6: shows a model nothing that programs log in with, where git does not say what belongs to the code", async () => {
    const secret = [
      "id_ed25519",
      ".git-credentials",
      "deploy/terraform.tfstate",
      "service-account.json",
      ".aws/credentials",
    ];
    const paths = [...secret, ".envrc", "prod.tfvars", "tls.key", ".env.local"];
    const folder = shop(Object.fromEntries(paths.map((path) => [path, "unlisted-words\n"])));
    rmSync(join(folder, ".git"), { recursive: true });
    const calls = [
      ...paths.map((path) => ({ name: "read_file", input: { path } })),
      { name: "grep", input: { pattern: "unlisted" } },
    ];
    expect((await ask(["Which token?", "--repo", folder], looking(calls, "None."))).code).toBe(0);
    expect(JSON.stringify(model?.asked.at(-1)?.messages)).not.toContain("unlisted-words");
  });

  it("is one object for scripts, without secrets", async () => {
    const { out } = await ask(["Where?", "--repo", shop(), "--json"], answering(`At \`src/total.js:1\`: ${KEY}`));
    expect(JSON.parse(out)).toMatchObject({
      answer: expect.stringMatching(/src\/total\.js:1`: (?!correct)/),
      places: [{ path: "src/total.js", line: 1 }],
      missing: 0,
      cost: { calls: 1 },
    });
    expect(out).not.toContain(KEY);
  });

  it("fits a terminal, where nothing of an answer moves the cursor", async () => {
    const answer = `${"word ".repeat(30)}\n\n- ${"item ".repeat(20)}\n\n\`\`\`\n${"x ".repeat(40)}\n\`\`\`\n\u001b[2J\u202eend`;
    const { out } = await ask(["Why?", "--repo", shop()], answering(answer), { isTTY: true, columns: 40 });
    const lines = out.split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual(["x ".repeat(40).trim()]);
    expect(lines.filter((line) => line.startsWith("  item"))).not.toEqual([]);
    for (const hidden of ["\u001b", "\u202e"]) expect(out).not.toContain(hidden);
  });

  it("keeps to its limit of money, and says so", async () => {
    const { code, out, err } = await ask(["Why?", "--repo", shop(), "--usd", "0.01"], () => ({
      calls: [{ name: "list_files", input: {} }],
      usage: { inputTokens: 900_000, outputTokens: 4_000 },
    }));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^forge: no answer: .*\$0\.01.*\ncost: \$/);
  });

  it("says how to set up a model where there is none", async () => {
    const { code, err } = await ask(["Why?", "--repo", shop()], undefined);
    expect(code).toBe(1);
    expect(err).toMatch(/^forge: could not answer: No model is set up.* Set ANTHROPIC_API_KEY or OPENAI_API_KEY/);
  });

  it("answers in a folder without git, and before the first commit of a checkout", async () => {
    const folder = realpathSync(temporaryFolder());
    writeFileSync(join(folder, "a.py"), "x = 1\n");
    const { code, out } = await ask(["Where?", "--repo", folder, "--json"], answering("At a.py:1"));
    expect({ code, places: JSON.parse(out).places }).toEqual({ code: 0, places: [{ path: "a.py", line: 1 }] });
  });

  it.each([
    [[], /ask takes one question/],
    [["a", "b"], /ask takes one question: put it in quotes/],
    [[" "], /the question is empty/],
    [["x".repeat(4_001)], /longer than 4,000 characters/],
    [["a", "--repo", "/no/such"], /there is no folder \/no\/such/],
    [["a", "--usd", "0"], /--usd is a number from 0\.01 to 10000, not "0"/],
    [["a", "--usd", String(MOST_USD + 1)], /--usd is a number from/],
    [["a", "--minutes", String(REVIEW_MINUTES.most + 1)], /--minutes is a number from/],
    [["a", "--minutes", "soon"], /--minutes is a number from 1 to 240/],
  ])("refuses %s", async (args: readonly string[], message) => {
    await expect(ask(args, undefined)).rejects.toThrow(message);
  });
});
