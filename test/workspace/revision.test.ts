import { describe, expect, it } from "vitest";
import { parseRemoteUrl } from "../../src/workspace/remote-access.ts";
import { requireObjectId, requireReference, requireRepositoryPath } from "../../src/workspace/revision.ts";

describe("what is refused before git sees it", () => {
  it.each([
    "",
    "main",
    "HEAD",
    "--upload-pack=touch x",
    "a".repeat(39),
    "A".repeat(40),
    `${"a".repeat(40)}\n`,
    "a".repeat(41),
  ])("SEC-3: an object id %j", (text) => {
    expect(() => requireObjectId(text)).toThrow("Not a full object id");
  });

  it.each([
    "main",
    "--upload-pack=touch x",
    "refs/heads/--upload-pack=touch x",
    "refs/heads/a..b",
    "refs/heads/a:refs/heads/b",
    "refs/heads/*",
    "refs/heads/a.lock",
    "refs/heads/.hidden",
    "refs/heads//a",
    "refs/heads/a/",
    "refs/heads/a.",
    "refs/heads/@{1}",
    "refs/heads/a\u0000b",
    "refs/heads/a\\b",
    "refs/heads/\ud800",
  ])("SEC-3: a reference %j", (text) => {
    expect(() => requireReference(text)).toThrow("Not a full reference");
  });

  it.each(["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a\0b", '"caf\\351"'])("SEC-3: a path %j", (text) => {
    expect(() => requireRepositoryPath(text)).toThrow("Not a path inside a repository");
  });

  it("accepts what is well formed", () => {
    expect(requireObjectId("a".repeat(40))).toBe("a".repeat(40));
    expect(requireObjectId("0".repeat(64))).toBe("0".repeat(64));
    expect(requireReference("refs/pull/7/head")).toBe("refs/pull/7/head");
    expect(requireReference("refs/heads/--upload-pack=x")).toBe("refs/heads/--upload-pack=x");
    expect(requireRepositoryPath(".github/forge.yml")).toBe(".github/forge.yml");
  });
});

describe("the address of a repository", () => {
  it.each([
    "file:///srv/git/x.git",
    "ext::sh -c touch% x",
    "ssh://git@example.com/x.git",
    "git@example.com:x.git",
    "/srv/git/x.git",
    "--upload-pack=touch x",
    "http://example.com/x.git",
    "https://user@example.com/x.git",
    "https://x-access-token:secret@example.com/x.git",
    "https://example.com/x.git?a=b",
    "https://example.com/x.git#a",
  ])("SEC-3: %j is refused", (url) => {
    expect(() => parseRemoteUrl(url, false)).toThrow("The address of the repository is refused");
  });

  it("SEC-2: the refusal does not repeat a password", () => {
    expect(() => parseRemoteUrl("https://u:secret@example.com/x.git", false)).not.toThrow("secret");
  });

  it("takes https always and http only where it is allowed", () => {
    expect(parseRemoteUrl("https://github.com/o/r.git", false)).toBe("https://github.com/o/r.git");
    expect(parseRemoteUrl("http://127.0.0.1:3001/o/r.git", true)).toBe("http://127.0.0.1:3001/o/r.git");
    expect(() => parseRemoteUrl("file:///x.git", true)).toThrow("file: is not https: or http:");
  });
});
