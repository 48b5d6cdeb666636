import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { isRecord, type LockFileFault, type LockReading, lockedPackage, sourceOf, textOf } from "./locked-package.ts";
import { pythonName } from "./python-name.ts";

/** `Pipfile.lock`: every group but the one about the file itself, as people may add groups of their own. */
export function readPipfileLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
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
      const place = blocks.take(name);
      return [lockedPackage({ ecosystem: "PyPI", name: pythonName(name), version, source, address, ...place })];
    }),
  );
  return { packages };
}
