import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { enableMemory, openControlGroups } from "../../src/workspace/sandbox/control-groups.ts";
import { findControlGroups } from "../../src/workspace/sandbox/find-control-groups.ts";

/** A folder with these files in it, as the kernel would lay it out. */
function lay(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "forge-groups-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const find = (mounts: readonly string[], groups: readonly string[]) =>
  findControlGroups(lay({ mountinfo: mounts.join("\n"), cgroup: groups.join("\n") }));
const UNIFIED = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";

describe("where the control groups of this process are (SEC-1)", () => {
  it("version 2: the own one and those above it", () => {
    expect(find([UNIFIED], ["0::/system.slice/forge.service"])).toEqual({
      version: 2,
      folders: ["/sys/fs/cgroup/system.slice/forge.service", "/sys/fs/cgroup/system.slice", "/sys/fs/cgroup"],
    });
  });

  it("version 2 in a container that sees its own part only", () => {
    const mount = UNIFIED.replace(" / /sys", " /docker/abc /sys");
    expect(find([mount], ["0::/docker/abc"])).toEqual({ version: 2, folders: ["/sys/fs/cgroup"] });
    expect(find([mount], ["0::/docker/other"])).toBeUndefined();
  });

  it("version 1 where a controller of it counts memory, also beside an empty version 2", () => {
    const mounts = [
      "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
      "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    ];
    expect(find(mounts, ["8:pids:/", "4:memory:/user/abc", "0::/"])).toEqual({
      version: 1,
      memory: "/sys/fs/cgroup/memory/user/abc",
      pids: "/sys/fs/cgroup/pids",
    });
  });

  it("nowhere", () => {
    expect(find([], [])).toBeUndefined();
    expect(findControlGroups("/nowhere")).toBeUndefined();
  });
});

describe("where groups with a limit on memory are made in version 2", () => {
  const folders = (root: string) => ({ version: 2, folders: [join(root, "a/b"), join(root, "a"), root] }) as const;
  const GROUP = { "cgroup.subtree_control": "\n", "cgroup.controllers": "memory pids\n", "cgroup.procs": "" };
  const group = (path: string, files: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries({ ...GROUP, ...files }).map(([name, text]) => [join(path, name), text]));

  it("below the nearest that hands memory down", () => {
    const root = lay({
      ...group("a/b"),
      ...group("a", { "cgroup.subtree_control": "cpu memory pids\n" }),
      ...group(""),
    });
    expect(enableMemory(folders(root))).toEqual([join(root, "a")]);
  });

  it("never past a limit that somebody set for Forge: there Forge moves aside", () => {
    const root = lay({
      ...group("a/b", { "memory.max": "1073741824\n", "cgroup.procs": `${process.pid}\n` }),
      ...group("a", { "cgroup.subtree_control": "memory\n" }),
    });
    expect(enableMemory(folders(root))).toEqual([join(root, "a/b")]);
    expect(readFileSync(join(root, "a/b/forge-itself/cgroup.procs"), "utf8")).toBe(String(process.pid));
    expect(readFileSync(join(root, "a/b/cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  });

  it("nowhere where somebody else is in the group, or memory is not counted", () => {
    const foreign = lay({ ...group("a/b", { "cgroup.procs": "1\n" }) });
    expect(enableMemory(folders(foreign))).toBeUndefined();
    expect(readdirSync(join(foreign, "a/b"))).not.toContain("forge-itself");
    expect(enableMemory(folders(lay(group("a/b", { "cgroup.controllers": "cpu\n" }))))).toBeUndefined();
  });

  it("what a dead Forge left is removed, not what another PID namespace made just now", () => {
    const namespace = readlinkSync("/proc/self/ns/pid").replace(/[^0-9]/g, "");
    // No process has a number above the kernel's largest.
    const names = { dead: `forge+4194305+${namespace}+a`, own: `forge+${process.pid}+${namespace}+b` };
    const elsewhere = { new: "forge+4194305+1+c", old: "forge+4194305+1+d", other: "forged" };
    const root = lay(group("", { "cgroup.subtree_control": "memory\n" }));
    for (const name of [...Object.values(names), ...Object.values(elsewhere)]) mkdirSync(join(root, name));
    utimesSync(join(root, elsewhere.old), 0, 0);
    openControlGroups({ version: 2, folders: [root] });
    expect(readdirSync(root)).toEqual(expect.arrayContaining([names.own, elsewhere.new, elsewhere.other]));
    expect(readdirSync(root)).not.toContain(names.dead);
    expect(readdirSync(root)).not.toContain(elsewhere.old);
  });

  it("a folder that is not the kernel's gives none", () => {
    const root = lay(group("", { "cgroup.subtree_control": "memory\n" }));
    expect(openControlGroups({ version: 2, folders: [root] })).toBeUndefined();
    expect(openControlGroups(undefined)).toBeUndefined();
  });
});
