import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorFacts, ForgeError } from "../../src/domain/errors.ts";

describe("errorFacts (ERR-1)", () => {
  it("tells of what the system refused its code only: its words name paths of this machine", () => {
    try {
      readdirSync("/nowhere/at all");
    } catch (error) {
      const { message, context } = errorFacts(error);
      expect(message).toBe("The system refused something (ENOENT).");
      expect(context.detail).toContain("/nowhere/at all");
    }
    expect.assertions(2);
  });

  it.each([
    [
      "Cannot find module '/srv/forge/src/a.ts' imported from /srv/forge/b.ts",
      "Cannot find module '[a path]' imported from [a path]",
    ],
    ["bad import file:///srv/forge/src/a.ts:3", "bad import [a path]:3"],
    ["GET https://api.github.com/repos/acme/shop failed", "GET https://api.github.com/repos/acme/shop failed"],
    ["no src/a.ts and no / there", "no src/a.ts and no / there"],
    ["", "an error without a message"],
  ])("leaves paths of the machine out of what was not expected: %s", (text, message) => {
    expect(errorFacts(new Error(text)).message).toBe(message);
  });

  it("keeps the sentence of a known failure as it is", () => {
    const known = new ForgeError("folder_empty", "There is no file in /srv/x.", { source: "validation" });
    expect(errorFacts(known).message).toBe("There is no file in /srv/x.");
  });
});
