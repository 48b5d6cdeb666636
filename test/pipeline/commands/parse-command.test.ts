import { describe, expect, it } from "vitest";
import { COMMAND_NAMES, Command } from "../../../src/domain/commands.ts";
import {
  COMMANDS_PER_COMMENT,
  dismissalReason,
  parseCommand,
  parseCommands,
} from "../../../src/pipeline/commands/parse-comment.ts";
import fc from "../../properties.ts";

const understood = (line: string) => {
  const parsed = parseCommand(line);
  return "command" in parsed ? parsed.command : parsed.refusal.reason;
};

describe("what a command line says", () => {
  const here = { kind: "here" } as const;
  it.each([
    ["", { name: "help" }],
    ["help all", { name: "help", topic: "all" }],
    ["review", { name: "review", full: false }],
    ["Review --full", { name: "review", full: true }],
    ["status", { name: "status" }],
    ["dismiss F-7K2Q", { name: "dismiss", finding: "F-7K2Q", reason: "", scope: here }],
    ["dismiss `f-7k2q`, by  design", { name: "dismiss", finding: "f-7k2q", reason: "by design", scope: here }],
    ["dismiss the test is generated", { name: "dismiss", reason: "the test is generated", scope: here }],
    [
      'dismiss F-7K generated --path "src/gen/**"',
      { name: "dismiss", finding: "F-7K", reason: "generated", scope: { kind: "path", glob: "src/gen/**" } },
    ],
    [
      "dismiss F-7K --path=`docs/*` examples",
      { name: "dismiss", finding: "F-7K", reason: "examples", scope: { kind: "path", glob: "docs/*" } },
    ],
    ["dismiss F-7K --rule", { name: "dismiss", finding: "F-7K", reason: "", scope: { kind: "rule" } }],
    ["undismiss F-7K2Q", { name: "undismiss", finding: "F-7K2Q" }],
    ["undismiss", { name: "undismiss" }],
    ["explain banana", { name: "explain", finding: "banana" }],
    [
      "override forge/review the release waits",
      { name: "override", check: "forge/review", reason: "the release waits" },
    ],
    ["override review hotfix", { name: "override", check: "forge/review", reason: "hotfix" }],
    ["pause --repository", { name: "pause", repository: true }],
    ["unpause", { name: "unpause", repository: false }],
    ["config", { name: "config" }],
    ["trust", { name: "trust" }],
    ["stop", { name: "stop" }],
    ["resume", { name: "resume" }],
    ["resume look at  locking", { name: "resume", instructions: "look at locking" }],
    ["extend usd 5", { name: "extend", limit: "usd", amount: 5 }],
    ["extend $2.50", { name: "extend", limit: "usd", amount: 2.5 }],
    ["extend 10 Iterations", { name: "extend", limit: "iterations", amount: 10 }],
    ["extend minute 1", { name: "extend", limit: "minutes", amount: 1 }],
    ["untrust", { name: "untrust" }],
    ["cost", { name: "cost" }],
    ["implement", { name: "implement" }],
    ["Implement keep --full,  please", { name: "implement", instructions: "keep --full,  please" }],
    ["plan without redis", { name: "plan", instructions: "without redis" }],
    ["answer  the one in `legacy/` --really", { name: "answer", text: "the one in `legacy/` --really" }],
    ["fix", { name: "fix", findings: [] }],
    ["fix F-7K2Q, `f-9m4d` and F-SWKE.", { name: "fix", findings: ["F-7K2Q", "f-9m4d", "F-SWKE"] }],
    ["fix F-7K2Q,F-9M4D F-7K2Q", { name: "fix", findings: ["F-7K2Q", "F-9M4D"] }],
    ["test", { name: "test" }],
    ["retry", { name: "retry" }],
    ["retry Testing.", { name: "retry", phase: "testing" }],
    ["retry tests", { name: "retry", phase: "testing" }],
    ["retry `v12`", { name: "retry", checkpoint: 12 }],
    ["retry plan", { name: "retry", phase: "planning" }],
    ["history", { name: "history" }],
    ["Ask  who sets --full,  and why?", { name: "ask", question: "who sets --full,  and why?" }],
  ])("%s", (line, command) => {
    expect(understood(line)).toEqual(command);
  });

  it.each([
    ["reviev", "unknown_command"],
    ["ask  ", "question_missing"],
    ["d\u0456smiss F-1", "unknown_command"],
    ["review --fast", "unknown_option"],
    ["review --full=yes", "unknown_option"],
    ["dismiss F-1 --path", "missing_value"],
    ["dismiss F-1 --rule --here", "two_scopes"],
    ["dismiss F-1 --path +(a|aa)", "bad_glob"],
    ["dismiss F-1 F-2 both", "one_finding"],
    ["status now", "unexpected"],
    ["trust me", "unexpected"],
    ["stop it", "unexpected"],
    ["extend", "unknown_limit"],
    ["extend usd", "unknown_limit"],
    ["extend usd 0", "unknown_limit"],
    ["extend usd 5 now", "unknown_limit"],
    ["extend usd 1e9", "unknown_limit"],
    ["extend minutes 1.5", "unknown_limit"],
    ["extend euro 5", "unknown_limit"],
    ["answer  ", "answer_missing"],
    ["fix everything", "unexpected"],
    ["test it", "unexpected"],
    ["retry deployment", "unknown_phase"],
    ["retry toString", "unknown_phase"],
    ["retry v0", "unknown_phase"],
    ["retry v12 testing", "unexpected"],
    ["retry testing now", "unexpected"],
    ["history all", "unexpected"],
    ["override", "unknown_check"],
    ["override lint x", "unknown_check"],
    ["override review", "reason_missing"],
  ])("is refused: %s", (line, reason) => {
    expect(understood(line)).toBe(reason);
  });

  it("offers the nearest command for a mistyped one, and none for what is like none", () => {
    expect(parseCommand("dismis F-1")).toMatchObject({ refusal: { nearest: "dismiss" } });
    expect(parseCommand("hlep")).toMatchObject({ refusal: { nearest: "help" } });
    expect(parseCommand("implment it")).toMatchObject({ refusal: { nearest: "implement" } });
    expect(parseCommand("anwser yes")).toMatchObject({ refusal: { nearest: "answer" } });
    expect(parseCommand("weather")).toEqual({ refusal: { reason: "unknown_command", written: "weather" } });
  });

  it("whatever follows /forge: a command of the catalogue or a reason why not", () => {
    const word = fc.oneof(
      fc.constantFrom(...COMMAND_NAMES, "F-7K2Q", "--path", "--rule", "--full", "review", "all", "--path=", "testing"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const parsed = parseCommand(words.join(" "));
        if ("command" in parsed) expect(Command.parse(parsed.command)).toEqual(parsed.command);
        else expect(parsed.refusal.reason).toBeTruthy();
      }),
      { numRuns: 1000 },
    );
  });

  it("carries out ten commands of a comment and refuses the rest once", () => {
    const { commands } = parseCommands("/forge help\n".repeat(5000));
    expect(commands).toHaveLength(COMMANDS_PER_COMMENT + 1);
    expect(commands.at(-1)).toEqual({ refusal: { reason: "too_many", limit: 10 } });
  });

  it("SEC-8: refuses to read a comment that is longer than GitHub takes, if it names /forge", () => {
    const long = (length: number) => "/forge help\n".padEnd(length, "x");
    expect(parseCommands(long(65_536)).commands).toMatchObject([{ command: { name: "help" } }]);
    expect(parseCommands(long(65_537)).commands).toEqual([{ refusal: { reason: "too_long", limit: 65_536 } }]);
    expect(parseCommands("x".repeat(65_537)).commands).toEqual([]);
  });
});

describe("GH-8a: a reply that dismisses in plain words", () => {
  it.each([
    ["False positive: the value is a constant.\n\nThanks!", "False positive: the value is a constant."],
    ["won't fix", "won't fix"],
    ["Won\u2019t fix — legacy", "Won\u2019t fix — legacy"],
    ["wontfix.", "wontfix."],
    ["  By design,\nsee the docs", "By design, see the docs"],
    ["Accepted", "Accepted"],
    ["Not an issue here", "Not an issue here"],
  ])("%j", (body, reason) => {
    expect(dismissalReason(body)).toBe(reason);
  });

  it.each(["Is this a false positive?", "False positive? I doubt it", "bydesign", "acceptedly", "> by design", "OK"])(
    "is none: %j",
    (body) => {
      expect(dismissalReason(body)).toBeUndefined();
    },
  );
});
