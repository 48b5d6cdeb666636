import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { contains } from "../path-text.ts";
import { SANDBOX_LIMITS } from "./sandbox.ts";

/** Folders that are links into `/usr` on most systems, and real on some. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Covered by emptiness. Package managers keep their settings of the whole machine in the first two, a registry token among them now
 * and then; images are built with applications in the others, and Forge itself may be one of them.
 */
const MASKED_FOLDERS = ["/usr/etc", "/usr/local/etc", "/usr/src", "/usr/local/src"];
const FORGE_FOLDER = fileURLToPath(new URL("../../..", import.meta.url));

export function maskedFolders(): string[] {
  const ownFolders = [resolve(FORGE_FOLDER), process.cwd()].filter((folder) => contains("/usr", folder));
  return [...new Set([...MASKED_FOLDERS.filter((folder) => existsSync(folder)), ...ownFolders])];
}

/** What programs need to start or to check a certificate; nothing in these is secret on any system we know. */
const SETTINGS = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/protocols",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
];

/** Our own, from the folder beside this file, so that neither accounts nor names of the machine are seen. */
export const OWN_SETTINGS = ["passwd", "group", "hosts", "nsswitch.conf"].map((name) => ({
  source: fileURLToPath(new URL(`./etc/${name}`, import.meta.url)),
  target: `/etc/${name}`,
}));

/** The part of bubblewrap's arguments that is the same for every run: an own root with programs, and nothing of the machine besides. */
export function minimalRoot(temporaryBytes: number): string[] {
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...maskedFolders().flatMap((folder) => ["--tmpfs", folder]),
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc"],
    ...["--dev", "/dev"],
    ...["--perms", "1777", "--size", String(SANDBOX_LIMITS.sharedMemoryBytes), "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev"],
    ...["--perms", "1777", "--size", String(temporaryBytes), "--tmpfs", "/tmp"],
  ];
}

function systemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}
