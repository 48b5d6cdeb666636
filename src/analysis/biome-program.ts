import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ForgeError } from "../domain/errors.ts";
import type { ProgramResult } from "../workspace/run-program.ts";
import type { AnalyserContext } from "./analyser.ts";
import { startReader } from "./reader/start-reader.ts";

const MEBI = 1024 * 1024;

const BIOME_LIMITS = {
  /** 1,000 files take half a second. */
  timeoutMs: 20_000,
  memoryBytes: 1024 * MEBI,
  /** 800 bytes a diagnostic: 10,000 of them, which takes 50 ms to read. */
  outputBytes: 8 * MEBI,
} as const;

const ownRequire = createRequire(import.meta.url);
const biomePackage = ownRequire.resolve("@biomejs/biome/package.json");

export const BIOME_VERSION = (ownRequire(biomePackage) as { version: string }).version;

/** A file of the scratch folder: its name is ours, its text the repository's. */
export interface ScratchFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a Biome command over files, alone with them in a fresh folder: no repository path, no configuration but the one given.
 * @param folder name of a folder below the scratch folder; files are written only when it is new
 */
export async function runBiome(
  command: readonly string[],
  configuration: unknown,
  folder: string,
  files: readonly ScratchFile[],
  context: AnalyserContext,
): Promise<ProgramResult> {
  const place = join(context.scratch, folder);
  await mkdir(join(place, "files"), { recursive: true });
  await writeFile(join(place, "forge.json"), JSON.stringify(configuration));
  await Promise.all(files.map(({ name, text }) => writeFile(join(place, "files", name), text)));
  const program = biomeBinary();
  return startReader({
    program,
    args: [...command, "--config-path=../forge.json", "--colors=off", "."],
    shown: [program],
    folder: place,
    startIn: "files",
    writes: command.includes("--write"),
    timeoutMs: BIOME_LIMITS.timeoutMs,
    memoryBytes: BIOME_LIMITS.memoryBytes,
    maxOutputBytes: BIOME_LIMITS.outputBytes,
    signal: context.signal,
    okCodes: [0, 1],
  });
}

/** Biome's platform package holds the program; npm installs the one for this machine's C library only. */
function biomeBinary(): string {
  const fromBiome = createRequire(biomePackage);
  const name = `${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "biome.exe" : "biome";
  for (const candidate of [`@biomejs/cli-${name}/${file}`, `@biomejs/cli-${name}-musl/${file}`]) {
    try {
      return fromBiome.resolve(candidate);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new ForgeError(
    "analyser_unavailable",
    `Biome has no program for ${name} here: install its optional dependencies.`,
    {
      source: "resource",
      severity: "high",
      recoverability: "manual",
      context: { platform: process.platform, arch: process.arch },
    },
  );
}
