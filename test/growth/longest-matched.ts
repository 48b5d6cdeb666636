type Exec = (this: RegExp, text: string) => RegExpExecArray | null;

/** A pattern without the flags that only say where it begins and what it tells. */
export function plainKey(source: string, flags: string): string {
  return `/${source}/${flags.replaceAll("g", "").replaceAll("y", "").replaceAll("d", "")}`;
}

/** For each pattern that is matched during work, by its plain key: how long the longest text is that it is given. */
export async function longestMatched(work: () => unknown): Promise<ReadonlyMap<string, number>> {
  const longest = new Map<string, number>();
  const before = Object.getOwnPropertyDescriptor(RegExp.prototype, "exec")!;
  const exec = before.value as Exec;
  const value: Exec = function (text) {
    const key = plainKey(this.source, this.flags);
    longest.set(key, Math.max(longest.get(key) ?? 0, `${text}`.length));
    return Reflect.apply(exec, this, [text]);
  };
  Object.defineProperty(RegExp.prototype, "exec", { ...before, value });
  try {
    await work();
  } finally {
    Object.defineProperty(RegExp.prototype, "exec", before);
  }
  return longest;
}
