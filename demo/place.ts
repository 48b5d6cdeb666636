import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a demo makes on this machine: one folder and one process, both gone when it ends. */
export interface Place {
  readonly directory: string;
  /** Forge's log; next to the folder, since it stays if something failed. */
  readonly logFile: string;
}

export async function makePlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "forge-demo-"));
  return { directory, logFile: `${directory}.log` };
}

/** Synchronous, so that it also works while the process exits. */
export function clearPlace({ directory, logFile }: Place, { keepLog = false } = {}): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  if (!keepLog) rmSync(logFile, { force: true });
}
