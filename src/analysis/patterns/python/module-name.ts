const FROM =
  /^[ \t]{0,40}from[ \t]{1,9}(\.{0,9}[\w.]{0,200})[ \t]{1,9}import[ \t]{1,9}(?:\([ \t]{0,9})?([^\n#()]{0,400})/gm;
const IMPORT = /^[ \t]{0,40}import[ \t]{1,9}([\w.]{1,200})/gm;

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

/** Modules that a text seems to import, found without a parser, as Python writes them. Of `from . import db` it is `.db`. */
export function pythonModulesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, written = "", names = ""] of text.matchAll(FROM)) {
    if (!/^\.+$/.test(written)) found.add(written);
    else for (const each of names.split(",")) found.add(written + (/\w+/.exec(each)?.[0] ?? ""));
  }
  for (const [, written = ""] of text.matchAll(IMPORT)) found.add(written);
  return found;
}
