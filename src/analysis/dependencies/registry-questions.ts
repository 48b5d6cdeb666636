import type { Ecosystem } from "./advisory-source.ts";
import { pythonName } from "./python-name.ts";

/** How a registry is asked whether it has a name, and how it is called. */
export interface RegistryQuestion {
  /** In words that begin a sentence. */
  readonly title: string;
  /** The path behind the registry's address; it answers 404 or 410 for a name that is not there. */
  readonly path: (name: string) => string;
  /** A package that each such registry has: one that does not know it cannot be believed about others. */
  readonly known: string;
}

/**
 * Registries with a plain answer over HTTP. The proxy of Go answers for a private module as for one that does not exist, and groups of Maven
 * are spread over many repositories: neither is asked.
 */
export const REGISTRY_QUESTIONS: Readonly<Partial<Record<Ecosystem, RegistryQuestion>>> = {
  npm: { title: "The npm registry", path: (name) => `/${encodeURIComponent(name)}`, known: "npm" },
  PyPI: { title: "PyPI", path: (name) => `/simple/${encodeURIComponent(pythonName(name))}/`, known: "pip" },
  "crates.io": { title: "The registry crates.io", path: indexPath, known: "libc" },
  RubyGems: { title: "RubyGems", path: (name) => `/info/${encodeURIComponent(name)}`, known: "rake" },
  Packagist: { title: "Packagist", path: (name) => `/p2/${parts(name.toLowerCase())}.json`, known: "psr/log" },
  NuGet: {
    title: "NuGet",
    path: (name) => `/v3-flatcontainer/${encodeURIComponent(name.toLowerCase())}/index.json`,
    known: "newtonsoft.json",
  },
  Pub: { title: "The registry pub.dev", path: (name) => `/api/packages/${encodeURIComponent(name)}`, known: "path" },
};

/** Where the index of Cargo has a name: the folders are its first letters. */
function indexPath(name: string): string {
  const lower = encodeURIComponent(name.toLowerCase());
  if (lower.length < 3) return `/${lower.length}/${lower}`;
  if (lower.length === 3) return `/3/${lower.slice(0, 1)}/${lower}`;
  return `/${lower.slice(0, 2)}/${lower.slice(2, 4)}/${lower}`;
}

function parts(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}
