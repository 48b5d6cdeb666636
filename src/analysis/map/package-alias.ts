import { posix } from "node:path";

/** What a manifest asks for under another name. */
export type PackageAlias = { readonly name: string } | { readonly folder: string; readonly fromRoot?: true };

const LONGEST = 500;
const RELATIVE = /^\.{1,2}(?:\/|$)/;
/** One name that is no version. */
const ONE_NAME = /^(?!v?\d|x$)[a-z_][\w-]{0,200}$/i;

/**
 * What the version of a manifest stands for where it names another package or a folder: `workspace:other@*`, `npm:@acme/other@1`,
 * `workspace:../other`, `file:../other`,
 * `../other`, and from the root of the repository `workspace:packages/other` and `workspace:other`. Undefined of a plain version. @param version as it is written
 */
export function readAlias(version: unknown): PackageAlias | undefined {
  if (typeof version !== "string" || version.length > LONGEST) return undefined;
  if (RELATIVE.test(version)) return { folder: version };
  const colon = version.indexOf(":");
  const [protocol, rest] = [version.slice(0, colon), version.slice(colon + 1)];
  if (["file", "link", "portal"].includes(protocol)) return { folder: rest };
  if (protocol !== "workspace" && protocol !== "npm") return undefined;
  if (protocol === "workspace" && RELATIVE.test(rest)) return { folder: rest };
  const isFolder = (rest.includes("/") && !rest.includes("@")) || ONE_NAME.test(rest);
  if (protocol === "workspace" && isFolder) return { folder: rest, fromRoot: true };
  const at = rest.indexOf("@", 1);
  const name = at === -1 && protocol === "npm" ? rest : rest.slice(0, Math.max(0, at));
  return /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) ? { name } : undefined;
}

/** The folder that an alias stands for. @param manifest the folder of the manifest that has it */
export function folderOfAlias(
  { folder, fromRoot }: Extract<PackageAlias, { folder: string }>,
  manifest: string,
): string {
  return fromRoot ? posix.normalize(folder) : posix.join(manifest, folder);
}
