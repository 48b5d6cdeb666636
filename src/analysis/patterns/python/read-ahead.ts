const DEPENDS = /\bDepends\(\s{0,9}(\w{1,80})\s{0,9}\)/g;
const ENUM = /\bclass {1,9}(\w{1,80})\([^()\n]{0,200}\b(?:Str|Int)?Enum\b/g;
/** Characters of a list of parameters. */
const LONGEST = 1_000;
const MOST = 200;

/** What a file says further down and a function has to know: which names are choices of a list, and which functions FastAPI calls. */
export function readAhead(text: string): {
  /** Classes of which a value is one of a few. */
  readonly enums: ReadonlySet<string>;
  /** Functions that are handed to `Depends`, and depend on nothing themselves: they give what the request brings. */
  readonly dependencies: ReadonlySet<string>;
} {
  const named = new Set(
    text.includes("Depends")
      ? text
          .matchAll(DEPENDS)
          .take(MOST)
          .map(([, name = ""]) => name)
      : [],
  );
  const dependencies = [...named].filter((name) => {
    const at = text.indexOf(`def ${name}(`);
    if (at === -1) return false;
    const list = text.slice(at, at + LONGEST);
    return !/\bDepends\b/.test(list.slice(0, list.indexOf(":\n") + 1 || LONGEST));
  });
  const enums = text.includes("Enum") ? [...text.matchAll(ENUM)].map(([, name = ""]) => name) : [];
  return { enums: new Set(enums), dependencies: new Set(dependencies) };
}
