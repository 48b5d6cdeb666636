import { describe, expect, it } from "vitest";
import { refuseOutside, scopeOf, withScope, writtenPaths } from "../../../src/agents/implementer/scope.ts";
import { createPolicy } from "../../../src/agents/loop/policy.ts";
import { tool } from "../kit.ts";
import { plan } from "../planner/fixture.ts";

const [task] = plan().tasks;
const planned = plan({
  tasks: [
    {
      ...task!,
      files: [
        "README.md",
        "packages/a/src/x.ts",
        ".github/workflows/ci.yml",
        ".github/CODEOWNERS",
        "lib/secret/key.ts",
      ],
    },
  ],
});
const paths = ["packages/a/src/x.ts", "packages/a/src/other.ts", "packages/b/src/y.ts", "package.json"];
const scope = scopeOf(planned, { paths, protectedPaths: ["lib/secret/**", "**/billing*"] });

describe("where an implementer may write", () => {
  it.each([
    ["packages/a/src/x.ts", "inside"],
    ["./packages/a/src/x.ts", "inside"],
    ["packages/a/src/x.test.ts", "inside"],
    ["packages/a/test/x.test.ts", "inside"],
    ["packages/a/test/fixtures/one.json", "inside"],
    ["test/whole.test.ts", "inside"],
    ["packages/a/src/new-part.ts", "inside"],
    ["lib/secret/key.ts", "inside"],
    ["packages/a/src/other.ts", "ask"],
    ["packages/b/src/y.ts", "ask"],
    ["packages/b/src/y.test.ts", "ask"],
    ["packages/b/test/y.test.ts", "ask"],
    ["packages/a/src/billing.ts", "ask"],
    ["package.json", "ask"],
    ["vitest.config.ts", "ask"],
    ["packages/a/src/.eslintrc", "ask"],
    [".github/settings/x.json", "ask"],
    ["new-folder/a.ts", "ask"],
    [".github/workflows/ci.yml", "ask"],
    [".github/CODEOWNERS", "ask"],
    [".github/workflows/other.yml", "refused"],
    [".GITHUB/Workflows/other.yml", "refused"],
    [".github/workflows/test/x.test.ts", "refused"],
    [".github/forge.yml", "refused"],
    ["CODEOWNERS", "refused"],
    ["packages/a/src/.npmrc", "refused"],
    [".git/hooks/pre-commit", "refused"],
    ["packages/a/.git /config", "refused"],
    ["../x.ts", "refused"],
    ["/etc/passwd", "refused"],
  ])("SEC-5, LOOP-14: %s is %s", (path, is) => {
    expect(scope(path).is).toBe(is);
  });

  it("LOOP-15: a path that a person allowed is inside", () => {
    const allowed = scopeOf(planned, {
      paths,
      protectedPaths: [],
      allowed: ["./package.json", ".github/workflows/ci.yml"],
    });
    expect(["package.json", ".github/workflows/ci.yml"].map((path) => allowed(path).is)).toEqual(["inside", "inside"]);
  });

  it("IMPL-2: a file that the branch changes already is inside, a governing one needs a word each time", () => {
    const changed = ["package.json", ".github/forge.yml", "lib/new.ts"];
    const branch = scopeOf({ tasks: [] }, { paths, protectedPaths: [], changed });
    expect(changed.map((path) => branch(path).is)).toEqual(["inside", "ask", "inside"]);
    expect(branch("lib/new.test.ts").is).toBe("inside");
    expect(branch("packages/a/src/x.ts").is).toBe("ask");
  });
});

describe("the policy over a scope", () => {
  const policy = withScope(createPolicy({ deny: [], ask: ["run_tests"] }), scope);
  const permit = (name: string, input: unknown) =>
    policy({ id: "1", tool: tool(name, async () => ({ text: "" })), input });
  const patch = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

  it("LOOP-15: asks for a file outside the plan, denies a closed one, and lets the rest be", () => {
    expect(permit("edit_file", { path: "packages/a/src/x.ts" })).toEqual({ decision: "allow" });
    expect(permit("write_file", { path: "package.json" })).toEqual({
      decision: "ask",
      reason: '"package.json" is not among the files of the plan.',
    });
    expect(permit("edit_file", { path: ".github/forge.yml" })).toMatchObject({ decision: "deny" });
    expect(permit("read_file", { path: ".github/forge.yml" })).toEqual({ decision: "allow" });
    expect(permit("run_tests", {})).toMatchObject({ decision: "ask", reason: "run_tests needs a person's approval." });
  });

  it("LOOP-15: reads patches as the tool does, on whichever side a path stands", () => {
    expect(permit("apply_patch", { patch: patch("packages/a/src/x.ts") })).toEqual({ decision: "allow" });
    const both = `${patch("packages/a/src/x.ts")}${patch("package.json")}`;
    expect(permit("apply_patch", { patch: both })).toMatchObject({ decision: "ask" });
    const gone = "--- .github/forge.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    expect(permit("apply_patch", { patch: `${both}${gone}` })).toMatchObject({ decision: "deny" });
    expect(writtenPaths("apply_patch", { patch: `${both}${gone}` })).toEqual([
      "packages/a/src/x.ts",
      "package.json",
      ".github/forge.yml",
    ]);
    expect(writtenPaths("run_command", { path: "a" })).toEqual([]);
    const spaced = "---  a/package.json\n+++ package.json\t2026\n@@ -1 +1 @@\n-a\n+b\n";
    expect(permit("apply_patch", { patch: spaced }).decision).not.toBe("deny");
    expect(permit("apply_patch", { patch: "no patch" })).toEqual({ decision: "allow" });
  });

  it("LOOP-14: the tools' own wall stands where nothing can be asked, and lets through what was", () => {
    const refuse = refuseOutside(scope);
    expect(refuse("packages/a/src/x.ts")).toBeUndefined();
    expect(refuse("package.json")).toBeUndefined();
    expect(refuse(".github/forge.yml")).toContain("is not to be changed");
  });
});
