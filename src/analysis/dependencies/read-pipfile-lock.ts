import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { joinHashes, withAddresses } from "./lock-sources.ts";
import {
  isRecord,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  sourceOf,
  textOf,
} from "./locked-package.ts";
import { pythonName } from "./python-name.ts";

const MOST_SOURCES = 20;

/** `Pipfile.lock`: every group but the one about the file itself, as people may add groups of their own. */
export function readPipfileLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
  const indexes = indexesOf(lock._meta);
  const groups = Object.entries(lock).filter(([group]) => group !== "_meta");
  const packages = groups.flatMap(([, group]) =>
    Object.entries(isRecord(group) ? group : {}).flatMap(([name, entry]) => {
      if (!isRecord(entry)) return [];
      const git = textOf(entry.git);
      const path = textOf(entry.path);
      const address = git === undefined ? (textOf(entry.file) ?? path) : `git+${git}`;
      const version = textOf(entry.version)?.replace(/^==/, "") ?? textOf(entry.ref) ?? address;
      if (version === undefined) return [];
      const source = path !== undefined && git === undefined ? "link" : sourceOf(address);
      const hashes = joinHashes(Array.isArray(entry.hashes) ? entry.hashes.map(textOf) : []);
      const of = { ecosystem: "PyPI", name: pythonName(name), ...blocks.take(name) } as const;
      const one = lockedPackage({ ...of, version, source, address, ...hashes });
      return address === undefined ? withAddresses(one, indexes(textOf(entry.index))) : [one];
    }),
  );
  const meta = isRecord(lock._meta) ? lock._meta.sources : [];
  // Nobody has so many, and those behind them are not compared.
  return lockReading(packages, Array.isArray(meta) && meta.length > MOST_SOURCES ? 1 : undefined, { table: lock });
}

/** The addresses that a package may come from: that of the index it names, otherwise those of all. */
function indexesOf(meta: unknown): (index: string | undefined) => readonly string[] {
  const sources =
    isRecord(meta) && Array.isArray(meta.sources) ? meta.sources.slice(0, MOST_SOURCES).filter(isRecord) : [];
  return (index) => {
    const named = sources.filter(({ name }) => name === index);
    return (named.length > 0 ? named : sources).flatMap(({ url }) => textOf(url) ?? []);
  };
}
