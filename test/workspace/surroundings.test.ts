import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lacksOf } from "../../src/app/sandbox-advice.ts";
import { findBubblewrap } from "../../src/workspace/sandbox/find-bubblewrap.ts";
import type { Surroundings } from "../../src/workspace/sandbox/surroundings.ts";
import { systemCallFilter } from "../../src/workspace/sandbox/system-call-filter.ts";
import { describeBoxed } from "../needs/sandbox.ts";

const CHILD = [process.execPath, join(import.meta.dirname, "surroundings-child.ts")];
const FREE = ["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--proc", "/proc"];

const bubblewrap = await findBubblewrap();

/** What Forge finds out in a process that is started like this. */
function seenBy(starter: readonly string[], filter: number | "ignore" = "ignore"): Surroundings {
  const [command, ...args] = [...starter, ...CHILD];
  const stdio = ["ignore", "pipe", "pipe", filter] as const;
  return JSON.parse(execFileSync(command!, args, { encoding: "utf8", stdio: [...stdio] }));
}
const inside = (args: readonly string[], filter?: number) => seenBy([...bubblewrap!, ...args], filter);

describeBoxed("what a container forbids is found out by trying (SEC-1)", () => {
  it("nothing is refused where the sandbox holds", () => {
    expect(seenBy([])).not.toHaveProperty("refused");
  });

  it("no user namespaces, by the machine's own setting", () => {
    expect(inside(["--unshare-user", "--disable-userns", ...FREE])).toMatchObject({ refused: "namespaces" });
  });

  it("no user namespaces, by a filter of system calls, as Docker and Kubernetes have", () => {
    const folder = mkdtempSync(join(tmpdir(), "forge-filter-"));
    const file = join(folder, "filter");
    writeFileSync(file, systemCallFilter(process.arch, true)!);
    const filter = openSync(file, "r");
    onTestFinished(() => {
      closeSync(filter);
      rmSync(folder, { recursive: true });
    });
    const seen = inside(["--seccomp", "3", ...FREE], filter);
    expect(seen).toMatchObject({ refused: "namespaces", isFiltered: true, areNamespacesOff: false });
    expect(lacksOf({ ...seen, place: "docker" })[0]).toEqual({
      what: "A filter of system calls (seccomp) forbids user namespaces.",
      advice: "--security-opt seccomp=seccomp.json (deploy/seccomp.json of Forge)",
    });
  });

  it("a covered /proc, as every container has it", () => {
    // bubblewrap covers some of its /proc as containers do.
    const seen = inside(FREE);
    expect(seen).toMatchObject({ refused: "proc", isProcMasked: true });
    expect(lacksOf({ ...seen, place: "kubernetes" })).toEqual([
      {
        what: "Parts of /proc are covered, so no new one can be mounted (procMount).",
        advice: "securityContext.procMount: Unmasked with hostUsers: false in the pod (Kubernetes 1.33 or newer)",
      },
    ]);
  });
});

describe("what the sandbox lacks, in words (OPS-6)", () => {
  const docker: Surroundings = {
    place: "docker",
    refused: "namespaces",
    ...{ areNamespacesOff: false, areNamespacesTied: false, isFiltered: true, isProcMasked: true },
    profile: "docker-default",
  };
  const told = (here: Surroundings) => lacksOf(here).map(({ what, advice }) => `${what} → ${advice}`);

  it("all three at once, as Docker forbids them by default", () => {
    expect(told(docker)).toEqual([
      "A filter of system calls (seccomp) forbids user namespaces. → --security-opt seccomp=seccomp.json (deploy/seccomp.json of Forge)",
      "The AppArmor profile docker-default forbids mounts. → --security-opt apparmor=unconfined",
      "Parts of /proc are covered, so no new one can be mounted (procMount). → --security-opt systempaths=unconfined",
    ]);
  });

  it.each<[string, Partial<Surroundings>, string]>([
    ["Podman", { place: "podman", refused: "proc" }, "→ --security-opt unmask=ALL"],
    ["Kubernetes", { place: "kubernetes" }, "→ securityContext.seccompProfile of type Localhost"],
    ["Kubernetes", { place: "kubernetes", refused: "mounts" }, "→ securityContext.appArmorProfile of type Unconfined"],
    ["a node", { place: "kubernetes", areNamespacesOff: true }, "The node has switched user namespaces off. → as root"],
    ["Ubuntu", { place: "machine", refused: "identity", areNamespacesTied: true }, "This machine lets user namespaces"],
    ["a service", { place: "machine" }, "→ no RestrictNamespaces= and no SystemCallFilter="],
  ])("%s: what is said fits the place", (_, change, text) => {
    expect(told({ ...docker, ...change })[0]).toContain(text);
  });

  it("nothing, where nothing is refused", () => {
    const { refused: _, ...free } = docker;
    expect(lacksOf(free)).toEqual([]);
  });
});
