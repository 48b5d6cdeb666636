import { execFileSync } from "node:child_process";
import { realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFolder } from "../../../src/pipeline/change/read-folder.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

/** A checkout in which git makes files of links, as it does on Windows: `core.symlinks` is false. */
function checkout() {
  const folder = realpathSync(temporaryFolder());
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  for (const name of ["kept", "moved", "filled"]) symlinkSync("a.txt", join(folder, name));
  git("add", "-A");
  git("commit", "-qm", "first");
  git("config", "core.symlinks", "false");
  const place = (name: string, text: string) => {
    rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, name), text);
  };
  return { folder, git, place };
}

it("REV-4a: a file that stands for a link is the link: unchanged where it leads to the same, and told as a link where not", async () => {
  const { folder, git, place } = checkout();
  place("kept", "a.txt");
  place("moved", "b.txt");
  place("filled", "a.txt");
  place("fresh", "a.txt");
  const blob = git("hash-object", "-w", "fresh");
  git("update-index", "--add", "--cacheinfo", `120000,${blob},fresh`);
  const change = await readFolder({ folder, base: "main", all: false });
  expect(change.files.map(({ path, mode }) => [path, mode])).toEqual([
    ["fresh", "120000"],
    ["moved", "120000"],
  ]);
});

it("REV-4a: where git makes links, a file in the place of one is a change of its kind", async () => {
  const { folder, git, place } = checkout();
  git("config", "core.symlinks", "true");
  place("filled", "a.txt");
  const change = await readFolder({ folder, base: "main", all: false });
  expect(change.files).toMatchObject([{ path: "filled", mode: "100644", oldMode: "120000" }]);
});
