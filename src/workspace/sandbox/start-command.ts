import { programMissing, requireProgram } from "../find-program.ts";
import { findBubblewrap } from "./find-bubblewrap.ts";
import { type BoxPlan, bubblewrapArguments, FILTER_DESCRIPTOR, STATUS_DESCRIPTOR } from "./plan-box.ts";
import { NOBODY } from "./sandbox.ts";

/**
 * How bubblewrap gets to be an ordinary user.
 * - `user`: Forge is one already.
 * - `staged`: Forge is root. Root lays out the folders in a mount namespace, so that they may stand where no other user can go, then drops
 *   its identity and starts the sandbox.
 * - `dropped`: Forge is root without the right to mount, as in most containers: folders have to be within the reach of everybody.
 */
export type StartMode = "user" | "staged" | "dropped";

export function startModes(): readonly StartMode[] {
  return process.getuid?.() === 0 ? ["staged", "dropped"] : ["user"];
}

/**
 * The start-up shell opens the two files while it may, and lets the kernel take the sandbox first when memory runs out. Descriptors
 * left open by the process that started Forge would otherwise be handed down; only bash can close those above 9. It enters the control group
 * before anything else is started. Its text is fixed: everything that varies is an argument.
 */
const PREPARE = `for path in /proc/self/fd/*; do
  number=\${path##*/}
  if ((number > 2)); then eval "exec $number>&-"; fi
done
echo 1000 >/proc/self/oom_score_adj
exec ${FILTER_DESCRIPTOR}<"$1" ${STATUS_DESCRIPTOR}>"$2" || exit 1
shift 2
while [ "$1" != -- ]; do
  echo $$ >"$1" || exit 1
  shift
done
shift
exec -c "$@"`;

export interface StartFiles {
  readonly filter: string;
  readonly status: string;
  /** Of the control group of the run. */
  readonly entrances: readonly string[];
}

/** The whole command line that starts a program in a sandbox, with an empty environment from its first process on. */
export async function startCommand(
  mode: StartMode,
  plan: BoxPlan,
  files: StartFiles,
  program: readonly string[],
): Promise<string[]> {
  const [shell, bubblewrap] = await Promise.all([requireProgram("bash"), findBubblewrap()]);
  if (bubblewrap === undefined) throw programMissing("bwrap");
  // Without these, bash reads the start-up files of the user when its input is a socket, as Node's pipes are.
  const open = [
    shell,
    "--norc",
    "--noprofile",
    "-p",
    "-c",
    PREPARE,
    "start",
    files.filter,
    files.status,
    ...files.entrances,
    "--",
  ];
  if (mode === "user") return [...open, ...bubblewrap, ...bubblewrapArguments(plan), "--", ...program];

  const drop = [await requireProgram("setpriv"), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  if (mode === "dropped") return [...open, ...drop, ...bubblewrap, ...bubblewrapArguments(plan), "--", ...program];

  const stage = stageMounts(plan);
  const outer = ["--die-with-parent", "--dev-bind", "/", "/", "--perms", "0755", "--tmpfs", STAGE, ...stage.arguments];
  const inner = [...bubblewrap, ...bubblewrapArguments(stage.plan), "--", ...program];
  return [...open, ...bubblewrap, ...outer, "--", ...drop, ...inner];
}

/** Exists everywhere and anybody may pass; only the mount namespace of this one start sees it covered. */
const STAGE = "/tmp";

function stageMounts(plan: BoxPlan): { arguments: string[]; plan: BoxPlan } {
  const staged = plan.mounts.map((mount, index) => ({ ...mount, staged: `${STAGE}/${index}` }));
  return {
    arguments: staged.flatMap(({ source, staged }) => ["--bind", source, staged]),
    plan: { ...plan, mounts: staged.map(({ staged, target, writable }) => ({ source: staged, target, writable })) },
  };
}
