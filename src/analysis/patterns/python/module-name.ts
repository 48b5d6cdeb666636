/**
 * A module as the search names it: `./db` of `.db`, `../core/db` of `..core.db`, and `app.db` as it is.
 * @param written the text between `from` and `import`
 */
export function moduleNameOf(written: string): string {
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  if (dots === 0) return written;
  const above = dots === 1 ? "./" : "../".repeat(dots - 1);
  return above + written.slice(dots).replaceAll(".", "/");
}
