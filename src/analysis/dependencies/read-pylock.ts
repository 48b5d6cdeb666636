import { type Place, readTomlList, type Table } from "./formats/toml-entries.ts";
import { joinHashes, withAddresses } from "./lock-sources.ts";
import {
  isRecord,
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  sourceOf,
  textOf,
} from "./locked-package.ts";
import { pythonName } from "./python-name.ts";

/** What the format has at the top; whatever a program adds of its own stands under `tool`. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["lock-version", "environments", "requires-python", "extras", "dependency-groups", "default-groups"],
  ...["created-by", "packages", "tool"],
]);

/** `pylock.toml` and `pylock.name.toml`, the format that all installers of Python share (PEP 751). */
export function readPylock(text: string): LockReading | LockFileFault {
  const isOne = (lock: Table) => textOf(lock["lock-version"]) !== undefined;
  return readTomlList(text, { list: "packages", sections: SECTIONS, isOne, read: readEntry });
}

/** @returns undefined for what is no entry of a package */
function readEntry(entry: Table, place: Place): LockedPackage[] | undefined {
  const written = textOf(entry.name);
  if (written === undefined) return undefined;
  const name = pythonName(written);
  const version = textOf(entry.version);
  const [vcs, directory, archive] = [entry.vcs, entry.directory, entry.archive].map((one) =>
    isRecord(one) ? one : undefined,
  );
  const of = { ecosystem: "PyPI", name, ...place } as const;
  if (directory) return [lockedPackage({ ...of, version: version ?? textOf(directory.path) ?? "", source: "link" })];
  if (vcs) {
    const commit = textOf(vcs["commit-id"]) ?? "";
    const address = `${textOf(vcs.type) ?? "git"}+${textOf(vcs.url) ?? textOf(vcs.path) ?? ""}`;
    return [
      lockedPackage({ ...of, version: version ?? commit, source: "git", address, integrity: `commit-${commit}` }),
    ];
  }
  if (archive) {
    const address = textOf(archive.url) ?? `file:${textOf(archive.path) ?? ""}`;
    const source = sourceOf(address) === "registry" ? "url" : sourceOf(address);
    return [lockedPackage({ ...of, version: version ?? address, source, address, ...hashesOf([archive]) })];
  }
  // Of a source in a folder the version may be left out; a package of an index has one.
  if (version === undefined) return undefined;
  const archives = [entry.sdist, entry.wheels].flat().filter(isRecord);
  const one = lockedPackage({ ...of, version, source: "registry", ...hashesOf(archives) });
  return withAddresses(one, [textOf(entry.index), ...archives.map(({ url }) => textOf(url))]);
}

/** Several algorithms may be given for each archive. */
function hashesOf(archives: readonly Table[]): { readonly integrity?: string } {
  return joinHashes(
    archives.flatMap(({ hashes }) =>
      Object.entries(isRecord(hashes) ? hashes : {}).map(([kind, hash]) => `${kind}:${hash}`),
    ),
  );
}
