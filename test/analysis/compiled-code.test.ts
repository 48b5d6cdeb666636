import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { compiledCodeFolder, sharedCompiledCode } from "../../src/analysis/reader/compiled-code.ts";

describe("the folder of compiled analysers", () => {
  let parent: string;
  let name: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "forge-compiled-test-"));
    name = `forge-compiled-${process.getuid?.() ?? "code"}`;
  });

  it("SEC-1: is made for this user alone, and found again", async () => {
    const folder = await compiledCodeFolder(parent);
    expect(folder).toBe(join(parent, name));
    expect(statSync(join(parent, name)).mode & 0o777).toBe(0o700);
    expect(await compiledCodeFolder(parent)).toBe(folder);
  });

  it("SEC-1: is not used where others may write, where it is a link, or where it cannot be made", async () => {
    mkdirSync(join(parent, name));
    chmodSync(join(parent, name), 0o777);
    expect(await compiledCodeFolder(parent)).toBeUndefined();
    const linked = mkdtempSync(join(tmpdir(), "forge-compiled-test-"));
    symlinkSync(parent, join(linked, name));
    expect(await compiledCodeFolder(linked)).toBeUndefined();
    writeFileSync(join(parent, "file"), "");
    expect(await compiledCodeFolder(join(parent, "file"))).toBeUndefined();
  });

  it("SEC-1: is filled once for each version where the sandbox reads it, and used only when that went well", async () => {
    const asked: string[] = [];
    const fill = (said: string, well: boolean) => async (folder: string) => {
      asked.push(`${said} in ${folder.slice(parent.length)}`);
      return well;
    };
    const folder = join(parent, name, "sandbox");
    expect(await sharedCompiledCode(parent, "version 1", fill("failed", false))).toBeUndefined();
    expect(await sharedCompiledCode(parent, "version 1", fill("filled", true))).toBe(folder);
    expect(await sharedCompiledCode(parent, "version 1", fill("again", true))).toBe(folder);
    expect(await sharedCompiledCode(parent, "version 2", fill("filled", true))).toBe(folder);
    expect(asked).toEqual(["failed", "filled", "filled"].map((said) => `${said} in /${name}/sandbox`));
  });
});
