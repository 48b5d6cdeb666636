import { readFileSync } from "node:fs";
import { dirname, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildFile, TypeHit, TypesResult } from "../protocol.ts";
import OPTIONS from "./options.json" with { type: "json" };
import type { CompilerHost, Diagnostic, Node, Program, SourceFile, TypeChecker, TypeScript } from "./typescript-api.ts";

// TypeScript 7 has no interface to programs; version 6, which Forge depends on, has one.
const LIBRARIES = dirname(fileURLToPath(import.meta.resolve("typescript")));
/** In a child that was begun from a snapshot: see prepare.cjs. */
const { forgeTypes: prepared } = globalThis as {
  forgeTypes?: { readonly typescript: TypeScript; readonly libraries: ReadonlyMap<string, SourceFile> };
};
const typescript = prepared?.typescript ?? ((await import("typescript")).default as unknown as TypeScript);

// The options are not strict: what strictness finds depends on settings of the project, which are not read. Numbers as TypeScript has them.

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
  const imports = new Map(files.map((file) => [nameOf(file), file.imports ?? {}]));
  let program: Program | undefined;
  return (file) => {
    // Not before the first file: what breaks down here is then laid to a file, and the others go on without it.
    program ??= typescript.createProgram(
      [...texts.keys()],
      { ...OPTIONS, lib: librariesFor(texts) },
      hostOf(texts, imports),
    );
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
function nameOf({ path = "" }: { readonly path?: string | undefined }): string {
  return posix.join(REPOSITORY, posix.normalize(`/${path}`));
}

/** @param imports of each file, those that only the settings of the project explain: files by modules */
function hostOf(
  texts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, NonNullable<ChildFile["imports"]>>,
): CompilerHost {
  const read = (name: string) => {
    if (texts.has(name)) return texts.get(name);
    return name.startsWith(`${LIBRARIES}${sep}lib.`) ? readFileSync(name, "utf8") : undefined;
  };
  const host: CompilerHost = {
    getSourceFile: (name, languageVersion) => {
      const library = prepared?.libraries.get(name);
      if (library !== undefined) return library;
      const text = read(name);
      if (text === undefined) return undefined;
      try {
        // The library's nodes get their parents when they are bound, and are not used before.
        return typescript.createSourceFile(name, text, languageVersion, texts.has(name));
      } catch (thrown) {
        // The parser calls itself for every bracket; without this one file the others can still be checked.
        if (thrown instanceof RangeError) return undefined;
        throw thrown;
      }
    },
    // A third of the library is comments, which are not needed here.
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
    resolveModuleNameLiterals: (modules, importer, _, options) =>
      modules.map(({ text }) => {
        const own = imports.get(importer);
        if (own === undefined || !Object.hasOwn(own, text))
          return typescript.resolveModuleName(text, importer, options, host);
        const resolvedFileName = nameOf({ path: own[text] });
        return { resolvedModule: { resolvedFileName, extension: posix.extname(resolvedFileName) } };
      }),
  };
  return host;
}

/** What is asked besides the code itself, so that neither a missing package nor a setting of the project can be the cause. */
type Question = (node: Node, checker: TypeChecker, typescript: TypeScript) => boolean;

/** The errors of TypeScript that are reported, by number. */
const CERTAIN_ERRORS: ReadonlyMap<number, Question> = new Map([
  [2339, isPropertyOfPlainType],
  [2551, isPropertyOfPlainType],
  [2367, isStrictComparison],
  [2540, () => true],
  [2554, isCallOfKnownFunction],
  [2555, isCallOfKnownFunction],
]);

function isCertain(
  typescript: TypeScript,
  checker: TypeChecker,
  source: SourceFile,
  { code, start = 0, length = 0 }: Diagnostic,
): boolean {
  const question = CERTAIN_ERRORS.get(code);
  return question?.(nodeAt(typescript, source, start, start + length), checker, typescript) ?? false;
}

/** The innermost node around a range. */
function nodeAt(typescript: TypeScript, source: SourceFile, start: number, end: number): Node {
  let node: Node = source;
  for (;;) {
    const inner: Node | undefined = typescript.forEachChild(node, (child) =>
      child.pos <= start && end <= child.end ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** `==` converts: `"1" == 1` holds, whatever the types say. */
function isStrictComparison({ operatorToken }: Node): boolean {
  return /^[!=]==$/.test(operatorToken?.getText() ?? "");
}

/** One plain function of the change itself: no overload, no type parameter, and no parameter that may be left out silently. */
function isCallOfKnownFunction(node: Node, checker: TypeChecker, typescript: TypeScript): boolean {
  const { CallExpression, NewExpression, FunctionDeclaration, MethodDeclaration, Constructor } = typescript.SyntaxKind;
  let call: Node | undefined = node;
  while (call !== undefined && call.kind !== CallExpression && call.kind !== NewExpression) call = call.parent;
  const declaration = call && checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || isLibrary(declaration)) return false;
  const plain = [FunctionDeclaration, MethodDeclaration, Constructor].includes(declaration.kind);
  if (!plain || declaration.typeParameters !== undefined) return false;
  const symbol = declaration.name && checker.getSymbolAtLocation(declaration.name);
  if (symbol !== undefined && symbol.declarations?.length !== 1) return false;
  return !(declaration.parameters ?? []).some(({ type }) => /\bvoid\b/.test(type?.getText() ?? ""));
}

/** A type that is written out in the change, whole: nothing inherited, merged, mapped or taken from elsewhere. */
function isPropertyOfPlainType(node: Node, checker: TypeChecker, typescript: TypeScript): boolean {
  const { PropertyAccessExpression, InterfaceDeclaration, ClassDeclaration, TypeLiteral } = typescript.SyntaxKind;
  const access = node.parent;
  if (access?.kind !== PropertyAccessExpression || access?.name !== node || access.expression === undefined)
    return false;
  if (!hasWrittenType(access.expression, checker, typescript)) return false;
  const type = checker.getTypeAtLocation(access.expression);
  const declarations = type.symbol?.declarations ?? [];
  const [declaration] = declarations;
  if (declaration === undefined || declarations.length !== 1 || (type.flags & typescript.TypeFlags.Object) === 0)
    return false;
  const written = [InterfaceDeclaration, ClassDeclaration, TypeLiteral].includes(declaration.kind);
  return (
    written &&
    !isLibrary(declaration) &&
    declaration.heritageClauses === undefined &&
    declaration.typeParameters === undefined &&
    checker.getStringIndexType?.(type) === undefined
  );
}

/** What is inferred may come from a package that is not there; what is written beside the name, or `this`, may not. */
function hasWrittenType(receiver: Node, checker: TypeChecker, typescript: TypeScript): boolean {
  if (receiver.kind === typescript.SyntaxKind.ThisKeyword) return true;
  const declarations = checker.getSymbolAtLocation(receiver)?.declarations ?? [];
  return declarations.length === 1 && declarations[0]?.type !== undefined;
}

function isLibrary(node: Node): boolean {
  return !node.getSourceFile().fileName.startsWith(`${REPOSITORY}/`);
}

/** Where the files of the change stand for the checker; nothing is looked up on the disk below it. */
const REPOSITORY = "/repository";
