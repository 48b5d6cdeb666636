import { describe, expect, it } from "vitest";
import { cleanPath, isGitName, refuseNewName } from "../../../src/workspace/files/clean-path.ts";
import fc from "../../properties.ts";

const reason = (path: string) => {
  const clean = cleanPath(path);
  return clean.ok ? "taken" : clean.reason;
};

describe("a path from a model", () => {
  it("SEC-4: is relative, and forgiven its ./ and slashes at the end", () => {
    expect(cleanPath("./src//a.ts")).toMatchObject({ ok: true, path: "src/a.ts" });
    expect(cleanPath("src/")).toMatchObject({ ok: true, path: "src" });
    expect(cleanPath(".")).toMatchObject({ ok: true, path: "" });
  });

  it.each([
    "/etc/passwd",
    "C:\\x",
    "c:/x",
    "~/.ssh/id_rsa",
    "./~/x",
    "./C:/x",
    "../a",
    "a/../../b",
    "a/..",
    "\0",
    "a\0b",
    "\ud800",
    `"caf\\351"`,
  ])("SEC-4: is refused when it is %j", (path) => {
    expect(reason(path)).toBe("invalid path");
  });

  it.each([
    ".git/config",
    ".GIT/config",
    "a/.Git/hooks/x",
    ".git./config",
    ".git /x",
    ".git. . /x",
    "git~1/config",
    "GIT~2",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/x",
    "．git/config".normalize("NFC"),
  ])("SEC-4: never leads into .git, spelled %j", (path) => {
    expect(reason(path)).toBe("git's own");
  });

  it("leaves names alone that only look alike", () => {
    for (const path of [".gitignore", ".github/forge.yml", "git", "a.git/b", ".gitattributes"])
      expect(reason(path)).toBe("taken");
  });

  it("names the trouble of a very long one without repeating it all", () => {
    const clean = cleanPath("a/".repeat(5_000));
    expect(clean).toMatchObject({ ok: false, reason: "invalid path" });
    expect(clean.ok ? "" : clean.detail.length).toBeLessThan(400);
  });

  it("SEC-4: property: whatever is given, what is taken stays below the root and out of .git", () => {
    const part = fc.oneof(
      fc.constantFrom("~", "..", ".", "", ".git", ".GIT", "git~1", ".git.", "a", "-rf", "a b", "\n", "é"),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
        const clean = cleanPath(`${absolute ? "/" : ""}${parts.join("/")}`);
        if (!clean.ok) return;
        expect(clean.path.startsWith("/")).toBe(false);
        for (const name of clean.parts) {
          expect(["", ".", ".."]).not.toContain(name);
          expect(name).not.toContain("/");
          expect(isGitName(name)).toBe(false);
        }
        expect(cleanPath(clean.path)).toMatchObject({ ok: true, path: clean.path });
      }),
      { numRuns: 500 },
    );
  });

  it("may not become a new file with a name that hides something or looks like an option", () => {
    const refused = (path: string) => {
      const clean = cleanPath(path);
      return clean.ok && refuseNewName(clean) !== undefined;
    };
    for (const path of ["a\nb", "-rf", "src/--config", "a\u202eb", "a\u200b", "a\\b", "con.", "trailing ", ""]) {
      expect([path, refused(path)]).toEqual([path, true]);
    }
    expect(refused("src/new-file.ts")).toBe(false);
  });
});
