import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGraphReader } from "../../analysis/map/read-graph.ts";
import { defined } from "../../domain/defined.ts";
import { CONFIGURATION_PATH } from "../../domain/repo-config.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import type { Redact } from "../../safety/redact.ts";
import { type OwnClone, openClone } from "../../workspace/clone.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import { openFolderFiles } from "../../workspace/files/folder-files.ts";
import { createFolderLock } from "../../workspace/folder-lock.ts";
import type { PackageSource } from "../../workspace/install/install-packages.ts";
import { packagesOfFolder } from "../../workspace/install/open-packages.ts";
import { findLocalRepository } from "../../workspace/local/find-repository.ts";
import { readLocalEntry } from "../../workspace/local/local-files.ts";
import { listBase, readLocalBlobs } from "../../workspace/local/local-repository.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import { type FolderRequest, readFolder } from "../change/read-folder.ts";
import { effectiveConfiguration, settleConfiguration } from "../runs/configuration/effective-configuration.ts";
import { runTestingPhase } from "./run-testing-phase.ts";

export interface FolderTestOptions extends FolderRequest {
  /** Where packages come from that are not installed in the folder. */
  readonly packages: PackageSource;
  readonly scratchRoot: string;
  readonly redact: Redact;
  readonly signal: AbortSignal;
  /** Minutes for all that runs; as the folder's configuration has it when left out. */
  readonly minutes?: number;
  readonly onProgress?: (step: string) => void;
}

export interface FolderTests {
  readonly outcome: TestOutcome;
  /** The commit it was compared with; undefined when every file counts as new. */
  readonly base?: string;
  /** Notes for people, in sentences. */
  readonly notes: readonly string[];
}

/** No commit at all: what is there need not be committed. */
const NONE = "0".repeat(40);
const MOST_FILE_BYTES = 64 * 1024 * 1024;
const MINUTE_MS = 60_000;

/**
 * The tests of a folder of this machine, as those of a pull request are run (OPS-1, TEST-1): in copies inside the sandbox, what fails
 * repeated and compared with the base. Nothing in the folder is changed. No model is asked.
 * @throws ForgeError as `readFolder`
 */
export async function testFolder(options: FolderTestOptions): Promise<FolderTests> {
  const { folder, scratchRoot, redact, signal, onProgress } = options;
  const change = await readFolder(options);
  const own =
    change.contents.get(CONFIGURATION_PATH) ?? (await readLocalEntry(folder, CONFIGURATION_PATH, 1024 * 1024))?.content;
  const text = Buffer.isBuffer(own) ? own.toString("utf8") : undefined;
  const { given, problem } = settleConfiguration({ text, where: "in this folder" });
  const { tools, safety } = effectiveConfiguration({ repository: given }).value;
  const found = await openSandbox();
  await using opened = new AsyncDisposableStack();
  onProgress?.("the files are read");
  const place = "unavailable" in found ? undefined : { sandbox: found, scratchRoot };
  const head = place && (await openCopy(headOf(folder, change.paths), place));
  const asked = { source: options.packages, sandbox: found, day: undefined, signal };
  const packages = head && opened.use(await packagesOfFolder(folder, { ...asked, files: head.files }));
  if (packages?.folder !== undefined) await head?.addPackages(packages.folder);
  if (head) onProgress?.("the packages are ready");
  const files =
    head?.files ??
    openFolderFiles({ root: folder, lock: createFolderLock(), list: async () => ({ paths: change.paths }) });
  const openBase = async () => {
    if (!change.base || !place) return undefined;
    const before = await baseOf(folder, change.base);
    const clone = before && (await openCopy(before, place));
    if (packages?.folder !== undefined) await clone?.addPackages(packages.folder);
    return clone;
  };
  const outcome = await runTestingPhase(
    {
      clone: head ?? ("unavailable" in found ? found : { unavailable: "the files cannot be run" }),
      ...{ openBase, redact, scratchRoot, signal, testerTools: [] },
      readGraph: createGraphReader({ files, scratch: scratchRoot, immutable: true }),
      timeLimitMs: (options.minutes ?? safety.time.testing) * MINUTE_MS,
    },
    // Who wants all files looked at wants all tests run; else those that the change affects, with integration tests.
    {
      ...{ headSha: NONE, change, tools, risk: options.all ? "critical" : "medium" },
      ...defined({ packagesMissing: packages?.missing }),
    },
  );
  return {
    outcome,
    ...defined({ base: change.base }),
    notes: [...(packages?.notes ?? []), ...(problem ? [problem] : [])],
  };
}

interface CopyContext {
  readonly sandbox: Sandbox;
  readonly scratchRoot: string;
}

/** The files of the folder as they are now, committed or not. What git ignores is not among them. */
async function* headOf(folder: string, paths: readonly string[]): AsyncGenerator<Written> {
  for (const path of paths) {
    const entry = await readLocalEntry(folder, path, MOST_FILE_BYTES);
    if (entry && Buffer.isBuffer(entry.content)) yield { path, mode: entry.mode, content: entry.content };
  }
}

/** The same of the commit before the change; undefined where it is too large to be read at once, or not all there. */
async function baseOf(folder: string, commit: string): Promise<Written[] | undefined> {
  const repository = await findLocalRepository(folder);
  if (!repository) return undefined;
  const listed = [...(await listBase(repository, commit, folder))];
  const blobs = await readLocalBlobs(repository, [...new Set(listed.map(([, { sha }]) => sha))]).catch(() => undefined);
  // Tests that fail there for want of a file would excuse those that fail now.
  if (!blobs || listed.some(([, { sha, mode }]) => mode !== "160000" && !blobs.has(sha))) return undefined;
  return listed.flatMap(([path, { sha, mode }]) => {
    const content = blobs.get(sha);
    return content ? [{ path, mode, content }] : [];
  });
}

interface Written {
  readonly path: string;
  readonly mode: string;
  readonly content: Buffer;
}

/**
 * A copy in a folder of ours. A link stays a link, which whatever runs follows inside the sandbox alone. All links are made after all files,
 * so that nothing is written through one.
 */
async function openCopy(
  files: Iterable<Written> | AsyncIterable<Written>,
  { sandbox, scratchRoot }: CopyContext,
): Promise<OwnClone> {
  const root = await realpath(await mkdtemp(join(scratchRoot, "copy-")));
  const links: Written[] = [];
  for await (const file of files) {
    if (file.mode === "120000") links.push(file);
    else await put(root, file);
  }
  for (const link of links) await put(root, link);
  return openClone({ folder: root, sandbox });
}

async function put(root: string, { path, mode, content }: Written): Promise<void> {
  const clean = cleanPath(path);
  if (!clean.ok) return;
  const target = join(root, clean.path);
  await mkdir(dirname(target), { recursive: true });
  if (mode === "120000") await symlink(content, target).catch(() => undefined);
  else await writeFile(target, content, { mode: mode === "100755" ? 0o755 : 0o644, flag: "wx" });
}
