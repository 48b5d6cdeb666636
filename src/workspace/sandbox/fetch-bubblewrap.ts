import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../find-program.ts";
import { type ProgramResult, runProgram } from "../run-program.ts";
import { findBubblewrap, isOurs, ownProgramsFolder, startUnpacked, UNPACKED } from "./find-bubblewrap.ts";

/** The result, in a sentence for people. `fetched`: it lies in Forge's own folder now. */
export type FetchOutcome =
  | { readonly state: "present" }
  | { readonly state: "fetched" | "impossible"; readonly detail: string };

const UPDATE_MS = 180_000;
const DOWNLOAD_MS = 60_000;

/** The libraries that bubblewrap is linked with, besides the C library that everything here is. */
const LIBRARIES = ["libcap2", "libselinux1", "libpcre2-8-0"];

/** The signature of the distribution decides, whatever the machine's own settings permit. */
const SIGNED_ONLY = [
  "APT::Get::AllowUnauthenticated=false",
  "Acquire::AllowInsecureRepositories=false",
  "Acquire::AllowWeakRepositories=false",
  "Acquire::AllowDowngradeToInsecureRepositories=false",
  "Acquire::Retries=2",
  "Acquire::http::Timeout=30",
  "Acquire::https::Timeout=30",
];

/** Variables handed to apt: the way out of this network, and the operator's configuration. */
const HANDED_ON = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "APT_CONFIG"];

/**
 * Brings bubblewrap to a Debian or Ubuntu without it: the distribution's signed package, by apt, unpacked into Forge's own folder.
 * Needs no root, and changes nothing of the system. Only people start this: a server never downloads a program by itself.
 */
export async function fetchBubblewrap(): Promise<FetchOutcome> {
  if ((await findBubblewrap()) !== undefined) return { state: "present" };
  if (process.platform !== "linux") return impossible("bubblewrap exists for Linux only");
  const folder = ownProgramsFolder();
  if (folder === undefined) return impossible("this user has no home folder to keep it in");
  return fetchBubblewrapInto(folder);
}

/** The same into a folder that is given, whether or not there is a bubblewrap elsewhere. Made if need be. */
export async function fetchBubblewrapInto(folder: string): Promise<FetchOutcome> {
  for (const program of ["apt-get", "dpkg-deb"]) {
    if ((await findProgram(program)) === undefined) return impossible(`there is no ${program} here`);
  }
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    // Root may start with a umask that keeps everybody out, also the user that it becomes in the sandbox.
    if (process.getuid?.() === 0) await chmod(folder, 0o755);
    if (!isOurs(folder)) return impossible(`others may write to ${folder}`);
    const work = await mkdtemp(join(folder, "fetching-"));
    try {
      return await fetchBy(folder, work);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  } catch (error) {
    return impossible(error instanceof Error ? error.message : String(error));
  }
}

async function fetchBy(folder: string, work: string): Promise<FetchOutcome> {
  // apt gives up root for downloads, and has to pass.
  await chmod(work, 0o755);
  const lists = await download(work, ["bubblewrap"]);
  if ("problem" in lists) return impossible(lists.problem);
  const unpacked = join(work, UNPACKED);
  await unpack(work, unpacked);
  let said = await askVersion(unpacked);
  if (!said.ok) {
    const more = await download(work, LIBRARIES, lists.options);
    if ("problem" in more) return impossible(more.problem);
    await unpack(work, unpacked);
    said = await askVersion(unpacked);
  }
  if (!said.ok) return impossible(lastLine(said));
  const version = said.stdout.toString().trim();
  const place = join(folder, UNPACKED);
  await rm(place, { recursive: true, force: true });
  await rename(unpacked, place).catch((error: NodeJS.ErrnoException) => {
    // Somebody else was faster with the same.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
  return { state: "fetched", detail: `${version}, the distribution's signed package, was fetched into ${place}` };
}

type Lists = { readonly options: readonly string[] } | { readonly problem: string };

/** By the lists that the machine has; where they are missing or out of date, by lists of our own. */
async function download(work: string, packages: readonly string[], known?: readonly string[]): Promise<Lists> {
  const options = known ?? [];
  if ((await apt(work, options, ["download", ...packages], DOWNLOAD_MS)).ok) return { options };
  const own = [`Dir::State::lists=${join(work, "lists")}`, `Dir::Cache=${join(work, "cache")}`];
  await mkdir(join(work, "lists", "partial"), { recursive: true });
  await mkdir(join(work, "cache", "archives", "partial"), { recursive: true });
  // A foreign source of packages that does not answer is none of our business: what counts is what comes of it.
  const updated = await apt(work, own, ["update"], UPDATE_MS);
  const result = await apt(work, own, ["download", ...packages], DOWNLOAD_MS);
  if (result.ok) return { options: own };
  return { problem: `apt-get could not download it: ${lastLine(updated.ok ? result : updated)}` };
}

function apt(cwd: string, options: readonly string[], args: readonly string[], timeoutMs: number) {
  const given = [...SIGNED_ONLY, ...options].flatMap((option) => ["-o", option]);
  const env = Object.fromEntries(
    HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return runProgram({
    ...{ command: "apt-get", args: ["-qq", ...given, ...args], cwd, timeoutMs },
    ...{ env: { ...env, LC_ALL: "C" }, maxOutputBytes: 1_000_000 },
  });
}

async function unpack(work: string, into: string): Promise<void> {
  for (const name of await readdir(work)) {
    if (!name.endsWith(".deb")) continue;
    const args = ["-x", join(work, name), into];
    const result = await runProgram({ command: "dpkg-deb", args, timeoutMs: DOWNLOAD_MS, maxOutputBytes: 1_000 });
    if (!result.ok) throw new Error(`${name} could not be unpacked: ${lastLine(result)}`);
    await rm(join(work, name));
  }
}

async function askVersion(folder: string): Promise<ProgramResult> {
  const [command = "", ...args] = await startUnpacked(folder);
  return runProgram({ command, args: [...args, "--version"], timeoutMs: DOWNLOAD_MS, maxOutputBytes: 1_000 });
}

function lastLine({ stderr, code, timedOut }: ProgramResult): string {
  if (timedOut) return "it took too long";
  return stderr.toString().trim().split("\n").at(-1)?.slice(0, 300) || `exit code ${code}`;
}

function impossible(reason: string): FetchOutcome {
  return { state: "impossible", detail: `bubblewrap could not be fetched: ${reason}` };
}
