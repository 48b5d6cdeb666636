/** As much of TypeScript's interface as is used here, in which every node may have what only some kinds have. */
export interface TypeScript {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  readonly TypeFlags: { readonly Object: number };
  readonly JSDocParsingMode: { readonly ParseNone: number };
  createProgram(names: readonly string[], options: object, host: CompilerHost): Program;
  createSourceFile(name: string, text: string, languageVersion: unknown, setParents: boolean): SourceFile;
  resolveModuleName(module: string, importer: string, options: object, host: CompilerHost): ResolvedModule;
  forEachChild<T>(node: Node, visit: (child: Node) => T | undefined): T | undefined;
}

export interface CompilerHost {
  getSourceFile(name: string, languageVersion: unknown): SourceFile | undefined;
  readonly jsDocParsingMode: number;
  getDefaultLibFileName(): string;
  getDefaultLibLocation(): string;
  writeFile(): void;
  getCurrentDirectory(): string;
  getCanonicalFileName(name: string): string;
  useCaseSensitiveFileNames(): boolean;
  getNewLine(): string;
  fileExists(name: string): boolean;
  readFile(name: string): string | undefined;
  directoryExists(): boolean;
  getDirectories(): string[];
  resolveModuleNameLiterals(
    modules: readonly { readonly text: string }[],
    importer: string,
    reference: unknown,
    options: object,
  ): readonly ResolvedModule[];
}

export interface ResolvedModule {
  readonly resolvedModule: { readonly resolvedFileName: string; readonly extension: string } | undefined;
}

export interface Program {
  getTypeChecker(): TypeChecker;
  getSourceFile(name: string): SourceFile | undefined;
  getSyntacticDiagnostics(source: SourceFile): readonly Diagnostic[];
  getSemanticDiagnostics(source: SourceFile): readonly Diagnostic[];
}

export interface Diagnostic {
  readonly code: number;
  readonly start?: number;
  readonly length?: number;
}

export interface Node {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  readonly parent?: Node;
  readonly expression?: Node;
  readonly name?: Node;
  readonly operatorToken?: Node;
  readonly parameters?: readonly Node[];
  readonly type?: Node;
  readonly typeParameters?: readonly Node[];
  readonly heritageClauses?: readonly Node[];
  getSourceFile(): SourceFile;
  getText(): string;
}

export interface SourceFile extends Node {
  readonly fileName: string;
}

export interface Type {
  readonly flags: number;
  readonly symbol?: Symbol;
  readonly aliasSymbol?: Symbol;
}

export interface Symbol {
  readonly declarations?: readonly Node[];
}

export interface TypeChecker {
  getTypeAtLocation(node: Node): Type;
  getSymbolAtLocation(node: Node): Symbol | undefined;
  getResolvedSignature(node: Node): { readonly declaration?: Node } | undefined;
  getStringIndexType?(type: Type): Type | undefined;
}
