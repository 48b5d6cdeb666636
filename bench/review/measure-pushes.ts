import { type Asked, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import type { Result } from "../report.ts";
import { cleanModule, files } from "./changes.ts";
import { openStage, type Stage } from "./forge-process.ts";

export const PUSHES_TITLE =
  "What a model is sent on further pushes. Baseline: the first review of the same pull request";

const PUSHES = 5;
const GOAL = 0.25;

/** Tokens of all requests of the fifth push, which changes one file, beside those of the first review (GH-3). Takes some seconds. */
export async function measurePushes(): Promise<Result[]> {
  const model = await startScriptedModel(() => ({
    calls: [{ name: "complete", input: { summary: "Adds up numbers.", findings: [] } }],
  }));
  const stage = await openStage({
    files: { "README.md": "# Shop\n", ".github/forge.yml": "review:\n  ai: always\n" },
    environment: model.environment,
  });
  try {
    const { github } = stage;
    const change = files(20, 60, cleanModule);
    const [path = "", text = ""] = Object.entries(change)[3] ?? [];
    await github.commit("acme/shop", "topic", { files: change, message: "Add modules", author: "ana" });
    const { number } = await github.openPullRequest("acme/shop", { title: "Add modules", head: "topic", by: "ana" });
    let seen = 0;
    const tokens: number[] = [];
    for (let push = 1; push <= PUSHES; push += 1) {
      if (push > 1) {
        const more = { [path]: `${text}export const pushed = ${push};\n` };
        await github.commit("acme/shop", "topic", { files: more, message: `Push ${push}`, author: "ana" });
      }
      await checked(stage, number);
      tokens.push(model.asked.slice(seen).reduce((sum, asked) => sum + tokensOf(asked), 0));
      seen = model.asked.length;
    }
    const requests = model.asked.map(tokensOf);
    const size = "20 files, 1,200 lines; fifth push changes one line of one file";
    return [
      compared(`${size}: tokens sent, tools and prompt included`, tokens.at(-1), tokens[0]),
      compared("the same, one request beside one", requests.at(-1), requests[0]),
    ];
  } finally {
    await stage.end();
    await model.stop();
  }
}

function compared(name: string, value = 0, baseline = 0): Result {
  const met = value > 0 && value <= GOAL * baseline;
  return { name, value, unit: "tokens", baseline, goal: `ratio at most ${GOAL}`, met };
}

function tokensOf({ messages, tools }: Asked): number {
  return estimateTextTokens(JSON.stringify({ messages, tools }));
}

/** Waits until the newest head of a pull request has a completed check. */
async function checked({ github }: Stage, number: number): Promise<void> {
  while (github.pullRequest("acme/shop", number).checkRuns[0]?.status !== "completed")
    await new Promise((resolve) => setTimeout(resolve, 20));
}
