/** What a manifest asks for under another name. */
export type PackageAlias = { readonly name: string } | { readonly folder: string };

const LONGEST = 500;

/**
 * What the version of a manifest stands for where it names another package or a folder: `workspace:other@*`, `npm:@acme/other@1`,
 * `workspace:../other`, `file:../other`. Undefined of a plain version. @param version as it is written
 */
export function readAlias(version: unknown): PackageAlias | undefined {
  if (typeof version !== "string" || version.length > LONGEST) return undefined;
  const colon = version.indexOf(":");
  const [protocol, rest] = [version.slice(0, colon), version.slice(colon + 1)];
  if (["file", "link", "portal"].includes(protocol)) return { folder: rest };
  if (protocol !== "workspace" && protocol !== "npm") return undefined;
  if (protocol === "workspace" && /^\.{1,2}(?:\/|$)/.test(rest)) return { folder: rest };
  const at = rest.indexOf("@", 1);
  const name = at === -1 && protocol === "npm" ? rest : rest.slice(0, Math.max(0, at));
  return /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) ? { name } : undefined;
}
