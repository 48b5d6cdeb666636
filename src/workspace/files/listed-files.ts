import { cleanPath } from "./clean-path.ts";
import { type RepositoryFiles, refuseFile } from "./repository-files.ts";

/** The same files without those that are not on the list, such as what git ignores: a `.env` next to the code is not part of it. */
export function onlyListed(files: RepositoryFiles, paths: Iterable<string>): RepositoryFiles {
  const known = new Set(paths);
  const isKnown = (path: string) => {
    const clean = cleanPath(path);
    return clean.ok && known.has(clean.path);
  };
  return {
    list: files.list,
    read: async (path, signal) => {
      const clean = cleanPath(path);
      if (!clean.ok || known.has(clean.path)) return files.read(path, signal);
      return refuseFile("not found", `${JSON.stringify(clean.path)} is not a file of the repository.`);
    },
    readMany: (wanted, signal, bytes) => files.readMany(wanted.filter(isKnown), signal, bytes),
    search: (query, signal) => files.search({ ...query, isShown: isKnown }, signal),
  };
}
