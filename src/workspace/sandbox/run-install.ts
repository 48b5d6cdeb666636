import { chmod, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import { ForgeError } from "../../domain/errors.ts";
import { requireProgram } from "../find-program.ts";
import { contains } from "../path-text.ts";
import { removeFolder } from "../remove-folder.ts";
import { makeTemporary } from "../scratch.ts";
import { startRegistryProxy } from "./registry-proxy.ts";
import {
  INSTALL_LIMITS,
  INSTALLERS,
  type InstallResult,
  type InstallSpec,
  type SandboxResult,
  type SandboxSpec,
} from "./sandbox.ts";
import { socketPath } from "./socket-path.ts";

const INSIDE_FOLDER = fileURLToPath(new URL("./inside", import.meta.url));

/** Options that leave out what a repository or a package would have run. The last of contradicting ones counts. */
const WITHOUT_SCRIPTS: Readonly<Record<InstallSpec["command"], readonly string[]>> = {
  npm: ["--ignore-scripts"],
  pnpm: ["--ignore-scripts", "--ignore-pnpmfile"],
  yarn: ["--ignore-scripts", "--ignore-engines", "--non-interactive"],
  "yarn-berry": ["--mode=skip-build"],
  bun: ["--ignore-scripts", "--no-progress"],
  // A wheel is unpacked; everything else is built, by a program that it brings.
  pip: ["--only-binary=:all:"],
};

/** A registry may be slow, or refuse for a moment. What the operator says of it counts. Milliseconds, and seconds for pip. */
const PATIENCE = {
  npm_config_fetch_retries: "4",
  npm_config_fetch_retry_mintimeout: "2000",
  npm_config_fetch_timeout: "120000",
  YARN_HTTP_RETRY: "5",
  YARN_HTTP_TIMEOUT: "120000",
  PIP_RETRIES: "5",
  PIP_DEFAULT_TIMEOUT: "60",
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

/** Nothing of a repository takes the place of the manager that was chosen, and nothing is written beside the folder and `/tmp`. */
const ENVIRONMENT_OF: Partial<Record<InstallSpec["command"], Readonly<Record<string, string>>>> = {
  pnpm: {
    npm_config_store_dir: "/tmp/pnpm-store",
    npm_config_manage_package_manager_versions: "false",
    npm_config_package_manager_strict: "false",
    npm_config_engine_strict: "false",
    COREPACK_ENABLE_STRICT: "0",
  },
  yarn: { YARN_IGNORE_PATH: "1", YARN_CACHE_FOLDER: "/tmp/yarn-cache", YARN_NETWORK_TIMEOUT: "120000" },
  "yarn-berry": {
    YARN_IGNORE_PATH: "1",
    YARN_ENABLE_SCRIPTS: "false",
    YARN_ENABLE_TELEMETRY: "false",
    YARN_ENABLE_GLOBAL_CACHE: "true",
    YARN_ENABLE_HARDENED_MODE: "false",
    YARN_GLOBAL_FOLDER: "/tmp/yarn",
    // Fifty at once, as it likes, are more than the way out has room for when it is slow.
    YARN_NETWORK_CONCURRENCY: "12",
    // What is run finds its packages as Node does, also where the project's own way is Plug'n'Play.
    YARN_NODE_LINKER: "node-modules",
  },
  bun: { BUN_INSTALL_CACHE_DIR: "/tmp/bun-cache", DO_NOT_TRACK: "1" },
  pip: {
    PIP_CONFIG_FILE: "/dev/null",
    PIP_CACHE_DIR: "/tmp/pip-cache",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_NO_INPUT: "1",
  },
};

/**
 * Installs dependencies with the network reaching the allowed hosts only, through a proxy of ours that exists for this run.
 * @throws ForgeError `install_refused`, `program_missing`, `sandbox_failed`
 */
export async function runInstall(
  run: (spec: SandboxSpec) => Promise<SandboxResult>,
  { command, args, program: given, allowedHosts, env, readOnly = [], ...limits }: InstallSpec,
): Promise<InstallResult> {
  if (!INSTALLERS.includes(command)) throw installRefused(command);
  const program = given === undefined ? await programOf(command) : startOf(given);
  const folder = await makeTemporary("install");
  try {
    // The user inside may be another one, and has to pass.
    await chmod(folder, 0o711);
    const socket = socketPath(folder, "proxy");
    await using proxy = await startRegistryProxy(socket, allowedHosts);
    const result = await run({
      temporaryBytes: INSTALL_LIMITS.temporaryBytes,
      ...limits,
      command: "node",
      args: [
        join(INSIDE_FOLDER, `forward-to-proxy${CODE_ENDING}`),
        socket,
        ...program.start,
        ...withoutScripts(command, args),
      ],
      readOnly: [INSIDE_FOLDER, socket, ...program.readOnly, ...readOnly],
      env: { ...PATIENCE, ...env, ...INSTALL_ENVIRONMENT, ...ENVIRONMENT_OF[command] },
    });
    return { ...result, refusedHosts: [...proxy.refused] };
  } finally {
    await removeFolder(folder);
  }
}

/** What stands behind `--` is no option any more. */
function withoutScripts(command: InstallSpec["command"], args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return [...options, ...WITHOUT_SCRIPTS[command], ...args.slice(options.length)];
}

/** A package manager of the system is seen inside anyway; one in somebody's home is shown with the package it belongs to. */
async function programOf(command: InstallSpec["command"]): Promise<{ start: string[]; readOnly: string[] }> {
  // The system's own, without the folder it is started in: a `pip.py` of the repository would otherwise be what is run.
  if (command === "pip") return { start: ["python3", "-I", "-m", "pip"], readOnly: [] };
  const program = await realpath(await requireProgram(command));
  const readOnly = contains("/usr", program) ? [] : [dirname(dirname(program))];
  return { start: ["node", program], readOnly };
}

/** A script of Node's, or a program by itself. */
function startOf({ file, folder }: NonNullable<InstallSpec["program"]>): { start: string[]; readOnly: string[] } {
  return { start: /\.[cm]?js$/.test(file) ? ["node", file] : [file], readOnly: [folder] };
}

function installRefused(command: string): ForgeError {
  return new ForgeError(
    "install_refused",
    `${JSON.stringify(command)} cannot be told to leave scripts out: use npm, pnpm, Yarn, Bun or pip.`,
    {
      source: "permission",
      severity: "medium",
      recoverability: "none",
      context: { command },
    },
  );
}
