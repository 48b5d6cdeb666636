import type { Diagnostic, Node, SourceFile, TypeChecker, TypeScript } from "./typescript-api.ts";

/** What is asked besides the code itself, so that neither a missing package nor a setting of the project can be the cause. */
type Question = (node: Node, checker: TypeChecker, typescript: TypeScript) => boolean;

/** The errors of TypeScript that are reported, by number. */
export const CERTAIN_ERRORS: ReadonlyMap<number, Question> = new Map([
  [2339, isPropertyOfPlainType],
  [2551, isPropertyOfPlainType],
  [2367, isStrictComparison],
  [2540, () => true],
  [2554, isCallOfKnownFunction],
  [2555, isCallOfKnownFunction],
]);

export function isCertain(
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
export const REPOSITORY = "/repository";
