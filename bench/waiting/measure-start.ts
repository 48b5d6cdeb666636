import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openStage } from "../review/forge-process.ts";

/** A start of Forge on a database, and some seconds of what it does then. */
export interface Start {
  readonly readyMs: number;
  /** MB that the main process holds after those seconds; NaN but on Linux. */
  readonly megabytes: number;
  /** Requests to GitHub about one repository. */
  readonly requests: number;
}

/** Long enough for the first turn of all chores, and for several looks into the queue. */
const WATCHED_MS = 8_000;

/** @param database a closed database; undefined for a new one. What the run leaves of it goes to `after`. */
export async function measureStart(database: string | undefined, after?: string): Promise<Start> {
  let folder = "";
  const stage = await openStage({
    prepare: (directory) => {
      folder = directory;
      if (database !== undefined) copyFileSync(database, join(directory, "forge.db"));
    },
  });
  let begun = 0;
  try {
    begun = stage.github.requests.length;
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    const requests = stage.github.requests.slice(begun).filter(({ path }) => path.includes("/acme/")).length;
    const megabytes = residentMegabytes(stage.pid);
    return { readyMs: stage.readyMs, megabytes, requests };
  } finally {
    await stage.end(() => {
      if (after === undefined) return;
      for (const end of ["", "-wal"]) {
        rmSync(`${after}${end}`, { force: true });
        const from = join(folder, `forge.db${end}`);
        if (existsSync(from)) copyFileSync(from, `${after}${end}`);
      }
    });
  }
}

function residentMegabytes(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
