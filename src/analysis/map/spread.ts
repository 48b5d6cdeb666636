/** All that is reached from these, themselves among it, the nearest first. */
export function spread(from: readonly string[], next: (path: string) => Iterable<string>): Set<string> {
  const reached = new Set(from);
  // A set gives what is added while it is walked.
  for (const path of reached) for (const each of next(path)) reached.add(each);
  return reached;
}
