import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { trimReply } from "../src/agents/loop/reply.ts";
import { parseConfiguration } from "../src/analysis/configuration/parse-configuration.ts";
import { compileGlob } from "../src/domain/globs/compile-glob.ts";
import { MergeGroupEvent, PullRequest } from "../src/github/handlers/payloads.ts";
import { createClean } from "../src/monitoring/doors/clean-text.ts";
import { dismissalReason, parseCommand, parseCommands } from "../src/pipeline/commands/parse-comment.ts";
import { refusedText } from "../src/pipeline/commands/read-teaching.ts";
import { limitBody } from "../src/safety/limit-body.ts";
import { parseYaml } from "../src/workspace/parse-yaml.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const ROW =
  /^\| ([^|]+) \| `([^`]+)` `([^`]+)` \| ([\d,]+) (?:bytes|characters) \| `([^`]+)` `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/;
const UNITS: Readonly<Record<string, number>> = { KIB: 2 ** 10, MIB: 2 ** 20, MEBI: 2 ** 20, GIB: 2 ** 30 };

const lines = read("docs/limits.md").split("\n");
const rows = lines.filter((line) => line.startsWith("| ")).slice(1);

/** The values that a file gives to a name, as numbers. */
function valuesOf(code: string, name: string): number[] {
  const given = code.matchAll(new RegExp(`\\b${name}(?: =|:) ((?:[\\d_]+|[A-Z]+)(?: \\* (?:[\\d_]+|[A-Z]+))*)`, "g"));
  return Array.from(given, ([, product = ""]) =>
    product.split(" * ").reduce((value, factor) => value * (UNITS[factor] ?? Number(factor.replaceAll("_", ""))), 1),
  );
}

describe("SEC-8: every text from outside has a limit before it is matched", () => {
  it.each(rows)("%s", (row) => {
    const [, , reader = "", symbol = "", limit = "", file = "", name = ""] = ROW.exec(row) ?? [];
    expect(read(reader)).toMatch(new RegExp(`\\b${symbol}\\b`));
    expect(valuesOf(read(file), name), `${name} in ${file}`).toContain(Number(limit.replaceAll(",", "")));
  });

  it("lists the entrances", () => expect(rows.length).toBeGreaterThan(35));
});

/** The limit of a row, by its first words. */
function limitOf(text: string): number {
  const row = rows.find((each) => each.startsWith(`| ${text} |`)) ?? "";
  return Number(ROW.exec(row)?.[4]?.replaceAll(",", ""));
}

describe("SEC-8: a text that is one longer than its limit", () => {
  const branch = { sha: "a".repeat(40), ref: "main" };
  const pull = (title: string, ref: string) =>
    PullRequest.safeParse({ number: 1, title, head: { ...branch, ref }, base: branch });

  it.each<[string, (length: number) => unknown]>([
    ["comment or review, for its commands", (n) => "command" in parseCommands("/forge help\n".padEnd(n)).commands[0]!],
    [
      "sentence for the memory",
      (n) => !JSON.stringify(refusedText("a ".repeat(n / 2).padEnd(n, "b")) ?? "").includes("too_long"),
    ],
    ["name of a branch", (n) => pull("a", "b".repeat(n)).success],
    [
      "name of a branch in a merge queue",
      (n) =>
        MergeGroupEvent.shape.merge_group.safeParse({
          head_sha: branch.sha,
          head_ref: "b".repeat(n),
          base_sha: branch.sha,
          base_ref: "main",
        }).success,
    ],
    ["thinking in it", (n) => trimReply([{ type: "thinking", thinking: "a".repeat(n) }], () => "id").length > 0],
    ["manifest or settings of Yarn in YAML", (n) => parseYaml("# a\n".padEnd(n, "#")) !== undefined],
    ["`forge.yml`", (n) => parseConfiguration("# a\n".padEnd(n, "#")).ok],
    ["glob", (n) => "matches" in compileGlob("a".repeat(n))],
  ])("is refused: %s", (text, isTaken) => {
    const limit = limitOf(text);
    expect([isTaken(limit), isTaken(limit + 1)]).toEqual([true, false]);
  });

  it.each<[string, (text: string) => string | undefined]>([
    ["title of a pull request", (title) => pull(title, "b").data?.title],
    ["reason in a reply", (text) => dismissalReason(`accepted ${text}`)],
    ["text of an alert, an error or a stack trace", (text) => createClean((plain) => plain)(text, 10_000)],
    ["text after a command", (text) => JSON.stringify(parseCommand(`ask ${text}`)).replaceAll(/[^x]/g, "")],
  ])("is cut: %s", (text, kept) => {
    const limit = limitOf(text);
    expect(kept("x".repeat(limit + 1))).toHaveLength(limit);
  });

  it("is refused: an answer over HTTP", async () => {
    expect(await limitBody(new Response("x".repeat(8)), 8).text()).toHaveLength(8);
    await expect(limitBody(new Response("x".repeat(9)), 8).text()).rejects.toThrow(/larger than/);
  });
});
