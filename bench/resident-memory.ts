import { readdirSync, readFileSync } from "node:fs";

/** Looks every 100 ms how much memory a process and all below it hold. @returns a function that ends this and gives the most, in MB */
export function watchResident(root: number): () => number | undefined {
  let largest: number | undefined;
  const watch = setInterval(() => {
    const now = residentMegabytes(root);
    if (now !== undefined) largest = Math.max(largest ?? 0, now);
  }, 100);
  return () => {
    clearInterval(watch);
    return largest;
  };
}

/** Linux only. Pages that processes share count once for each of them. */
function residentMegabytes(root: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      resident.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It ended while we looked.
    }
  }
  const below = (id: number): boolean => id === root || (id > 1 && below(parents.get(id) ?? 0));
  return [...resident].reduce((sum, [id, megabytes]) => sum + (below(id) ? megabytes : 0), 0);
}
