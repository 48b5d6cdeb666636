/** All of these that are there are installed together, as a developer would. */
export const REQUIREMENT_FILES = [
  "requirements.txt",
  "requirements-dev.txt",
  "requirements-test.txt",
  "dev-requirements.txt",
  "test-requirements.txt",
];

/** Where Python packages stand, from the root: a folder that is part of no commit. Whoever runs Python puts it into PYTHONPATH. */
export const PYTHON_PACKAGES = ".venv/forge";

/**
 * A package by its name, with versions, extras and markers; no address, no folder and no option but a hash. No two parts of it can take
 * the same characters, so that no line takes long.
 */
const NAMED =
  /^[A-Za-z0-9][\w.-]*(?: ?\[[\w ,.-]*\])?(?: ?,? ?[=<>!~]{1,3} ?[\w.*+-]+)*(?: ?;(?:(?! -)[^@\\])*)?(?: --hash=sha\d+:[0-9a-f]+)*$/;
const LONGEST_LINE = 10_000;

/**
 * Python's packages are installed from requirement files only, and only where every line names a package: an address or a folder would be
 * built, by a program that it brings.
 */
export function pipRequirements(
  textOf: (path: string) => string | undefined,
): { readonly text: string } | { readonly reason: string } | undefined {
  const lines: string[] = [];
  for (const file of REQUIREMENT_FILES) {
    for (const line of linesOf(textOf(file) ?? "")) {
      if (isAnotherFile(line)) continue;
      if (line.length > LONGEST_LINE || !NAMED.test(line)) {
        return { reason: `${file} asks for something that is no package by its name` };
      }
      lines.push(line);
    }
  }
  if (lines.length > 0) return { text: `${[...new Set(lines)].join("\n")}\n` };
  const needs = /^[ \t]*dependencies\s*=\s*\[\s*["']|^\[tool\.poetry\.dependencies\]|^\[packages\]/m;
  const other = ["pyproject.toml", "Pipfile"].find((file) => needs.test(textOf(file) ?? ""));
  if (other === undefined) return undefined;
  return {
    reason: `Python's packages are installed from requirements.txt, and only ${other} names any`,
  };
}

/** Without comments, a line that ends in a backslash joined with the next. */
function linesOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, " ");
  const bare = joined.split(/\r?\n/).map((line) =>
    line
      .replace(/(?:^|\s)#.*$/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return bare.filter((line) => line !== "");
}

/** A file that is read anyway. */
function isAnotherFile(line: string): boolean {
  const named = /^(?:-r|--requirement)[\s=]*(?:\.\/)?(\S+)$/.exec(line)?.[1];
  return named !== undefined && REQUIREMENT_FILES.includes(named);
}
