import { relative, sep } from "node:path";

/** Whether a path is the folder or lies in it, by its text alone: both are resolved already. */
export function contains(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps !== ".." && !steps.startsWith(`..${sep}`);
}
