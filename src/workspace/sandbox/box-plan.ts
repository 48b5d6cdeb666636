import { maskedFolders, minimalRoot } from "./minimal-root.ts";

/** One thing of the machine that is seen inside. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

export interface BoxPlan {
  readonly mounts: readonly Mount[];
  readonly temporaryBytes: number;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Forge's own Node stands here: the same one everywhere, and first in PATH. */
export const NODE_FOLDER = "/opt/forge/bin";

/** Who a program inside is: nobody, whoever it is outside. */
export const NOBODY = 65_534;

const FIXED_ENVIRONMENT = {
  HOME: "/tmp",
  LANG: "C.UTF-8",
  PATH: `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`,
  TMPDIR: "/tmp",
};

/** Descriptors that the start-up shell opens for bubblewrap, which closes them before the program starts. */
export const FILTER_DESCRIPTOR = 8;
export const STATUS_DESCRIPTOR = 9;

/** Everything that bubblewrap is told before the program. The order counts: later mounts cover earlier ones. */
export function bubblewrapArguments(plan: BoxPlan): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup"],
    ...["--uid", String(NOBODY), "--gid", String(NOBODY), "--hostname", "box"],
    ...["--cap-drop", "ALL", "--new-session", "--die-with-parent"],
    ...["--seccomp", String(FILTER_DESCRIPTOR), "--json-status-fd", String(STATUS_DESCRIPTOR)],
    ...minimalRoot(plan.temporaryBytes),
    ...plan.mounts.flatMap(({ source, target, writable }) => [writable ? "--bind" : "--ro-bind", source, target]),
    // These are file systems in memory, which the program would otherwise own and fill.
    // The kernel's folder of processes takes no writing either: a program would make itself the last to go when memory runs out.
    ...["/", "/proc", ...maskedFolders()].flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", plan.workingDirectory, "--clearenv"],
    ...Object.entries({ ...FIXED_ENVIRONMENT, ...plan.env }).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}
