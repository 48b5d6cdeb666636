import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBubblewrap } from "../../src/workspace/sandbox/find-bubblewrap.ts";
import { bubblewrapArguments, planBox } from "../../src/workspace/sandbox/plan-box.ts";
import { BOX_FOLDER, type SandboxSpec } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { LIMITS, shell, temporaryFolder } from "./sandbox-machine.ts";

const isRoot = process.getuid?.() === 0;

/** A folder that hostile programs have written to, and one outside of it that they would like to. */
function clones() {
  const [writable, outside] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [writable, outside]) chmodSync(folder, 0o777);
  return { writable, outside };
}

/** bubblewrap itself, as an ordinary user, told to mount something by way of what hostile programs wrote. */
async function mountThrough(writable: string, target: string): Promise<void> {
  const [command = "", ...rest] = (await findBubblewrap()) ?? [];
  const root = [
    "--unshare-user",
    "--ro-bind",
    "/usr",
    "/usr",
    "--symlink",
    "usr/bin",
    "/bin",
    "--symlink",
    "usr/lib",
    "/lib",
  ];
  const args = [...rest, ...root, "--symlink", "usr/lib64", "/lib64", "--bind", writable, BOX_FOLDER];
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  spawnSync(command, [...args, "--ro-bind", "/etc/hostname", `${BOX_FOLDER}/${target}`, "--", "true"], user);
}

async function isBefore012(): Promise<boolean> {
  const [command = "", ...args] = (await findBubblewrap()) ?? [];
  const [, major, minor] = /(\d+)\.(\d+)/.exec(spawnSync(command, [...args, "--version"]).stdout.toString()) ?? [];
  return Number(major) === 0 && Number(minor) < 12;
}

const MOUNTING = new Set(["--bind", "--ro-bind", "--ro-bind-try", "--dev-bind", "--symlink"]);
const MAKING = new Set(["--tmpfs", "--proc", "--dev", "--dir", "--mqueue", "--remount-ro"]);

/** Every place in the new root that bubblewrap is told to make or to mount on. */
async function mountPoints(spec: Partial<SandboxSpec>): Promise<string[]> {
  const words = bubblewrapArguments(await planBox({ ...LIMITS, command: "true", args: [], ...spec }));
  return words.flatMap((word, index) => {
    if (MOUNTING.has(word)) return [words[index + 2]!];
    return MAKING.has(word) ? [words[index + 1]!] : [];
  });
}

describeInSandbox("SEC-1: a bubblewrap that follows links to mount points (GHSA-pxhw-h44j-8pfx)", (sandbox) => {
  it("the attack itself, without Forge's plan: from 0.12 on it leads nowhere, before it does unless the distribution mended it", async () => {
    const { writable, outside } = clones();
    await shell(sandbox, `ln -s /oldroot${outside} sub`, { writable });
    await mountThrough(writable, "sub/planted");
    expect((await isBefore012()) ? ["planted", ""] : [""]).toContain(readdirSync(outside).join());
  });

  it("no link that a run plants leads anything of the next run out of the sandbox", async () => {
    const { writable, outside } = clones();
    const packages = temporaryFolder();
    chmodSync(packages, 0o755);
    writeFileSync(join(packages, "package"), "read only\n");
    const names = [".git", "node_modules", "etc", "tmp", "usr", "opt", "proc", "dev", "box", "..git"];
    for (const target of [`/oldroot${outside}`, `/oldroot${outside}/new`, `/newroot/..${outside}`, outside, "/"]) {
      const plant = `for name in ${names.join(" ")}; do rm -rf $name; ln -sfn ${target} $name; done; readlink .git`;
      expect((await shell(sandbox, plant, { writable })).stdout.toString()).toBe(`${target}\n`);
      const look = `cat ${packages}/package; ls -A ${outside}`;
      const result = await shell(sandbox, look, { writable, readOnly: [packages] });
      expect([target, result.stdout.toString()]).toEqual([target, "read only\n"]);
    }
    expect(readdirSync(outside)).toEqual([]);
    expect(readFileSync(join(packages, "package"), "utf8")).toBe("read only\n");
  });

  it("refuses to show something by way of what is hostile", async () => {
    const { writable, outside } = clones();
    const packages = temporaryFolder();
    symlinkSync(outside, join(packages, "link"));
    const refused = { code: "sandbox_failed" };
    const paths = [`${BOX_FOLDER}/sub`, BOX_FOLDER, join(packages, "link")];
    for (const path of paths) {
      const run = shell(sandbox, "true", { writable, readOnly: [packages, path] });
      await expect(run, path).rejects.toMatchObject(refused);
    }
  });
});

describe("SEC-1: where the sandbox mounts", () => {
  it("nowhere inside of the writable folder, nor of a folder that is shown", async () => {
    const { writable, outside } = clones();
    mkdirSync(join(outside, "part"));
    const before = await mountPoints({ writable });
    const points = await mountPoints({ writable, readOnly: [outside, join(outside, "part"), `${outside}/`] });
    expect(points.filter((point) => point.startsWith(BOX_FOLDER))).toEqual([BOX_FOLDER]);
    // The part is seen with the whole.
    expect(points.filter((point) => !before.includes(point))).toEqual([outside]);
  });
});
