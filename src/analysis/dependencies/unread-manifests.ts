import { namePath } from "../name-path.ts";

/** Files that say which packages are installed and that Forge does not read, by their names: code of build tools, and kinds without a reader. */
const UNREAD: readonly RegExp[] = [
  // Python
  /^(?:environment(?:[-_.][\w.-]+)?\.ya?ml|conda[\w.-]*\.(?:ya?ml|lock)|meta\.yaml|pixi\.(?:toml|lock))$/,
  // JavaScript
  /^(?:bun\.lockb|deno\.jsonc|bower\.json|jsr\.jsonc?|package\.json5)$/,
  // Java, Kotlin, Scala and Clojure
  /^(?:ivy\.xml|[\w.-]*\.sbt|build\.sc|project\.clj|deps\.edn)$/,
  // PHP, .NET, Dart, Ruby
  /^(?:paket\.(?:dependencies|lock)|[\w.-]*\.nuspec)$/,
  // Elixir and Erlang, Swift and what Apple builds with
  /^(?:mix\.(?:exs|lock)|rebar\.(?:config|lock)|Package(?:@swift-[\d.]+)?\.swift|Package\.resolved|Podfile(?:\.lock)?|[\w.-]*\.podspec(?:\.json)?|Cartfile(?:\.\w+)?)$/,
  // C and C++, Haskell, OCaml, Julia, R, Perl, Nim, Crystal, Zig, D, Elm, Lua
  /^(?:conanfile\.(?:txt|py)|conan\.lock|vcpkg\.json|[\w.-]*\.cabal|cabal\.project(?:\.freeze)?|stack\.yaml(?:\.lock)?|[\w.-]*\.opam|(?:Julia)?(?:Project|Manifest)\.toml|renv\.lock|DESCRIPTION|cpanfile(?:\.snapshot)?|[\w.-]*\.nimble|shard\.(?:yml|lock)|build\.zig\.zon|dub\.(?:json|sdl)|elm\.json|[\w.-]*\.rockspec)$/,
  // Builds and machines as a whole
  /^(?:(?:MODULE|WORKSPACE)(?:\.bazel)?|flake\.(?:nix|lock)|go\.work(?:\.sum)?|Brewfile)$/,
];

/** Whether packages are named in a file of this name that Forge does not read, so that nobody looks them up. */
export function isUnreadManifest(path: string): boolean {
  const name = namePath(path);
  return UNREAD.some((pattern) => pattern.test(name.slice(name.lastIndexOf("/") + 1)));
}

/** Whether a file of this name is code of which the readers of dependencies take the dependencies alone. */
export function isBuildCode(path: string): boolean {
  return /(?:^|\/)(?:[\w.-]*\.gradle(?:\.kts)?|[\w.-]*\.gemspec|gems\.rb)$/.test(namePath(path));
}

/** Files that are named one by one; the others are counted. */
const MOST_NAMED = 5;

/** "`pom.xml` and 2 more: Forge does not read this kind". There is at least one. */
export function unreadManifests(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).map((path) => `\`${path}\``);
  const rest = paths.length - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return `${all}: Forge does not read ${paths.length === 1 ? "this kind" : "these kinds"}`;
}
