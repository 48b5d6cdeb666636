import { quoted } from "../compare-tests.ts";
import type { SelectionGraph } from "./packed-repository.ts";

/** What leads nowhere in these files, in words that follow "because". */
export function describeUnresolved({ unresolved }: SelectionGraph, files: readonly string[]): string {
  const [path = ""] = files;
  const [module = ""] = unresolved.get(path) ?? [];
  const others = files.length - 1;
  const rest =
    others === 0
      ? ""
      : others === 1
        ? ", and 1 more file has such an import"
        : `, and ${others} more files have such imports`;
  return `${quoted(path)} imports ${quoted(module)}, which is not found in the repository${rest}`;
}
