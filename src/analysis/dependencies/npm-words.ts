import semver from "semver";

const NAME = /^(?:@[\w.~-]{1,214}\/)?[\w.~-]{1,214}$/;

/** Whether a package of npm can have this name; old ones have capitals. */
export function isNpmName(name: string): boolean {
  return NAME.test(name);
}

/** `name@reference` at the first sign that is not the one of a scope. */
export function splitReference(written: string): readonly [name: string, reference: string] | undefined {
  const at = written.indexOf("@", 1);
  return at === -1 ? undefined : [written.slice(0, at), written.slice(at + 1)];
}

/** `npm:real@1.2.3` is the package `real` under another name; undefined for every other specifier. */
export function aliasOf(specifier: string): { readonly name: string; readonly wanted: string } | undefined {
  if (!specifier.startsWith("npm:")) return undefined;
  const written = specifier.slice("npm:".length);
  const [name, wanted] = splitReference(written) ?? [written, ""];
  // Later versions of Yarn write `npm:^1.0.0` for a range of the package itself.
  return isNpmName(name) && (wanted !== "" || semver.validRange(name) === null) ? { name, wanted } : undefined;
}

/** The version in the name of an archive, such as `.../left-pad-1.3.0.tgz`; undefined where it names none. */
export function versionOfArchive(name: string, address: string): string | undefined {
  const file = address
    .slice(address.lastIndexOf("/") + 1)
    .split(/[?#]/, 1)
    .join();
  const start = `${name.slice(name.indexOf("/") + 1)}-`;
  if (!file.startsWith(start) || !file.endsWith(".tgz")) return undefined;
  return semver.valid(file.slice(start.length, -".tgz".length)) ?? undefined;
}

/** What is written into a lock file are words: no program that a shell runs is among them. */
export function isPlainData(word: string): boolean {
  return !word.includes(";") && !word.includes("`") && !word.includes("$(");
}
