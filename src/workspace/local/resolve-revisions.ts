import { runGit } from "../git.ts";
import type { LocalRepository } from "./find-repository.ts";
import { inView } from "./open-view.ts";

/**
 * Finds the commits or trees that the names of a person stand for, such as branches, `HEAD~2` or `@{upstream}`, in the same order; undefined
 * for a name without one. One git looks up all of them. It reads them as lines of its input, so none can be an option.
 * @throws ForgeError `checkout_unusable`
 */
export async function resolveRevisions(
  repository: LocalRepository,
  names: readonly string[],
  kind: "commit" | "tree" = "commit",
): Promise<readonly (string | undefined)[]> {
  // Git would take each line of such a name for one, and what follows a zero for nothing. Without a name it finds nothing.
  const asked = names.map((name) => (name.includes("\n") || name.includes("\0") ? "" : name));
  const input = asked.map((name) => `${name}^{${kind}}\n`).join("");
  const { ok, stdout } = await inView(repository, (gitDirectory) =>
    runGit({ gitDirectory, args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"], input }),
  );
  if (!ok) return names.map(() => undefined);
  const lines = stdout.toString("utf8").split("\n");
  return names.map((_, at) => {
    // Else "<name> missing".
    const [sha, type, ...more] = (lines[at] ?? "").split(" ");
    return type === kind && more.length === 0 ? sha : undefined;
  });
}

/** As `resolveRevisions`, of one. */
export async function resolveRevision(
  repository: LocalRepository,
  name: string,
  kind: "commit" | "tree" = "commit",
): Promise<string | undefined> {
  const [sha] = await resolveRevisions(repository, [name], kind);
  return sha;
}
