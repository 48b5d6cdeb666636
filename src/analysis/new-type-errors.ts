/** An error that a type checker reported, with the text of its line. */
export interface TypeFault {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
  /** `TS2345`. */
  readonly code: string;
  readonly message: string;
  readonly text: string;
}

/**
 * The errors of the head without those that base has too: the same one on the same line of text, or in other words on it, or in the same
 * words on another line, each of them once.
 * @param renamed paths now by paths on base
 */
export function newErrors(
  head: readonly TypeFault[],
  base: readonly TypeFault[],
  renamed: ReadonlyMap<string, string>,
): TypeFault[] {
  const old = base.map((fault) => ({ ...fault, file: renamed.get(fault.file) ?? fault.file }));
  let fresh = unique(head);
  let left = unique(old);
  for (const keyOf of [
    ({ file, code, message, text }: TypeFault) => [file, code, message, text].join("\0"),
    ({ file, code, text }: TypeFault) => [file, code, text].join("\0"),
    ({ file, code, message }: TypeFault) => [file, code, message].join("\0"),
  ]) {
    const known = Map.groupBy(left, keyOf);
    fresh = fresh.filter((fault) => known.get(keyOf(fault))?.shift() === undefined);
    left = [...known.values()].flat();
  }
  return fresh;
}

/** Two configurations may check the same file. */
function unique(faults: readonly TypeFault[]): TypeFault[] {
  const keyOf = ({ file, line, column, code, message }: TypeFault) => [file, line, column, code, message].join("\0");
  return [...new Map(faults.map((fault) => [keyOf(fault), fault])).values()];
}

/** A path from the root of a disk, as compilers name types by the file that they come from. */
const ABSOLUTE = /(?<![\w.@~/-])(?:[A-Za-z]:)?[/\\][^\s"'`(),:;<>|]+[/\\][^\s"'`(),:;<>|]*/g;

/** A message without places of the machine that it was made on: what lies below packages keeps its name there, all else its last part. */
export function withoutPlaces(message: string): string {
  return message.replace(ABSOLUTE, (path) => {
    const parts = path.split(/[/\\]/);
    const modules = parts.lastIndexOf("node_modules");
    if (modules !== -1 && modules < parts.length - 1) return parts.slice(modules + 1).join("/");
    return parts[1] === "box" ? parts.slice(2).join("/") : (parts.findLast((part) => part !== "") ?? "");
  });
}
