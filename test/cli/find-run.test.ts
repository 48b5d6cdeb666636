import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/cli/dispatch.ts";
import { findRun } from "../../src/cli/find-run.ts";
import { formatOptions, parseOptions } from "../../src/cli/parse-options.ts";
import { ForgeError } from "../../src/domain/errors.ts";

describe("CLI-1: options of other programs", () => {
  it("leads from the option of other programs to the format", () => {
    const read = () => parseOptions(["--json"], { options: { format: { type: "string" } } }, formatOptions(["json"]));
    expect(read).toThrow(new UsageError("unknown option --json. Did you mean --format json?"));
  });
});

describe("CLI-3: a run that is not named", () => {
  const why = "Forge has not been started here yet.";
  const notStarted = async () => {
    throw new ForgeError("not_started", why, { source: "validation", recoverability: "manual" });
  };

  it("is asked for first, also where there is no database to list runs from", async () => {
    const finder = { find: notStarted, latest: notStarted };
    await expect(findRun(finder, undefined)).rejects.toThrow(new UsageError(`which run? ${why}`));
    await expect(findRun(finder, "01M8")).rejects.toThrow(why);
    await expect(findRun(finder, "01M8")).rejects.not.toThrow(UsageError);
  });

  it("does not hide an error that nobody expects", async () => {
    const latest = () => Promise.reject(new Error("broken"));
    await expect(findRun({ find: latest, latest }, undefined)).rejects.toThrow("broken");
  });
});
