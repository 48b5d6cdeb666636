/** What a line with an option says in a list of requirements. */
export type RequirementOption =
  /** Another list, whose packages are installed as well, or whose versions bind those that are. */
  | { readonly kind: "list" | "constraints"; readonly path: string }
  /** A package that is installed from where it lies. */
  | { readonly kind: "package"; readonly entry: string }
  /** Says how packages are fetched or built: names none. */
  | { readonly kind: "setting" };

const LISTS: Readonly<Record<string, "list" | "constraints">> = {
  ...{ "-r": "list", "--requirement": "list" },
  ...{ "-c": "constraints", "--constraint": "constraints" },
};
const SETTINGS: ReadonlySet<string> = new Set([
  ...["-i", "--index-url", "--pypi-url", "--extra-index-url", "--no-index", "-f", "--find-links", "--trusted-host"],
  ...["--no-binary", "--only-binary", "--prefer-binary", "--require-hashes", "--pre", "--use-feature"],
  ...["--always-unzip", "-Z", "--process-dependency-links", "--use-wheel", "--no-use-wheel"],
]);

/** @returns undefined for what is no option of pip in such a file */
export function readRequirementOption(entry: string): RequirementOption | undefined {
  const [, name = "", rest = ""] = /^(--[a-z][a-z-]*|-[a-zA-Z])[ \t=]*(.*)$/s.exec(entry) ?? [];
  const value = unquoted(rest.trim());
  if (name === "-e" || name === "--editable") return value === "" ? undefined : { kind: "package", entry: value };
  const list = LISTS[name];
  if (list !== undefined) return value === "" ? undefined : { kind: list, path: value };
  return SETTINGS.has(name) ? { kind: "setting" } : undefined;
}

/** Whether a path leads to a file of the repository at all: an address and a variable do not. */
export function isListPath(path: string): boolean {
  return !/^[a-z][a-z+]+:\/\/|^file:|\$|^\//i.test(path);
}

function unquoted(text: string): string {
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text;
}
