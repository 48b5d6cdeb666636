import { outlineScript } from "./outline-script.ts";
import type { ChildFile, OutlineImport, OutlineResult, OutlineSymbol } from "./protocol.ts";

/** What a file declares and imports; null for what is not read or does not parse. */
export function outlineFile({ dialect, text }: ChildFile): OutlineResult {
  if (dialect === undefined) return null;
  return dialect === "py" ? outlinePython(text) : outlineScript(text, dialect);
}

/** Declarations and imports of Python by their lines: both begin one, and strings that look like them are rare. */
function outlinePython(text: string): OutlineResult {
  const symbols: OutlineSymbol[] = [];
  const imports: OutlineImport[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const declared = /^( {4}|\t)?(?:async[ \t]+)?(def|class)[ \t]+(\w{1,200})/.exec(line);
    if (declared !== null) {
      const [, indent, word, name = ""] = declared;
      const kind = word === "class" ? "class" : indent === undefined ? "function" : "method";
      const signature = line
        .trim()
        .replace(/:\s*(?:#.*)?$/, "")
        .slice(0, 160);
      symbols.push({ name, kind, line: at + 1, exported: !name.startsWith("_"), signature });
    }
    const from = /^[ \t]*from[ \t]+(\.{0,10}[\w.]{0,300})[ \t]+import[ \t]+(.{1,1000})$/.exec(line);
    const [, base = "", names = ""] = from ?? [];
    if (from !== null) {
      imports.push({ specifier: base, passesOn: false });
      // What is imported from a package may be a module of it.
      for (const name of names.split(",").map((each) => each.trim().split(/[ \t(]/)[0] ?? "")) {
        if (/^\w+$/.test(name))
          imports.push({ specifier: base.endsWith(".") ? `${base}${name}` : `${base}.${name}`, passesOn: false });
      }
    }
    const plain = /^[ \t]*import[ \t]+([\w., \t]{1,1000})/.exec(line)?.[1];
    for (const each of plain?.split(",") ?? []) {
      const specifier = each.trim().split(/[ \t]/)[0] ?? "";
      if (specifier !== "") imports.push({ specifier, passesOn: false });
    }
  }
  return { symbols, imports };
}
