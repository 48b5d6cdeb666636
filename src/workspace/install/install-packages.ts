import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import type { RepositoryFiles } from "../files/repository-files.ts";
import { removeFolder } from "../remove-folder.ts";
import type { InstallResult, InstallSpec, Sandbox, SandboxUnavailable } from "../sandbox/sandbox.ts";
import { makeTemporary } from "../scratch.ts";
import { keepPackages, type PackageCache } from "./package-cache.ts";
import { LOCK_FILES, type Manager, packageFiles, type Wanted } from "./package-plan.ts";
import { planPackages } from "./plan-packages.ts";

/** Where packages come from, and where they are kept. */
export interface PackageSource extends PackageCache {
  /** Registry hosts by name, from the operator's configuration only. Nothing else is reached. */
  readonly registries: readonly string[];
  /** The operator's settings of package managers, such as `npm_config_registry`. Never a secret. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface InstallRequest {
  readonly source: PackageSource;
  /** Of the commit whose packages are wanted. */
  readonly files: Pick<RepositoryFiles, "list" | "readMany">;
  readonly sandbox: Sandbox | SandboxUnavailable | undefined;
  /** Of the base commit, as `2026-01-31`: without a lock file nothing newer is installed. */
  readonly day: string | undefined;
  readonly signal: AbortSignal;
}

/** Packages that are ready: in use until they are disposed of. */
export interface Packages extends AsyncDisposable {
  /** Shown read-only to what is run. */
  readonly folder: string;
  /** Whether an earlier installation was taken. */
  readonly kept: boolean;
  /** Notes for people, in sentences. May hold words of the repository. */
  readonly notes: readonly string[];
}

export type PackagesOutcome =
  | { readonly installed: true; readonly packages: Packages }
  /** `needed` is false where the repository asks for no packages. The reason may hold words of the repository: data to be escaped where it is shown. */
  | { readonly installed: false; readonly needed: boolean; readonly reason: string };

/** @param reason of an installation that was needed and did not come about */
export function noteMissing(reason: string): string {
  return `The packages of the repository could not be installed, so nothing that needs them was run: ${reason}.`;
}

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

/** Of a manifest or a lock file: those of thousands of packages have some megabytes. */
const LARGEST_FILE = 16 * MIB;

const NOTHING_NEEDED = { installed: false, needed: false, reason: "there are no packages to install" } as const;

/**
 * Makes the packages ready that the root of a commit asks for, with the network reaching registries only and no scripts run (SEC-1);
 * from the cache where they were installed before. A failing installation is an outcome: work goes on without packages, and says so.
 * @throws the signal's reason
 */
export async function installPackages(request: InstallRequest): Promise<PackagesOutcome> {
  const { files, sandbox, source, day, signal } = request;
  const listed = await files.list(signal);
  const paths = listed.ok ? packageFiles(listed.paths) : [];
  if (paths.length === 0) return NOTHING_NEEDED;
  const read = await files.readMany(paths, signal, LARGEST_FILE);
  const unread = paths.find((path) => LOCK_FILES.includes(path) && !read.has(path));
  if (unread !== undefined) return notInstalled(`${unread} cannot be read, or has more than ${LARGEST_FILE / MIB} MiB`);
  const texts = new Map([...read].map(([path, content]) => [path, content.toString("utf8")]));
  const planning = { texts, day, registries: source.registries };
  const plans = await planPackages(planning, signal);
  if ("reason" in plans) return notInstalled(plans.reason);
  const wanted = plans.filter((plan) => plan.kind === "install");
  const [impossible] = plans.filter((plan) => plan.kind === "impossible");
  if (wanted.length === 0 && impossible) return notInstalled(impossible.reason);
  if (wanted.length === 0) return NOTHING_NEEDED;
  if (sandbox === undefined || "unavailable" in sandbox) return notInstalled("there is no sandbox on this machine");
  const place = { ...request, sandbox };
  await using managers = new AsyncDisposableStack();
  const ready: Ready[] = [];
  for (const plan of wanted) {
    const manager = await bringManager(place, plan.manager);
    if (typeof manager !== "string") {
      ready.push({ plan, program: manager && managers.use(manager).program });
      continue;
    }
    const others = await planPackages({ ...planning, without: manager }, signal);
    if ("reason" in others) return notInstalled(others.reason);
    ready.push(...others.flatMap((other) => (other.kind === "install" ? [{ plan: other, program: undefined }] : [])));
  }
  const kept = await keepPackages(request.source, {
    key: [...MACHINE, ...ready.flatMap(keyOf)],
    make: (folder) => installAll(place, ready, folder),
    signal,
  });
  signal.throwIfAborted();
  if (typeof kept === "string") return notInstalled(kept);
  const notes = JSON.parse(await readFile(join(kept.folder, NOTES), "utf8")) as string[];
  // What one language needs is no use to another.
  const missing = impossible ? [`Not all packages were installed: ${impossible.reason}.`] : [];
  return { installed: true, packages: { ...kept, notes: [...notes, ...missing] } };
}

/** Raised when what is made of the same inputs changes. */
const GENERATION = "2";
const MACHINE = [GENERATION, process.platform, process.arch, process.versions.modules];

interface Ready {
  readonly plan: Wanted;
  /** Undefined: the machine's own. */
  readonly program: Program | undefined;
}

interface Program {
  readonly file: string;
  readonly folder: string;
  readonly version: string;
}

type SandboxedRequest = Omit<InstallRequest, "sandbox"> & { readonly sandbox: Sandbox };

function keyOf({ plan, program }: Ready): string[] {
  const inputs = [...plan.inputs].sort().flat();
  return [
    plan.manager.name,
    program?.version ?? "",
    ...plan.args,
    ...inputs,
    plan.requirements ?? "",
    ...(plan.notes ?? []),
  ];
}

/** Beside what was installed: how it was, in sentences. */
const NOTES = "forge-notes.json";
/** npm's errors where no version of a package is old enough. */
const TOO_NEW = /\b(?:ETARGET|ENOVERSIONS)\b/;

async function installAll(
  place: SandboxedRequest,
  ready: readonly Ready[],
  folder: string,
): Promise<string | undefined> {
  const notes: string[] = [];
  for (const { plan, program } of ready) {
    for (const [path, text] of plan.inputs) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    let done: Pick<Wanted, "notes"> = plan;
    let reason = await attempt(place, plan, folder, program);
    if (reason !== undefined && plan.ifTooNew && TOO_NEW.test(reason)) {
      done = plan.ifTooNew;
      reason = await attempt(place, { ...plan, ...plan.ifTooNew }, folder, program);
    }
    if (reason !== undefined) return reason;
    notes.push(...(done.notes ?? []));
  }
  await writeFile(join(folder, NOTES), JSON.stringify(notes), { flag: "wx" });
  return undefined;
}

/** @returns why it failed */
async function attempt(
  place: SandboxedRequest,
  plan: Wanted,
  folder: string,
  program: Program | undefined,
): Promise<string | undefined> {
  const result = await runManager(place, plan, folder, program);
  place.signal.throwIfAborted();
  if (typeof result === "string") return result;
  return result.ok ? undefined : reasonOf(plan.manager.name, result);
}

async function runManager(
  { source, sandbox, signal }: SandboxedRequest,
  { manager, args, requirements }: Wanted,
  writable: string,
  program: Program | undefined,
): Promise<InstallResult | string> {
  const { registries: allowedHosts, env = {} } = source;
  const spec: InstallSpec = {
    ...LIMITS,
    ...{ command: manager.name, args, writable, allowedHosts, env, signal },
    ...defined({ program }),
  };
  const folder = await makeTemporary("requirements");
  try {
    if (requirements === undefined) return await sandbox.runInstall(spec);
    const file = join(folder, "requirements.txt");
    // The user inside may be another one, and has to pass and read.
    await chmod(folder, 0o711);
    await writeFile(file, requirements, { mode: 0o644 });
    return await sandbox.runInstall({ ...spec, args: [...args, `--requirement=${file}`], readOnly: [file] });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeError)) throw error;
    return error.code === "program_missing" ? `${manager.name} is not on this machine` : error.message;
  } finally {
    await removeFolder(folder);
  }
}

/** Package managers as packages of the registry. Bun's are programs for one sort of machine each. */
const PACKAGE_OF: Partial<Record<Manager["name"], string>> = {
  pnpm: "pnpm",
  yarn: "yarn",
  "yarn-berry": "@yarnpkg/cli-dist",
  bun: process.arch === "arm64" ? "@oven/bun-linux-aarch64" : "@oven/bun-linux-x64-baseline",
};

/**
 * Brings a package manager in the version that the repository names, from the configured registries, checked by its integrity there, as
 * any package: into the cache.
 * @returns undefined where it is the machine's own; why it cannot be had, in half a sentence
 */
async function bringManager(
  place: SandboxedRequest,
  { name, version = "latest" }: Manager,
): Promise<(AsyncDisposable & { readonly program: Program }) | string | undefined> {
  const packageName = PACKAGE_OF[name];
  if (packageName === undefined) return undefined;
  const manifest = `${JSON.stringify({ private: true, dependencies: { [packageName]: version } })}\n`;
  const args = ["install", "--no-package-lock", "--force"];
  const plan: Wanted = {
    kind: "install",
    manager: { name: "npm" },
    args,
    inputs: new Map([["package.json", manifest]]),
  };
  const ready = [{ plan, program: undefined }];
  const kept = await keepPackages(place.source, {
    key: [...MACHINE, "manager", ...ready.flatMap(keyOf)],
    make: (folder) => installAll(place, ready, folder),
    signal: place.signal,
  });
  if (typeof kept === "string") return `${name} ${version} cannot be had (${kept})`;
  const own = join(kept.folder, "node_modules", packageName);
  const found = JSON.parse(await readFile(join(own, "package.json"), "utf8")) as {
    readonly version: string;
    readonly bin?: string | Readonly<Record<string, string>>;
  };
  const bin =
    typeof found.bin === "string" ? found.bin : (found.bin?.[name === "yarn-berry" ? "yarn" : name] ?? "bin/bun");
  const program = { file: join(own, bin), folder: kept.folder, version: found.version };
  return { program, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

function notInstalled(reason: string): PackagesOutcome {
  return { installed: false, needed: true, reason };
}

function reasonOf(command: string, { limitHit, refusedHosts, stderr, stdout }: InstallResult): string {
  if (limitHit !== undefined) return `${command} was ended at its limit of ${limitHit}`;
  if (refusedHosts.length > 0)
    return `${command} asked for hosts that are not allowed: ${refusedHosts.slice(0, 5).join(", ")}`;
  // pnpm and Yarn say on standard output what went wrong.
  const lines = `${stdout.toString("utf8")}\n${stderr.toString("utf8")}`.trim().split("\n");
  const errors = lines.filter(saysError).slice(0, 4);
  const said = (errors.length > 0 ? errors : lines.slice(-3)).join(" ").replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return `${command} failed: ${said.replace(/\s+/g, " ").trim().slice(0, 300)}`;
}

function saysError(line: string): boolean {
  if (/\berr(?:or)?\b|ERR_/i.test(line)) return true;
  // Codes of Yarn stand before every message.
  const code = line.search(/YN0[0-9]+: /i);
  return code !== -1 && /error|fail/i.test(line.slice(code));
}
