/** Lines that the programs print that write lock files of a kind. Everything else in one was written by somebody else. */
const YARN = [
  /^["\w@][^`$();]*:$/,
  /^\? "[^`$();]*"$/,
  /^:$/,
  /^ {2}(?:version|resolved|integrity|uid|registry|resolution|checksum|languageName|linkType|conditions|cacheKey|dependencies|optionalDependencies|peerDependencies|dependenciesMeta|peerDependenciesMeta|bin|permissions|prebuiltVariants):?(?: [^`$;]*)?$/,
  /^ {4,6}["\w@][^`$();]*$/,
];

/** Outside of its strings a value has no parentheses: no call in any language. */
const VALUE = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w\s.,=[\]{}:+-])*/.source;
const TOML = [
  /^\[\[?[\w.\-"@+ ]+\]\]?$/,
  new RegExp(`^(?:"[^"]*"|'[^']*'|[\\w.\\-]+) = ${VALUE}$`),
  new RegExp(`^\\s+(?=["'{[])${VALUE}$`),
  /^\s*[\]}]+,?$/,
];

const PNPM = [
  /^---$/,
  /^(?:lockfileVersion|settings|importers|packages|snapshots|overrides|patchedDependencies|packageExtensionsChecksum|pnpmfileChecksum|time|dependencies|devDependencies|optionalDependencies|specifiers|catalogs|neverBuiltDependencies|onlyBuiltDependencies|ignoredOptionalDependencies):(?: .*)?$/,
  // The lookahead reads the line once, so the search for the colon need not.
  /^ +(?:- )?['"\w@/.^~*<>=-](?=.*$)[^;]*?:(?: |$)/,
  /^ +- [^();]*$/,
];

const GEMFILE = [
  /^[A-Z][A-Z ]*$/,
  /^ {2}(?:remote|specs|revision|ref|branch|tag|glob|submodules):(?: [^\s`$();]*)?$/,
  /^ {2,6}[\w.!@/:+-]+(?: \([^()`$;]*\))?!?(?: sha256=\w+)?$/,
  /^ {3}ruby [\w.]+(?: \(jruby [\w.]+\))?$/,
];

const GO_SUM = [/^\S+ v[^\s`$();]+ h1:[\w+/=]+$/];

const KINDS: readonly (readonly [name: RegExp, lines: readonly RegExp[]])[] = [
  [/^yarn\.lock$/, YARN],
  [/^(?:poetry|uv|pdm|Cargo)\.lock$/, TOML],
  [/^pnpm-lock\.ya?ml$/, PNPM],
  [/^Gemfile\.lock$/, GEMFILE],
  [/^go\.sum$/, GO_SUM],
];

/** The end of a line whose value is a scalar of several lines, such as `: |-`. */
const BLOCK = /: [|>][-+\d]{0,2}$/;
const LONGEST_BLOCK = ": |-2".length;

/**
 * The first line of a lock file that no package manager prints; undefined where there is none, and for lock files that are JSON, which
 * are parsed as a whole.
 * @returns 1-based
 */
export function findForeignLine(name: string, text: string): number | undefined {
  const lines = KINDS.find(([pattern]) => pattern.test(name))?.[1];
  if (lines === undefined) return undefined;
  let block = Number.POSITIVE_INFINITY;
  for (const [at, written] of text.split("\n").entries()) {
    const line = written.endsWith("\r") ? written.slice(0, -1) : written;
    const indent = line.search(/\S/);
    if (indent === -1 || /^\s*#/.test(line) || (lines === PNPM && indent > block)) continue;
    block = Number.POSITIVE_INFINITY;
    if (!lines.some((pattern) => pattern.test(line))) return at + 1;
    if (lines === PNPM && opensBlock(line)) block = line.search(/[^ ]/);
  }
  return undefined;
}

/** Takes time in proportion to the line: only its end is matched. */
function opensBlock(line: string): boolean {
  return BLOCK.test(line.slice(-LONGEST_BLOCK)) && !line.includes("#");
}
