import { contains } from "./contains.ts";

const SYSTEM_FOLDERS = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/opt/forge",
  "/proc",
  "/sbin",
  "/sys",
  "/usr",
];

/** Below a device folder, and yet for everybody's temporary files as `/tmp` is. */
const SHARED_MEMORY = "/dev/shm";

/**
 * Whether a folder is a part of the system, or holds one. Such a folder is never made writable: where Forge is root, what is made
 * writable is given to another user with all that is in it.
 */
export function belongsToSystem(folder: string): boolean {
  if (folder !== SHARED_MEMORY && contains(SHARED_MEMORY, folder)) return false;
  return SYSTEM_FOLDERS.some((system) => contains(system, folder) || contains(folder, system));
}
