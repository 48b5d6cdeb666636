import type { ParseResult } from "oxc-parser";

/** What a script asks for. */
export interface ScriptImport {
  /** As it is written: a module of this repository or of another. */
  readonly specifier: string;
  /** The file passes on what it imports. */
  readonly passesOn: boolean;
}

const ASKED = /\b(?:from|import|require)\s{0,20}\(?\s{0,20}(?:"([^"'\n]{1,300})"|'([^"'\n]{1,300})')/g;
const REQUIRED = /\brequire\s{0,20}\(\s{0,20}(?:"([^"'\n]{1,300})"|'([^"'\n]{1,300})'|`([^`$\n]{1,300})`)/g;
const WHOLE = /^(?:"([^"'\n]{1,300})"|'([^"'\n]{1,300})'|`([^`$\n]{1,300})`)$/;

/** What a parsed script asks for: by statements, by `import(...)` and by `require(...)`, as far as the text names it. */
export function scriptImports({ module }: Pick<ParseResult, "module">, text: string): ScriptImport[] {
  const imports = module.staticImports.map(({ moduleRequest: { value } }) => ({ specifier: value, passesOn: false }));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries)
      if (moduleRequest) imports.push({ specifier: moduleRequest.value, passesOn: true });
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = moduleOf(WHOLE.exec(text.slice(moduleRequest.start, moduleRequest.end)));
    if (specifier !== undefined) imports.push({ specifier, passesOn: false });
  }
  for (const found of text.matchAll(REQUIRED)) imports.push({ specifier: moduleOf(found) ?? "", passesOn: false });
  return imports;
}

/** What a text seems to import: found without a parser, for those to whom more than there is costs only reading. */
export function modulesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(ASKED), (found) => moduleOf(found) ?? ""));
}

function moduleOf(found: RegExpExecArray | null): string | undefined {
  return found?.slice(1).find((each) => each !== undefined);
}
