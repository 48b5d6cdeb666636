import type { Ecosystem } from "./advisory-source.ts";
import type { LockedPackage } from "./locked-package.ts";

/** Registries that everyone uses: a package from one of them is no news. Hosts, with a path for one owner of a shared host. */
const PUBLIC_REGISTRIES: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: ["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io"],
  PyPI: ["pypi.org", "pypi.python.org", "files.pythonhosted.org"],
  "crates.io": ["github.com/rust-lang/crates.io-index", "index.crates.io", "static.crates.io", "crates.io"],
  RubyGems: ["rubygems.org", "index.rubygems.org"],
  Go: ["proxy.golang.org", "sum.golang.org"],
  // Packagist names repositories, and their hosts pack the archives: `/repos/owner/name/zipball/...`.
  Packagist: [
    ...["packagist.org", "repo.packagist.org", "api.github.com", "codeload.github.com"],
    ...["github.com", "gitlab.com", "bitbucket.org"],
  ],
  NuGet: ["api.nuget.org", "www.nuget.org"],
  Maven: ["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "dl.google.com", "maven.google.com"],
  Pub: ["pub.dev", "pub.dartlang.org"],
};

/** What comes before the scheme in lock files: it says which program fetches, not from where. */
const PREFIX = /^(?:git|registry|sparse)\+/i;
const HOSTED: Readonly<Record<string, string>> = {
  "github:": "github.com",
  "gitlab:": "gitlab.com",
  "bitbucket:": "bitbucket.org",
  "gist:": "gist.github.com",
};
const ARCHIVES = [".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar", ".zip", ".whl", ".gem", ".crate", ".jar", ".phar"];

/** Reads an address as a client does: what is before an `@` is a user and not the host. */
export function urlOf(address: string | undefined): URL | undefined {
  const written = (address ?? "").replace(PREFIX, "");
  const url = URL.canParse(written) ? new URL(written) : undefined;
  return url?.host ? url : undefined;
}

/** Whether anyone on the way can replace the package. */
export function isPlain({ address }: LockedPackage): boolean {
  return urlOf(address)?.protocol === "http:";
}

export function isArchive(path: string): boolean {
  const written = path.toLowerCase();
  return ARCHIVES.some((ending) => written.endsWith(ending));
}

/** The package that an address of an npm registry names: `[prefix]/name/-/name-1.2.3.tgz`. */
export interface RegistryArchive {
  readonly name: string;
  /** Absent where the file is not named after the package. */
  readonly version?: string;
  /** The host, with the path in front of the name: a host may have registries of many owners. */
  readonly registry: string;
}

/** @returns undefined for an address that does not have the form of an npm registry */
export function archiveOf({ ecosystem, source, address }: LockedPackage): RegistryArchive | undefined {
  const url = ecosystem === "npm" && source === "registry" ? urlOf(address) : undefined;
  if (url === undefined) return undefined;
  const path = decoded(url.pathname);
  if (url.host === "npm.pkg.github.com") {
    const [, , scope, name, version] = path.split("/");
    return version === undefined ? undefined : { name: `${scope}/${name}`, version, registry: url.host };
  }
  const at = Math.max(path.lastIndexOf("/-/"), path.lastIndexOf("/download/"));
  if (at === -1 || path.slice(0, at).endsWith("/releases")) return undefined;
  const folders = path.slice(0, at).split("/");
  const base = folders.pop() ?? "";
  const scope = folders.at(-1)?.startsWith("@") ? `${folders.pop()}/` : "";
  const file = path.slice(path.lastIndexOf("/") + 1);
  const isOwn = file.startsWith(`${base}-`) && file.endsWith(".tgz");
  return {
    name: `${scope}${base}`,
    ...(isOwn ? { version: file.slice(base.length + 1, -".tgz".length) } : {}),
    registry: `${url.host}${folders.join("/")}`,
  };
}

/** Whether the archive has the name and the version of its entry. Registries leave build metadata out. */
export function isArchiveOf(archive: RegistryArchive, { name, version, address }: LockedPackage): boolean {
  if (archive.name !== name || archive.version === undefined) return false;
  // An entry that has no version of its own has its address there.
  return version === address || version.split("+", 1)[0] === archive.version.split("+", 1)[0];
}

/** The registry that a package comes from; undefined for one that names no host, and for one from elsewhere. */
export function registryOf(one: LockedPackage): string | undefined {
  const url = one.source === "registry" ? urlOf(one.address) : undefined;
  if (url === undefined) return undefined;
  const isIndex = one.ecosystem === "crates.io" && !isArchive(url.pathname);
  return archiveOf(one)?.registry ?? (isIndex ? `${url.host}${withoutEnd(url.pathname)}` : ownerOf(url));
}

/** @param registry as `registryOf` has it */
export function isPublic(ecosystem: Ecosystem, registry: string): boolean {
  const known = PUBLIC_REGISTRIES[ecosystem];
  const host = registry.split("/", 1).join();
  return known.includes(registry) || (SHARED.has(host) && known.includes(host));
}

/** Whether a package comes from a registry that not everyone uses: a mirror of a public one, or one with packages of its own. */
export function isMirrored(one: LockedPackage): boolean {
  const registry = registryOf(one);
  return registry !== undefined && !isPublic(one.ecosystem, registry);
}

/**
 * Where exactly an entry comes from, to be compared with another entry of the same name and version. A registry is as good as its
 * mirror, so its host is left out where the rest of the address says no more than the name and the version.
 */
export function placeOf(one: LockedPackage): string {
  const url = urlOf(one.address);
  if (one.source === "git") return repositoryOf(one.address ?? "");
  if (one.source === "file" || one.source === "link") return "";
  if (url === undefined) return one.source === "registry" ? "" : (one.address ?? "");
  if (one.source === "registry") {
    const archive = archiveOf(one);
    const isIndex = !isArchive(url.pathname) && one.ecosystem !== "npm" && one.ecosystem !== "Packagist";
    return (archive ? isArchiveOf(archive, one) : isIndex) ? "" : `${url.pathname}${url.search}`;
  }
  return `${url.host}${url.pathname}${url.search}`;
}

/** Who decides what a package from outside the registry is: the repository, or the host. */
export function originOf(one: LockedPackage): string {
  const at = one.source === "git" ? repositoryOf(one.address ?? "") : ownerOf(urlOf(one.address));
  return `${one.source} ${at}`;
}

/** Hosts on which everyone can publish. */
const SHARED: ReadonlySet<string> = new Set([
  ...["github.com", "codeload.github.com", "raw.githubusercontent.com", "gitlab.com", "bitbucket.org"],
]);

function ownerOf(url: URL | undefined): string {
  if (url === undefined) return "";
  return SHARED.has(url.host) ? `${url.host}${url.pathname.split("/", 3).join("/")}` : url.host;
}

/** `host/owner/name` of the many ways to write a repository, without the commit. */
function repositoryOf(address: string): string {
  const written = address.replace(PREFIX, "").split("#", 1)[0] ?? "";
  const scheme = written.slice(0, written.indexOf(":") + 1).toLowerCase();
  const host = HOSTED[scheme];
  if (host !== undefined) return `${host}/${withoutEnd(written.slice(scheme.length))}`;
  const url = urlOf(written);
  if (url === undefined) {
    const [at, path] = written.slice(written.indexOf("@") + 1).split(":", 2);
    if (path !== undefined) return `${at}/${withoutEnd(path)}`;
    return written.split("/").length === 2 ? `github.com/${withoutEnd(written)}` : written;
  }
  const packed = repositoryOfArchive(url);
  if (packed !== undefined) return packed;
  // Python writes the commit behind the path.
  return `${url.host}${withoutEnd(url.pathname.split("@", 1).join())}`;
}

/** Hosts of repositories pack a commit under addresses of their own, which name the commit: Composer fetches these. */
function repositoryOfArchive({ host, pathname }: URL): string | undefined {
  const parts = pathname.split("/").slice(1);
  const isPart = (at: number, word: string) => parts[at] === word;
  if (host === "codeload.github.com") return `github.com/${parts.slice(0, 2).join("/")}`;
  if (host === "api.github.com" && isPart(0, "repos")) return `github.com/${parts.slice(1, 3).join("/")}`;
  if (host === "bitbucket.org" && isPart(2, "get")) return `${host}/${parts.slice(0, 2).join("/")}`;
  const isGitlab = isPart(0, "api") && isPart(2, "projects") && isPart(4, "repository");
  return isGitlab ? `${host}/${decoded(parts[3] ?? "")}` : undefined;
}

function withoutEnd(path: string): string {
  const plain = path.endsWith("/") ? path.slice(0, -1) : path;
  return plain.endsWith(".git") ? plain.slice(0, -".git".length) : plain;
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
