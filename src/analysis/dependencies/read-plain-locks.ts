import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { isRecord, type LockedPackage, type LockFileFault, lockedPackage, sourceOf, textOf } from "./locked-package.ts";
import { pythonName } from "./python-name.ts";

/** Real ones are shorter, and patterns on a longer one would take their time. */
const LONGEST_LINE = 1_000;

/** `requirements*.txt`: only what is pinned, and what comes from elsewhere. */
export function readRequirements(text: string): LockedPackage[] {
  return text.split("\n").flatMap((written, index) => {
    const line = index + 1;
    if (written.length > LONGEST_LINE) return [];
    const entry = written.replace(/(?:^|\s)#.*$/, "").trim();
    const pinned = /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*===?\s*([\w.!+-]+)/.exec(entry);
    const place = { ecosystem: "PyPI", line, endLine: line } as const;
    if (pinned)
      return [
        lockedPackage({ ...place, name: pythonName(pinned[1] ?? ""), version: pinned[2] ?? "", source: "registry" }),
      ];
    const direct =
      /^(?:-e\s+|--editable[= ])?(?:([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*@\s*)?((?:git\+|https?:|file:)\S+)/.exec(
        entry,
      );
    const address = direct?.[2];
    if (address === undefined) return [];
    const name = direct?.[1] ?? /[#&]egg=([\w.-]+)/.exec(address)?.[1] ?? address.replace(/^.*\//, "");
    const source = sourceOf(address);
    return [
      lockedPackage({
        ...place,
        name: pythonName(name),
        version: address,
        source: source === "registry" ? "url" : source,
        address,
      }),
    ];
  });
}

/** `Pipfile.lock`. */
export function readPipfileLock(text: string): readonly LockedPackage[] | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
  return ["default", "develop"].flatMap((group) =>
    Object.entries(isRecord(lock[group]) ? lock[group] : {}).flatMap(([name, entry]) => {
      if (!isRecord(entry)) return [];
      const git = textOf(entry.git);
      const address = git === undefined ? textOf(entry.file) : `git+${git}`;
      const version = textOf(entry.version)?.replace(/^==/, "") ?? textOf(entry.ref) ?? address;
      if (version === undefined) return [];
      const place = blocks.take(name);
      return [
        lockedPackage({
          ecosystem: "PyPI",
          name: pythonName(name),
          version,
          source: sourceOf(address),
          address,
          ...place,
        }),
      ];
    }),
  );
}

/** `go.mod`: since Go 1.17 it names every module of the build. */
export function readGoMod(text: string): LockedPackage[] {
  let inRequire = false;
  return text.split("\n").flatMap((written, index) => {
    const content = written.split("//", 1).join().trim();
    if (/^require\s*\($/.test(content)) inRequire = true;
    else if (content === ")") inRequire = false;
    const entry = inRequire ? content : /^require\s+(\S+\s+\S+)$/.exec(content)?.[1];
    const [, name, version] = /^(\S+)\s+(v\S+)$/.exec(entry ?? "") ?? [];
    if (name === undefined || version === undefined) return [];
    return [lockedPackage({ ecosystem: "Go", name, version, source: "registry", line: index + 1, endLine: index + 1 })];
  });
}

/** `go.sum`: hashes only; which of the modules are built, `go.mod` says. */
export function readGoSum(text: string): LockedPackage[] {
  return text.split("\n").flatMap((written, index) => {
    const [, name, version, integrity] = /^(\S+) (v[^\s/]+) (h1:\S+)$/.exec(written.trim()) ?? [];
    if (name === undefined || version === undefined) return [];
    const line = index + 1;
    return [lockedPackage({ ecosystem: "Go", name, version, source: "registry", integrity, line, endLine: line })];
  });
}

/** `Gemfile.lock`. */
export function readGemfileLock(text: string): LockedPackage[] {
  let section = "";
  let remote: string | undefined;
  return text.split("\n").flatMap((written, index) => {
    if (/^[A-Z]/.test(written)) [section, remote] = [written.trim(), undefined];
    remote = /^ {2}remote: (\S+)/.exec(written)?.[1] ?? remote;
    const [, name, version] = /^ {4}([^\s(]+) \(([^)\s]+)\)\s*$/.exec(written) ?? [];
    if (name === undefined || version === undefined || !["GEM", "GIT", "PATH"].includes(section)) return [];
    const source = section === "GIT" ? "git" : section === "PATH" ? "link" : "registry";
    const address = source === "git" ? remote : undefined;
    return [
      lockedPackage({ ecosystem: "RubyGems", name, version, source, address, line: index + 1, endLine: index + 1 }),
    ];
  });
}
