import { afterEach, describe, expect, it } from "vitest";
import { addedLines, codeIn } from "../../demo/model/conversation.ts";
import { type DemoModel, startDemoModel } from "../../demo/model/demo-model.ts";
import { readChange } from "../../demo/model/reader.ts";
import { hasClaims, judgeClaims } from "../../demo/model/refuter.ts";

let model: DemoModel | undefined;
afterEach(() => model?.stop());

const CHANGE = [
  "### src/delivery.ts (new file)",
  '    1 +|import { type Line, total } from "./basket.ts";',
  "    2  |const FREE_FROM = 6900;",
  "    7 +|export function parcels(lines: readonly Line[]): number {",
  "    8 +|  return Math.ceil(lines.length / PIECES_IN_A_PARCEL);",
  "      -|   return 1;",
].join("\n");

type Completed = { findings: { line: number; quote: string; fix: object }[]; judgements: { verdict: string }[] };

function completed(reply: ReturnType<typeof readChange>): Completed {
  const [call] = "calls" in reply ? (reply.calls ?? []) : [];
  expect(call?.name).toBe("complete");
  return call?.input as Completed;
}

function claimed(claim: string): string {
  return `Claim 1, logic, error, src/delivery.ts lines 8 to 8:\nquote: x\nclaim: ${claim}\n\n${CHANGE}`;
}

const COUNTED = "The lines of the basket are counted, not its pieces: a line with many pieces fills one parcel.";
const SUMMED = "The sum is NaN when a product of the basket is not known, so delivery is never free then.";
const shown = (...lines: string[]) => [lines.map((line, at) => ` ${at + 1}|${line}`).join("\n")];

describe("the model of the demo", () => {
  it("is a script when no key and no address is set", async () => {
    model = await startDemoModel({ FORGE_MODEL: "mine", ANTHROPIC_API_KEY: "" });
    expect(model).toMatchObject({ kind: "scripted", chosenBy: [] });
    expect(Object.keys(model.variables).sort()).toEqual(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]);
    expect(new URL(model.variables.ANTHROPIC_BASE_URL ?? "").hostname).toBe("127.0.0.1");
  });

  it.each(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"])(
    "is that of the environment when %s is set, with what belongs to it",
    async (name) => {
      model = await startDemoModel({ [name]: "given", FORGE_MODEL: "mine", GITHUB_TOKEN: "other" });
      const { kind, chosenBy, variables } = model;
      expect({ kind, chosenBy, variables }).toEqual({
        kind: "given",
        chosenBy: [name],
        variables: { [name]: "given", FORGE_MODEL: "mine" },
      });
    },
  );

  it("sees the added lines of a task, and the code in what tools answered", () => {
    expect(addedLines(CHANGE).map(({ path, line }) => `${path}:${line}`)).toEqual([
      "src/delivery.ts:1",
      "src/delivery.ts:7",
      "src/delivery.ts:8",
    ]);
    expect(codeIn(shown("const a = 1;", "  a | b"))).toEqual(["const a = 1;", "  a | b"]);
  });

  it("looks up what the change builds on before it claims, and claims where the fault stands", () => {
    const asked = readChange({ task: CHANGE, results: [] });
    expect("calls" in asked && asked.calls?.map(({ name }) => name)).toEqual(["grep", "find_references"]);
    const { findings } = completed(readChange({ task: CHANGE, results: ["interface Line"] }));
    expect(findings).toMatchObject([
      {
        line: 8,
        quote: "return Math.ceil(lines.length / PIECES_IN_A_PARCEL);",
        fix: {
          start_line: 8,
          replacement: "  return Math.ceil(lines.reduce((sum, line) => sum + line.quantity, 0) / PIECES_IN_A_PARCEL);",
        },
      },
    ]);
    const other = CHANGE.replace("lines.length", "pieces");
    expect(completed(readChange({ task: other, results: ["x"] })).findings).toEqual([]);
  });

  it("opens the files before it judges, and judges by what stands there", () => {
    const task = claimed(COUNTED);
    expect([hasClaims(task), hasClaims(CHANGE)]).toEqual([true, false]);
    const asked = judgeClaims({ task, results: [] });
    expect("calls" in asked && asked.calls?.map(({ input }) => input)).toEqual([
      { path: "src/delivery.ts" },
      { path: "src/basket.ts" },
    ]);
    const verdict = (claim: string, ...lines: string[]) =>
      completed(judgeClaims({ task: claimed(claim), results: shown(...lines) })).judgements[0]?.verdict;
    const faulty = "  return Math.ceil(lines.length / PIECES_IN_A_PARCEL);";
    expect(verdict(COUNTED, faulty, "  readonly quantity: number;")).toBe("stands");
    expect(verdict(COUNTED, faulty)).toBe("unsure");
    expect(verdict(COUNTED, "  return 1;")).toBe("refuted");
    expect(verdict(SUMMED, "sum + (find(id)?.price ?? 0)")).toBe("refuted");
    expect(verdict(SUMMED, "sum + find(id).price")).toBe("unsure");
    expect(verdict("Something else.", faulty)).toBe("unsure");
    const pointing = (of: string) => [
      `Lines 1 to 8 of ${of} stand in your first message.`,
      ...shown("  readonly quantity: number;"),
    ];
    const judged = (of: string) => completed(judgeClaims({ task, results: pointing(of) })).judgements[0]?.verdict;
    expect(judged("src/delivery.ts")).toBe("stands");
    expect(judged("src/other.ts")).toBe("refuted");
  });
});
