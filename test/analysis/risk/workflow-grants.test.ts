import { describe, expect, it } from "vitest";
import { grantsMore } from "../../../src/analysis/risk/risk-facts.ts";

const reading = "on: push\npermissions:\n  contents: read\njobs: {}\n";

describe("RISK-1: permissions of a workflow", () => {
  it.each([
    ["a grant in a new workflow", undefined, "permissions:\n  contents: write\n"],
    ["a grant that was not there", reading, reading.replace("read", "write")],
    ["everything at once", reading, "permissions: write-all\n"],
    ["a grant on one line", reading, "permissions: { contents: write }\n"],
    ["a quoted grant", reading, 'permissions:\n  id-token: "write" # for signing\n'],
    ["a limit that is gone, so that the default counts", reading, "on: push\njobs: {}\n"],
    [
      "the same grant for a second job",
      "jobs:\n a:\n  permissions:\n   packages: write\n b:\n  permissions:\n   packages: read\n",
      "jobs:\n a:\n  permissions:\n   packages: write\n b:\n  permissions:\n   packages: write\n",
    ],
  ])("counts %s", (_what, before, after) => {
    expect(grantsMore(before, after)).toBe(true);
  });

  it.each([
    ["a new workflow that only reads", undefined, reading],
    ["a new workflow that says nothing", undefined, "on: push\n"],
    ["a grant that is taken away", reading.replace("read", "write"), reading],
    ["a grant that was there", reading.replace("read", "write"), `# moved\n${reading.replace("read", "write")}`],
    ["a word in a step", reading, `${reading}# how to write: carefully\n      - run: echo write\n`],
  ])("does not count %s", (_what, before, after) => {
    expect(grantsMore(before, after)).toBe(false);
  });
});
