import { describe, expect, it, vi } from "vitest";
import { dispatch, parseOptions, UsageError } from "../../src/cli/dispatch.ts";

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
    ["--bsae", "Unknown option '--bsae'. Did you mean --base?"],
    ["—bsae", "Unknown option '--bsae'. Did you mean --base?"],
    ["--base\u00a0main", "Unknown option '--base\u00a0main'. Did you mean --base?"],
    ["--weather", "Unknown option '--weather'."],
  ])("an unknown one is refused with the nearest: %j", (option, message) => {
    expect(refused(option)).toBe(message);
  });

  it.each(["reveiw", "review\u00a0.", "\u200breview"])(
    "a command that is not known comes with the nearest: %j",
    async (name) => {
      const said: string[] = [];
      const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
      const review = { name: "review", usage: "review [folder]", does: "review", run: async () => 0 };
      expect(await dispatch([review], [name]).finally(() => write.mockRestore())).toBe(64);
      expect(said.join("")).toContain("Did you mean forge review?");
    },
  );
});
