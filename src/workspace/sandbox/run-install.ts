import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ForgeError } from "../../domain/errors.ts";
import { requireProgram } from "../find-program.ts";
import { contains } from "./contains.ts";
import { startRegistryProxy } from "./registry-proxy.ts";
import { INSTALLERS, type InstallResult, type InstallSpec, type SandboxResult, type SandboxSpec } from "./sandbox.ts";
import { INSTALL_LIMITS } from "./sandbox-limits.ts";

const INSIDE_FOLDER = fileURLToPath(new URL("./inside", import.meta.url));

/** Options that leave out what a repository or a package would have run. The last of contradicting ones counts. */
const WITHOUT_SCRIPTS: Readonly<Record<InstallSpec["command"], readonly string[]>> = {
  npm: ["--ignore-scripts"],
  pnpm: ["--ignore-scripts", "--ignore-pnpmfile"],
};

/**
 * These win over the `.npmrc` of the repository, for pnpm as well. The cache is new each time: a shared one would let one pull
 * request leave something for the next.
 */
const INSTALL_ENVIRONMENT = {
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_userconfig: "/opt/forge/no-user-npmrc",
  npm_config_globalconfig: "/opt/forge/no-global-npmrc",
  npm_config_cache: "/tmp/npm-cache",
  npm_config_git: "/bin/false",
  npm_config_noproxy: "",
  // A registry of the operator's own may be certified by the machine's authorities only.
  NODE_USE_SYSTEM_CA: "1",
};

/**
 * Installs dependencies with the network reaching the allowed hosts only, through a proxy of ours that exists for this run.
 * @throws ForgeError `install_refused`, `program_missing`, `sandbox_failed`
 */
export async function runInstall(
  run: (spec: SandboxSpec) => Promise<SandboxResult>,
  { command, args, allowedHosts, env, readOnly = [], ...limits }: InstallSpec,
): Promise<InstallResult> {
  if (!INSTALLERS.includes(command)) throw installRefused(command);
  const program = await realpath(await requireProgram(command));
  const folder = await mkdtemp(join(tmpdir(), "forge-install-"));
  try {
    // The user inside may be another one, and has to pass.
    await chmod(folder, 0o711);
    const socket = join(folder, "proxy");
    await using proxy = await startRegistryProxy(socket, allowedHosts);
    const result = await run({
      temporaryBytes: INSTALL_LIMITS.temporaryBytes,
      ...limits,
      command: "node",
      args: [join(INSIDE_FOLDER, "forward-to-proxy.ts"), socket, "node", program, ...withoutScripts(command, args)],
      readOnly: [INSIDE_FOLDER, socket, ...installation(program), ...readOnly],
      env: { ...env, ...INSTALL_ENVIRONMENT },
    });
    return { ...result, refusedHosts: [...proxy.refused] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What stands behind `--` is no option any more. */
function withoutScripts(command: InstallSpec["command"], args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return [...options, ...WITHOUT_SCRIPTS[command], ...args.slice(options.length)];
}

/** A package manager of the system is seen inside anyway; one in somebody's home is shown with the package it belongs to. */
function installation(program: string): string[] {
  return contains("/usr", program) ? [] : [dirname(dirname(program))];
}

function installRefused(command: string): ForgeError {
  return new ForgeError(
    "install_refused",
    `${JSON.stringify(command)} cannot be told to leave scripts out: use npm or pnpm.`,
    {
      source: "permission",
      severity: "medium",
      recoverability: "none",
      context: { command },
    },
  );
}
