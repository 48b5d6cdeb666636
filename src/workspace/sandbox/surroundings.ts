import { existsSync, readFileSync } from "node:fs";
import { findProgram } from "../find-program.ts";
import { runProgram } from "../run-program.ts";

/** What a sandbox needs of the kernel, each built on the one before. */
export type Need = "namespaces" | "identity" | "mounts" | "proc";

export interface Surroundings {
  readonly place: "docker" | "podman" | "kubernetes" | "machine";
  /** The first that was tried in vain; what comes after it could not be tried. Absent where all is given, or nothing could be tried. */
  readonly refused?: Need;
  /** The machine's own settings have switched user namespaces off. */
  readonly areNamespacesOff: boolean;
  /** AppArmor lets user namespaces be made and nothing be done in them (Ubuntu 24.04 and later). */
  readonly areNamespacesTied: boolean;
  /** A filter of system calls is in force for Forge itself. */
  readonly isFiltered: boolean;
  /** The AppArmor profile that Forge runs under. */
  readonly profile?: string;
  /** Something is mounted over parts of `/proc`: the kernel then permits no new one. */
  readonly isProcMasked: boolean;
}

const STEPS: readonly (readonly [Need, readonly string[]])[] = [
  ["namespaces", ["--user"]],
  ["identity", ["--user", "--map-root-user"]],
  ["mounts", ["--user", "--map-root-user", "--mount"]],
  ["proc", ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc"]],
];
const LIMITS = { timeoutMs: 5_000, maxOutputBytes: 1_000 };

/** Tries, one by one, what a sandbox does, and looks at what may forbid it: Docker, Podman and Kubernetes each do by default. */
export async function readSurroundings(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Surroundings> {
  const refused = await firstRefused();
  const label = (read("/proc/self/attr/apparmor/current") || read("/proc/self/attr/current")).trim().split(" ", 1)[0];
  const profile = label === "" || label === "unconfined" ? undefined : label;
  return {
    place: placeOf(environment),
    areNamespacesOff: ["/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone"].some(
      (setting) => read(setting).trim() === "0",
    ),
    areNamespacesTied: read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim() === "1",
    isFiltered: /^Seccomp:\t2$/m.test(read("/proc/self/status")),
    isProcMasked: /^(?:\S+ ){4}\/proc\/(?!sys\/fs\/binfmt_misc)/m.test(read("/proc/self/mountinfo")),
    ...(refused === undefined ? {} : { refused }),
    ...(profile === undefined ? {} : { profile }),
  };
}

async function firstRefused(): Promise<Need | undefined> {
  if ((await findProgram("unshare")) === undefined) return undefined;
  for (const [need, args] of STEPS) {
    const { ok } = await runProgram({ command: "unshare", args: [...args, "true"], ...LIMITS });
    if (!ok) return need;
  }
  return undefined;
}

function placeOf(environment: Readonly<Record<string, string | undefined>>): Surroundings["place"] {
  if (environment.KUBERNETES_SERVICE_HOST) return "kubernetes";
  if (existsSync("/run/.containerenv")) return "podman";
  return existsSync("/.dockerenv") ? "docker" : "machine";
}

/** Empty where the kernel has no such file, or nobody may read it. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
