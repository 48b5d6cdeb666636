import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { isRecord, type LockedPackage, type LockFileFault, lockedPackage, sourceOf, textOf } from "./locked-package.ts";

/** `package-lock.json` and `npm-shrinkwrap.json` of versions 1 to 3. */
export function readPackageLock(text: string): readonly LockedPackage[] | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
  if (isRecord(lock.packages)) {
    return Object.entries(lock.packages).flatMap(([path, entry]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!path.includes("node_modules/") || !isRecord(entry) || entry.link === true) return [];
      return readEntry(textOf(entry.name) ?? name, entry, blocks.take(path));
    });
  }
  return isRecord(lock.dependencies) ? readNested(lock.dependencies, blocks) : { fault: "it lists no packages" };
}

/** Version 1: packages inside packages. Keeps its own stack, as nesting may be hostile. */
function readNested(
  top: Readonly<Record<string, unknown>>,
  blocks: ReturnType<typeof findJsonBlocks>,
): LockedPackage[] {
  const packages: LockedPackage[] = [];
  const rest = Object.entries(top).reverse();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [name, entry] = next;
    if (!isRecord(entry)) continue;
    packages.push(...readEntry(name, entry, blocks.take(name)));
    if (isRecord(entry.dependencies)) rest.push(...Object.entries(entry.dependencies).reverse());
  }
  return packages;
}

function readEntry(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  lines: { line: number; endLine: number },
): LockedPackage[] {
  const version = textOf(entry.version);
  if (version === undefined) return [];
  const written = /^[\d.]+/.test(version) ? undefined : version;
  const address = textOf(entry.resolved) ?? written;
  return [
    lockedPackage({
      ecosystem: "npm",
      name,
      version,
      source: sourceOf(address),
      address,
      integrity: textOf(entry.integrity),
      installScript: entry.hasInstallScript === true,
      ...lines,
    }),
  ];
}
