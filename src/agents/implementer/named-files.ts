/**
 * Files that a text names by their path from the root, `src/shop.ts:12` too: what a task speaks of has to be seen, also where nothing that
 * the task changes imports it yet (LOOP-2). In the order of `paths`.
 */
export function namedFiles(text: string, paths: readonly string[]): string[] {
  const said = new Set(text.match(/[\w@.-]+(?:\/[\w@.-]+)*/g)?.map((word) => word.replace(/\.+$/, "")));
  return paths.filter((path) => said.has(path));
}
