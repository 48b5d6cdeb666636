/** `  contents: write`, `permissions: write-all`. */
const GRANT = /^\s*(?:permissions\s*:\s*(write-all)|([a-z][a-z-]*)\s*:\s*["']?write["']?)\s*(?:#.*)?$/;
const BLOCK = /^\s*permissions\s*:/;
/** `permissions: { contents: write }` */
const INLINE = /([a-z][a-z-]*)\s*:\s*["']?write\b/g;

/**
 * Whether a workflow's jobs may write more than before: a grant that was not there, or a limit that is gone, so that the repository's
 * default counts. Reads lines, not YAML: what is doubtful counts as a grant.
 */
export function grantsMore(oldText: string | undefined, newText: string): boolean {
  const [before, after] = [grantsOf(oldText ?? ""), grantsOf(newText)];
  if (oldText !== undefined && after.blocks < before.blocks) return true;
  return [...after.grants].some(([grant, count]) => count > (before.grants.get(grant) ?? 0));
}

function grantsOf(text: string): { readonly grants: ReadonlyMap<string, number>; readonly blocks: number } {
  const grants = new Map<string, number>();
  let blocks = 0;
  const add = (grant: string) => grants.set(grant, (grants.get(grant) ?? 0) + 1);
  for (const line of text.split("\n", 20_000)) {
    if (line.length > 500) continue;
    if (BLOCK.test(line)) blocks += 1;
    const grant = GRANT.exec(line.trimEnd());
    if (grant) add(grant[1] ?? grant[2] ?? "");
    else if (BLOCK.test(line)) for (const [, name = ""] of line.matchAll(INLINE)) add(name);
  }
  return { grants, blocks };
}
