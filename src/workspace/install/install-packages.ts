import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { removeFolder } from "../remove-folder.ts";
import type { InstallResult } from "../sandbox/sandbox.ts";
import { makeTemporary } from "../scratch.ts";
import type { WorkingTree } from "../working-tree/working-tree.ts";
import { PACKAGE_FILES, type PackagePlan, packagePlans } from "./package-plan.ts";

export interface InstallRequest {
  readonly tree: Pick<WorkingTree, "files" | "runInstall">;
  /** Registry hosts by name, from the operator's configuration only. Nothing else is reached. */
  readonly allowedHosts: readonly string[];
  /** The operator's settings of package managers, such as `npm_config_registry`. Never a secret. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type PackagesOutcome =
  | { readonly installed: true; readonly durationMs: number }
  /** `needed` is false where the repository asks for no packages. The reason may hold words of the repository: data for whoever shows it. */
  | { readonly installed: false; readonly needed: boolean; readonly reason: string };

const MIB = 1024 * 1024;

/** A large project has some 2,000 packages and a gigabyte of them; npm alone takes half a gigabyte of memory for that. */
const LIMITS = {
  timeoutMs: 5 * 60_000,
  cpuSeconds: 300,
  memoryBytes: 2_048 * MIB,
  maxProcesses: 256,
  maxOutputBytes: MIB,
  maxFileBytes: 512 * MIB,
} as const;

/**
 * Installs what the root of the repository asks for, with the network reaching registries only and nobody's scripts run (SEC-1). A failing
 * installation is an outcome: work goes on without packages, and says so.
 * @throws the signal's reason
 */
export async function installPackages({
  tree,
  allowedHosts,
  env = {},
  signal,
}: InstallRequest): Promise<PackagesOutcome> {
  const listed = await tree.files.list(signal);
  const there = listed.ok ? PACKAGE_FILES.filter((path) => listed.paths.includes(path)) : [];
  // One that is too large to be read is there all the same.
  const texts = await tree.files.readMany(there, signal);
  const plans = packagePlans((path) => (there.includes(path) ? (texts.get(path)?.toString("utf8") ?? "") : undefined));
  const impossible = plans.find((plan) => plan.kind === "impossible");
  if (impossible !== undefined) return notInstalled(impossible.reason);
  const wanted = plans.filter((plan) => plan.kind === "install");
  if (wanted.length === 0) return { installed: false, needed: false, reason: "there are no packages to install" };
  if (tree.runInstall === undefined) return notInstalled("there is no sandbox on this machine");
  let durationMs = 0;
  for (const plan of wanted) {
    const result = await attempt(tree.runInstall, plan, { allowedHosts, env, signal });
    signal.throwIfAborted();
    if (typeof result === "string") return notInstalled(result);
    if (!result.ok) return notInstalled(reasonOf(plan.command, result));
    durationMs += result.durationMs;
  }
  return { installed: true, durationMs };
}

async function attempt(
  run: NonNullable<WorkingTree["runInstall"]>,
  { command, args, requirements }: Extract<PackagePlan, { kind: "install" }>,
  place: Pick<InstallRequest, "allowedHosts" | "signal"> & { env: Readonly<Record<string, string>> },
): Promise<InstallResult | string> {
  const folder = await makeTemporary("requirements");
  try {
    if (requirements === undefined) return await run({ ...LIMITS, command, args, ...place });
    const file = join(folder, "requirements.txt");
    // The user inside may be another one, and has to pass and read.
    await chmod(folder, 0o711);
    await writeFile(file, requirements, { mode: 0o644 });
    return await run({ ...LIMITS, command, args: [...args, `--requirement=${file}`], readOnly: [file], ...place });
  } catch (error) {
    place.signal.throwIfAborted();
    if (!(error instanceof ForgeError)) throw error;
    return error.code === "program_missing" ? `${command} is not on this machine` : error.message;
  } finally {
    await removeFolder(folder);
  }
}

function notInstalled(reason: string): PackagesOutcome {
  return { installed: false, needed: true, reason };
}

function reasonOf(command: string, { limitHit, refusedHosts, stderr }: InstallResult): string {
  if (limitHit !== undefined) return `${command} was ended at its limit of ${limitHit}`;
  if (refusedHosts.length > 0)
    return `${command} asked for hosts that are not allowed: ${refusedHosts.slice(0, 5).join(", ")}`;
  const lines = stderr.toString("utf8").split("\n");
  const errors = lines.filter((line) => /\berr(?:or)?\b/i.test(line)).slice(0, 4);
  const said = (errors.length > 0 ? errors : lines.slice(-3)).join(" ").replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return `${command} failed: ${said.replace(/\s+/g, " ").trim().slice(0, 300)}`;
}
