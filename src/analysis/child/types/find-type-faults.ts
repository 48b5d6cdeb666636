import { readFileSync } from "node:fs";
import { dirname, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import typescript6 from "typescript-6";
import type { ChildFile, TypeHit, TypesResult } from "../protocol.ts";
import { CERTAIN_ERRORS, isCertain, REPOSITORY } from "./certain-errors.ts";
import type { CompilerHost, Program, TypeScript } from "./typescript-api.ts";

// TypeScript 7 has no interface to programs; version 6 has, under a name of its own.
const LIBRARIES = dirname(fileURLToPath(import.meta.resolve("typescript-6")));
const typescript = typescript6 as unknown as TypeScript;

/** Not strict: what strictness finds depends on settings of the project, which are not read. Numbers as TypeScript has them. */
const OPTIONS = {
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
  jsx: 1,
  module: 99,
  moduleResolution: 100,
  noEmit: true,
  skipLibCheck: true,
  strict: false,
  target: 99,
  types: [],
} as const;

const LANGUAGE = ["lib.esnext.d.ts"];

/** The larger half of what TypeScript brings. */
const BROWSER = ["lib.dom.d.ts", "lib.dom.iterable.d.ts"];

/**
 * What only a browser has, or may be merged with what it has: a declaration for all files, or a file without imports and exports, whose
 * declarations are for all. Wide on purpose: it is there to spare half of the time, not to leave something out.
 */
const NEEDS_BROWSER =
  /\b(?:document|window|navigator|location|self|HTML\w*|SVG\w*|DOM\w*|CSS\w*|\w*(?:Element|Event|Node|Request|Response|Observer|Worker|Storage|Context|Stream|Crypto))\b|\bdeclare\s+(?:global|module|namespace)\b/;
const IS_MODULE = /^[^\S\n\r\u2028\u2029]*(?:import|export)\b/m;

/**
 * A reader of TypeScript that sees the files of the change and the language's own library, and no package: what is imported from
 * elsewhere may be anything. Only errors that stay errors whatever that is come out.
 */
export function findTypeFaults(files: readonly ChildFile[]): (file: ChildFile) => TypesResult {
  const texts = new Map(files.map((file) => [nameOf(file), file.text]));
  let program: Program | undefined;
  return (file) => {
    // Not before the first file: what breaks down here is then laid to a file, and the others go on without it.
    program ??= typescript.createProgram([...texts.keys()], { ...OPTIONS, lib: librariesFor(texts) }, hostOf(texts));
    try {
      return findHits(program, nameOf(file));
    } catch (thrown) {
      if (thrown instanceof RangeError) return "too deep";
      throw thrown;
    }
  };
}

function librariesFor(texts: ReadonlyMap<string, string>): string[] {
  const browser = [...texts.values()].some((text) => NEEDS_BROWSER.test(text) || !IS_MODULE.test(text));
  return browser ? [...LANGUAGE, ...BROWSER] : LANGUAGE;
}

function findHits(program: Program, name: string): TypeHit[] | "too deep" {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(name);
  if (source === undefined) return "too deep";
  if (program.getSyntacticDiagnostics(source).length > 0) return [];
  return program.getSemanticDiagnostics(source).flatMap((diagnostic) => {
    const { start, length = 0, code } = diagnostic;
    if (start === undefined || !CERTAIN_ERRORS.has(code)) return [];
    return isCertain(typescript, checker, source, diagnostic) ? [{ code, offset: start, length }] : [];
  });
}

/** A path is only a name here, and cannot lead out. */
function nameOf({ path = "" }: ChildFile): string {
  return posix.join(REPOSITORY, posix.normalize(`/${path}`));
}

function hostOf(texts: ReadonlyMap<string, string>): CompilerHost {
  const read = (name: string) => {
    if (texts.has(name)) return texts.get(name);
    return name.startsWith(`${LIBRARIES}${sep}lib.`) ? readFileSync(name, "utf8") : undefined;
  };
  return {
    getSourceFile: (name, languageVersion) => {
      const text = read(name);
      if (text === undefined) return undefined;
      try {
        // The library's nodes get their parents when they are bound; nobody looks at them before.
        return typescript.createSourceFile(name, text, languageVersion, texts.has(name));
      } catch (thrown) {
        // The parser calls itself for every bracket; without this one file the others can still be checked.
        if (thrown instanceof RangeError) return undefined;
        throw thrown;
      }
    },
    // A third of the library is comments, which nobody reads here.
    jsDocParsingMode: typescript.JSDocParsingMode.ParseNone,
    getDefaultLibFileName: () => `${LIBRARIES}${sep}lib.d.ts`,
    getDefaultLibLocation: () => LIBRARIES,
    writeFile: () => undefined,
    getCurrentDirectory: () => REPOSITORY,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    directoryExists: () => true,
    getDirectories: () => [],
  };
}
