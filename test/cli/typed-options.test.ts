import { describe, expect, it, vi } from "vitest";
import { dispatch, UsageError } from "../../src/cli/dispatch.ts";
import { parseOptions } from "../../src/cli/parse-options.ts";
import { aCommand } from "./a-command.ts";

const config = { allowPositionals: true, options: { base: { type: "string" }, all: { type: "boolean" } } } as const;
const read = (...args: string[]) => parseOptions(args, config);
const refused = (...args: string[]) => {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return undefined;
};

describe("R20: options of the command line as they are copied from a page", () => {
  it.each(["—base", "–base", "―base", "−base"])("%s", (option) => {
    expect(read(".", option, "main").values).toEqual({ base: "main" });
    expect(read(`${option}=a–b`).values).toEqual({ base: "a–b" });
  });

  it("leaves other words, and what stands behind --, as they are", () => {
    expect(read("—fix it", "—", "—weather").positionals).toEqual(["—fix it", "—", "—weather"]);
    expect(read("--", "—base").positionals).toEqual(["—base"]);
  });

  it.each([
    ["--bsae", "unknown option --bsae. Did you mean --base?"],
    ["—bsae", "unknown option --bsae. Did you mean --base?"],
    ["--base\u00a0main", "unknown option --base\u00a0main. Did you mean --base?"],
    ["--hepl", "unknown option --hepl. Did you mean --help?"],
    ["--weather", "unknown option --weather."],
    ["-x", "unknown option -x."],
    ["--__proto__", "unknown option --__proto__."],
    ["--all=yes", "--all takes no value"],
    ["--base", "--base needs a value"],
  ])("an unknown or wrong one is refused, with the nearest: %j", (option, message) => {
    expect(refused(option)).toBe(message);
  });

  it("a forgotten value is not taken from the next option", () => {
    expect(refused("--base", "--all")).toBe("--base needs a value; if --all is the value, write --base=--all");
    expect(read("--base", "-").values).toEqual({ base: "-" });
    const none = () => parseOptions(["file"], { options: { all: { type: "boolean" } } });
    expect(none).toThrow('unexpected argument "file"');
  });

  it.each(["reveiw", "review\u00a0.", "\u200breview"])(
    "a command that is not known comes with the nearest: %j",
    async (name) => {
      const said: string[] = [];
      const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
      expect(await dispatch([aCommand("review")], [name]).finally(() => write.mockRestore())).toBe(64);
      expect(said.join("")).toMatch(/Did you mean .* review\?/);
    },
  );
});
