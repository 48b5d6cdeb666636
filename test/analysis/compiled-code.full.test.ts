import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { flagsOf } from "../../src/analysis/reader/child-flags.ts";
import { compiledCodeFolder, sharedCompiledCode, sharedSnapshot } from "../../src/analysis/reader/compiled-code.ts";
import { readingChild, runInside } from "../../src/analysis/reader/run-reader.ts";
import { describeInSandbox } from "../needs/sandbox.ts";

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

  it("OPS-3: is filled where a sandbox that was killed left its mount point", async () => {
    const seen: string[][] = [];
    const folder = join(parent, name, "sandbox");
    const look = async (place: string) => {
      seen.push(readdirSync(place));
      return true;
    };
    for (const version of ["1", "2"]) {
      mkdirSync(join(folder, ".git"), { recursive: true });
      chmodSync(join(parent, name), 0o700);
      expect(await sharedCompiledCode(parent, version, look)).toBe(folder);
    }
    mkdirSync(join(folder, ".git"));
    await sharedSnapshot(folder, "1", () => look(folder));
    expect(seen).toEqual([[], [], []]);
  });

  it("SEC-1: holds a snapshot that was made and tried, whole and once; nothing of one that failed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "forge-compiled-test-"));
    const asked: string[] = [];
    const make = (text: string, well: boolean) => async (file: string) => {
      asked.push(text);
      writeFileSync(join(folder, file), text);
      return well;
    };
    expect(await sharedSnapshot(folder, "version 1", make("broken", false))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    const both = ["whole", "at once"].map((text) => sharedSnapshot(folder, "version 1", make(text, true)));
    const [snapshot, same] = await Promise.all(both);
    expect(same).toBe(snapshot);
    expect(await sharedSnapshot(folder, "version 1", make("again", true))).toBe(snapshot);
    expect(readdirSync(folder).map((file) => join(folder, file))).toEqual([snapshot]);
    expect(readFileSync(snapshot!, "utf8")).toBe("whole");
    expect(await sharedSnapshot(folder, "version 2", make("other", true))).not.toBe(snapshot);
    rmSync(snapshot!);
    expect(await sharedSnapshot(folder, "version 1", make("anew", true))).toBe(snapshot);
    expect(asked).toEqual(["broken", "whole", "other", "anew"]);
  });
});

describeInSandbox("a snapshot of TypeScript", (sandbox) => {
  it("is what children that check types begin from", async () => {
    const folder = await sharedCompiledCode(mkdtempSync(join(tmpdir(), "forge-compiled-test-")), "", async () => true);
    const flags = await flagsOf("types", folder);
    expect(flags).toEqual(["--snapshot-blob", expect.stringContaining(folder!)]);
    const file = { id: 0, path: "a.ts", text: "const a = (b: string) => b;\nfunction c(): void {}\nc(1);\n" };
    const run = await runInside(sandbox, {
      ...readingChild(folder, flags),
      ...{ timeoutMs: 60_000, memoryBytes: 1024 ** 3, maxOutputBytes: 1024 },
      input: JSON.stringify({ parts: [{ task: "types", files: [file] }] }),
      signal: new AbortController().signal,
    });
    const found = { id: 0, result: [{ code: 2554, offset: 52, length: 1 }] };
    expect(run.stdout.toString()).toBe(`"ready"\n${JSON.stringify(found)}\n`);
  });
});
